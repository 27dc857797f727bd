"""Relations as statements: what is refused, what keeps its name, and what servers would else read differently."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlglot
from sqlglot import exp

from tablewright.analyst.plan import (
    Aggregate,
    Bucket,
    Col,
    Compare,
    Concat,
    Expr,
    Filter,
    Func,
    Join,
    Lit,
    Measure,
    Named,
    Position,
    Procedure,
    Project,
    Relation,
    Sort,
    Source,
    Top,
)
from tablewright.analyst.sql.texts import BLANKS
from tablewright.analyst.sql.writer import NotWritten, Statement, write
from tablewright.data.sql.base import Dialect
from tablewright.data.sql.guard import checked
from tablewright.domain.dataset import CleanFacts, ColumnFacts, DatabaseColumn, DatabaseTable, DatasetFacts, ReadOptions
from tablewright.domain.table import Table

DIALECTS: tuple[Dialect, ...] = ("postgres", "mysql", "sqlite", "duckdb")
HOSTILE = 'a"; DROP TABLE x; --\n`'
S = Source(dataset_id="s")


def facts(
    dialect: Dialect = "postgres", *columns: tuple[str, str, str], key: tuple[str, ...] = ("id",)
) -> DatasetFacts:
    """Return a table of a database; each column with its kind and its declared type."""
    given = columns or (
        ("id", "integer", "integer"),
        ("region", "text", "text"),
        ("amount", "number", "numeric(10,2)"),
        ("seen", "mixed", "timestamp with time zone"),
    )
    return DatasetFacts(
        id="s",
        name="sales",
        file_name="sales.json",
        path="/data/shared/sales.json",
        read=ReadOptions(kind="json", by_column=True),
        rows=9,
        columns=tuple(ColumnFacts(name=name, kind=kind) for name, kind, _ in given),  # type: ignore[arg-type]
        sample=Table(columns=(), rows=(), total_rows=0),
        profile_ref="0" * 64,
        table=DatabaseTable(
            connection="c",
            dialect=dialect,
            name="sales",
            columns=tuple(DatabaseColumn(name=name, type=declared) for name, _, declared in given),
            primary_key=key,
        ),
    )


def column(name: str) -> Named:
    return Named(name=name, of=Col(name=name))


SPREAD = Aggregate(source=S, groups=(), measures=(Measure(name="m", function="std", of=Col(name="amount")),))
PAIRS = Project(source=S, columns=(column("region"), column("amount")), distinct=True)
REGIONS = Project(source=S, columns=(column("region"),), distinct=True)
"""Rows in an order that pandas knows, and no key tells."""


def written(relation: Relation, *tables: DatasetFacts) -> Statement:
    statement = write(relation, tables or (facts(),))
    assert isinstance(statement, Statement), statement
    return statement


def refused(relation: Relation, *tables: DatasetFacts) -> str:
    statement = write(relation, tables or (facts(),))
    assert isinstance(statement, NotWritten), statement
    return statement.reason


def where(left: Expr, value: object, source: Relation = S) -> Filter:
    return Filter(source=source, where=Compare(op="=", left=left, right=Lit(value=value)))  # type: ignore[arg-type]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_guard_lets_statements_pass(dialect: Dialect) -> None:
    groups = Aggregate(
        source=where(Col(name="region"), "north"),
        groups=(column("region"),),
        measures=(Measure(name="total", function="sum", of=Col(name="amount")),),
    )
    statement = written(Top(source=groups, by="total", count=3), facts(dialect))
    assert checked(statement.sql, dialect, {}).tables == ("sales",)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_missing_key_is_looked_for_in_the_bare_column(dialect: Dialect) -> None:
    """PostgreSQL leaves the test out where the column is declared to have no missing values, but not of a collation."""
    total = Measure(name="total", function="sum", of=Col(name="amount"))
    statement = written(Aggregate(source=S, groups=(column("region"),), measures=(total,)), facts(dialect))
    tests = list(sqlglot.parse_one(statement.sql, read=dialect).find_all(exp.Is))
    assert tests
    assert all(test.find(exp.Collate) is None for test in tests)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_hostile_and_long_names_get_short_ones(dialect: Dialect) -> None:
    named = ("名" * 40, "text", "text")
    table = facts(dialect, ("id", "integer", "integer"), (HOSTILE, "text", "text"), named)
    statement = written(where(Col(name=HOSTILE), "x"), table)
    assert statement.names == ("id", "c2", "c3")
    assert [one.name for one in statement.columns] == ["id", HOSTILE, "名" * 40]
    tree = sqlglot.parse_one(statement.sql, read=dialect)
    assert HOSTILE in {one.name for one in tree.find_all(exp.Column)}
    assert not list(tree.find_all(exp.Drop))


def test_names_that_differ_in_case_alone_stay_apart() -> None:
    table = facts("duckdb", ("id", "integer", "integer"), ("A", "integer", "integer"))
    doubled = Project(source=S, columns=(column("A"), Named(name="a", of=Col(name="id"))))
    assert written(doubled, table).names == ("A", "a_2")


@pytest.mark.parametrize("dialect", ["postgres", "sqlite", "duckdb"])
def test_every_blank_that_python_strips_is_trimmed(dialect: Dialect) -> None:
    tree = sqlglot.parse_one(written(where(Col(name="region"), "x"), facts(dialect)).sql, read=dialect)
    trimmed = tree.find(exp.Trim)
    assert trimmed is not None
    assert trimmed.expression.this == BLANKS


@pytest.mark.parametrize(
    ("relation", "reason"),
    [
        (where(Col(name="region"), "Île"), "letters"),
        (where(Col(name="seen"), "2024-01-01"), "column seen"),
        (where(Col(name="nowhere"), 1), "column nowhere"),
        (where(Func(name="log", of=Col(name="amount")), 1), "log"),
        (Procedure(source=S, name="describe", columns=("amount",)), "procedure"),
        (Aggregate(source=S, groups=(), measures=(Measure(name="m", function="mode", of=Col(name="id")),)), "mode"),
        (Concat(sources=(S, Project(source=S, columns=(column("id"),)))), "columns"),
        (Join(left=S, right=S, on=(("id", "region"),)), "keys"),
        (where(Col(name="m"), 1, SPREAD), "one row"),
        (Top(source=SPREAD, by="m", count=1), "one row"),
        (Aggregate(source=SPREAD, groups=(column("m"),), measures=()), "one row"),
        (Position(source=REGIONS, count=2), "order"),
        (Position(source=Sort(source=PAIRS, keys=(("region", False),)), count=2), "order"),
        (Position(source=Join(left=REGIONS, right=S, on=(("region", "region"),)), count=2), "order"),
        (Position(source=Join(left=S, right=REGIONS, on=(("region", "region"),)), count=2), "order"),
        (Position(source=Project(source=REGIONS, columns=(column("region"),), distinct=True), count=2), "order"),
        (Position(source=Aggregate(source=REGIONS, groups=(column("region"),), measures=()), count=2), "order"),
    ],
)
def test_what_has_no_statement_with_its_meaning_is_refused(relation: Relation, reason: str) -> None:
    assert refused(relation) == reason


def test_dates_of_sqlite_that_are_written_in_no_form_that_sorts_are_refused() -> None:
    table = facts("sqlite", ("id", "integer", "integer"), ("day", "date", "date"))
    assert refused(where(Bucket(of=Col(name="day"), unit="year"), 2024), table) == "column day"


def test_a_column_of_another_kind_than_its_rows_is_only_passed_on() -> None:
    table = facts("sqlite", ("id", "integer", "integer"), ("size", "mixed", "integer"))
    assert refused(where(Col(name="size"), 1), table) == "column size"
    assert written(where(Col(name="id"), 1), table).columns[1].facts is not None


@pytest.mark.parametrize(
    "clean",
    [
        CleanFacts(kind="date", notation="date_text", date_formats=("%Y-%m-%d", "%m月%d日"), year=2025),
        CleanFacts(kind="integer", notation="unit", unit="km"),
    ],
)
def test_a_column_that_is_cleaned_before_it_is_computed_with_is_only_passed_on(clean: CleanFacts) -> None:
    table = facts("postgres", ("id", "integer", "integer"), ("seen", "text", "text"))
    table = replace(table, columns=(table.columns[0], replace(table.columns[1], clean=clean)))
    last = Aggregate(source=S, groups=(), measures=(Measure(name="last", function="max", of=Col(name="seen")),))
    assert refused(last, table) == "column seen"
    assert refused(Sort(source=S, keys=(("seen", True),)), table) == "sort"
    found = written(where(Col(name="id"), 1), table).columns[1].facts
    assert found is not None
    assert found.clean == clean


def test_tables_of_several_databases_are_refused() -> None:
    other = replace(facts(), id="t", table=replace(facts().table, connection="d"))  # type: ignore[type-var]
    assert refused(Join(left=S, right=Source(dataset_id="t"), on=(("id", "id"),)), facts(), other) == "source"
    assert refused(S, replace(facts(), table=None)) == "source"


def test_a_table_without_a_key_is_sorted_by_all_its_columns_where_order_counts() -> None:
    bare = facts("postgres", ("id", "integer", "integer"), ("region", "text", "text"), key=())
    assert "ORDER BY" not in written(where(Col(name="id"), 1), bare).sql
    first = written(Position(source=Sort(source=S, keys=(("region", False),)), count=2), bare)
    assert not first.ordered
    assert first.sql.count("ORDER BY") == 2
