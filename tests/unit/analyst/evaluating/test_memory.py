"""What the execution of plans keeps to: shares work, ends in time, and does as pandas does with odd cells."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.analyst.evaluating.grouping import aggregate
from tablewright.analyst.evaluating.memory import StoredTable, evaluate, evaluate_all
from tablewright.analyst.plan import (
    Aggregate,
    Between,
    Bucket,
    Col,
    Compare,
    Filter,
    Func,
    Join,
    Lit,
    Matches,
    Measure,
    Named,
    Not,
    Part,
    Plan,
    Procedure,
    Project,
    Relation,
    Sort,
    Source,
    Top,
)
from tablewright.domain.dataset import CleanFacts, ColumnFacts, DatasetFacts, ReadOptions
from tablewright.domain.spans import Spans
from tablewright.domain.table import Cell, Table

TABLE = Source(dataset_id="t")


def facts(*columns: ColumnFacts, rows: int = 0) -> DatasetFacts:
    return DatasetFacts(
        id="t", name="t", file_name="t.csv", path="t.csv", read=ReadOptions(kind="csv"), rows=rows, columns=columns,
        sample=Table(columns=(), rows=(), total_rows=0), profile_ref="",
    )  # fmt: skip


def rows(relation: Relation, cells: dict[str, tuple[Cell, ...]], *columns: ColumnFacts, **given: Any) -> Any:
    """Return the rows of a relation over one table; or its failure."""
    plan = Plan(parts=(Part(relation=relation),))
    found = evaluate(plan, {"t": StoredTable(columns=tuple(cells.values()))}, [facts(*columns)], **given)
    return found.failure or [list(row) for row in found.tables[0].rows]


def text(name: str, missing: int = 1) -> ColumnFacts:
    return ColumnFacts(name=name, kind="text", missing=missing)


def number(name: str, missing: int = 1, **given: Any) -> ColumnFacts:
    return ColumnFacts(name=name, kind="number", missing=missing, **given)


def count(where: Any) -> Relation:
    return Aggregate(
        source=Filter(source=TABLE, where=where), groups=(), measures=(Measure(name="n", function="count"),)
    )


def test_text_is_compared_without_case_and_blanks_and_missing_is_unequal_to_all() -> None:
    cells: dict[str, tuple[Cell, ...]] = {"a": ("North", " north ", "south", None)}
    same = Compare(op="=", left=Col(name="a"), right=Lit(value="NORTH"))
    assert rows(count(same), cells, text("a")) == [[2]]
    assert rows(count(Not(of=same)), cells, text("a")) == [[1]]
    assert rows(count(Matches(of=Col(name="a"), how="contains", text="OUT")), cells, text("a")) == [[1]]


def test_numbers_in_a_notation_are_cleaned_where_the_plan_computes_with_them() -> None:
    cells: dict[str, tuple[Cell, ...]] = {"p": ("¥1,200", "￥800", None, "¥-")}
    price = number("p", notation="currency", unit="¥")
    total = Aggregate(source=TABLE, groups=(), measures=(Measure(name="s", function="sum", of=Col(name="p")),))
    assert rows(total, cells, price) == [[2000.0]]
    assert rows(TABLE, cells, price) == [["¥1,200"], ["￥800"], [None], ["¥-"]]


def test_a_day_ends_at_midnight_and_a_month_is_a_constant_too() -> None:
    when = ColumnFacts(name="d", kind="datetime", notation="date_text", date_format="%Y-%m-%d %H:%M:%S")
    cells: dict[str, tuple[Cell, ...]] = {"d": ("2024-01-31 23:00:00", "2024-02-01 00:00:00", "2024-02-01 09:30:00")}
    day = Between(of=Col(name="d"), low="2024-02-01", high="2024-02-01")
    assert rows(count(day), cells, when) == [[2]]
    month = Compare(op="=", left=Col(name="d"), right=Lit(value="2024-01"))
    assert rows(count(month), cells, when) == [[1]]
    weekday = Compare(op="=", left=Bucket(of=Col(name="d"), unit="weekday"), right=Lit(value="Thursday"))
    assert rows(count(weekday), cells, when) == [[2]]


def test_all_that_tie_with_the_last_are_among_the_first() -> None:
    cells: dict[str, tuple[Cell, ...]] = {"a": ("x", "y", "z", "w"), "n": (3.0, 5.0, 3.0, None)}
    found = rows(Top(source=TABLE, by="n", count=2), cells, text("a"), number("n"))
    assert found == [["y", 5.0], ["x", 3.0], ["z", 3.0]]
    second = rows(Top(source=TABLE, by="n", count=1, offset=1), cells, text("a"), number("n"))
    assert second == [["x", 3.0], ["z", 3.0]]


def test_cells_that_are_no_text_have_no_length() -> None:
    cells: dict[str, tuple[Cell, ...]] = {"a": ("abc", 12, None)}
    lengths = Project(source=TABLE, columns=(Named(name="l", of=Func(name="length", of=Col(name="a"))),))
    assert rows(lengths, cells, text("a")) == [[3], [None], [None]]


def test_a_join_that_grows_without_bounds_ends() -> None:
    cells: dict[str, tuple[Cell, ...]] = {"a": ("x",) * 2000}
    squared = Join(
        left=TABLE, right=Project(source=TABLE, columns=(Named(name="a", of=Col(name="a")),)), on=(("a", "a"),)
    )
    assert rows(squared, cells, text("a")) == "too_large"


def test_a_deadline_ends_what_is_left() -> None:
    assert rows(TABLE, {"a": ("x",)}, text("a"), deadline=0.0) == "time"


def test_only_the_rows_asked_for_are_given_and_all_are_counted() -> None:
    table = StoredTable(columns=(tuple(map(str, range(500))),))
    found = evaluate(Plan(parts=(Part(relation=TABLE),)), {"t": table}, [facts(text("a"))], most_rows=3)
    assert (len(found.tables[0].rows), found.tables[0].total_rows) == (3, 500)


def test_what_plans_have_in_common_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def counted(relation: Aggregate, *given: Any) -> Any:
        asked.append(relation)
        return aggregate(relation, *given)

    monkeypatch.setattr("tablewright.analyst.evaluating.engine.aggregate", counted)
    total = Measure(name="m", function="count", of=Col(name="a"))
    grouped = Aggregate(source=TABLE, groups=(Named(name="a", of=Col(name="a")),), measures=(total,))
    plans = [Plan(parts=(Part(relation=Top(source=grouped, by="m", count=one)),)) for one in (1, 2, 3)]
    found = evaluate_all(plans, {"t": StoredTable(columns=(("x", "y", "x"),))}, [facts(text("a"))])
    assert [one.tables[0].total_rows for one in found] == [1, 2, 2]
    assert len(asked) == 1


@pytest.mark.parametrize(("name", "expected"), [("describe", 4.0), ("duplicates", 1), ("longest_run", 3)])
def test_procedures_count(name: str, expected: float) -> None:
    cells: dict[str, tuple[Cell, ...]] = {"n": (1.0, 2.0, 2.0, -1.0)}
    found = rows(Procedure(source=TABLE, name=name, columns=("n",)), cells, number("n", missing=0))
    assert expected in found[0]


@pytest.mark.parametrize("formats", [("%Y.%m.%d", "%Y/%m/%d"), ("%Y.%m.%d",)])
def test_cells_that_are_dates_by_themselves_are_dates_beside_texts_in_other_notations(formats: tuple[str, ...]) -> None:
    others = ("2021.2.10", "2023/07/19")[: len(formats)]
    clean = CleanFacts(kind="date", notation="date_text", date_formats=formats, minimum="2020-07-30")
    opened = ColumnFacts(name="opened", kind="mixed", clean=clean)
    first = Measure(name="first", function="min", of=Col(name="opened"))
    cells: dict[str, tuple[Cell, ...]] = {"opened": (others[0], "2020-07-30", *others[1:])}
    assert rows(Aggregate(source=TABLE, groups=(), measures=(first,)), cells, opened) == [["2020-07-30"]]


def test_dates_without_a_year_are_days_of_the_year_in_the_facts() -> None:
    formats = ("%Y-%m-%d", "%m月%d日", "%b %d")
    clean = CleanFacts(kind="date", notation="date_text", date_formats=formats, year=2024, minimum="2024-02-28")
    opened = ColumnFacts(name="opened", kind="mixed", clean=clean)
    cells: dict[str, tuple[Cell, ...]] = {"opened": ("2024-02-28", "2月29日", "Mar 1", None, "2024-03-05")}
    order = Sort(source=TABLE, keys=(("opened", False),))
    assert rows(order, cells, opened) == [["2024-02-28"], ["2024-02-29"], ["2024-03-01"], ["2024-03-05"], [None]]


def test_spans_in_several_units_count_in_one() -> None:
    spans = Spans(ways=(("分钟", 60), ("h", 3600), ("m", 60), ("s", 1)), each=60, clock="m:s")
    clean = CleanFacts(kind="number", notation="unit", unit="min", spans=spans, marks=("tbd",))
    length = ColumnFacts(name="length", kind="text", clean=clean)
    cells: dict[str, tuple[Cell, ...]] = {"length": ("1h 30m", "2:30", "1:00:00", "5分钟", "tbd", None)}
    total = Measure(name="total", function="sum", of=Col(name="length"))
    assert rows(Aggregate(source=TABLE, groups=(), measures=(total,)), cells, length) == [[157.5]]


def test_words_for_powers_of_ten_multiply_the_numbers_before_them() -> None:
    clean = CleanFacts(kind="integer", notation="unit", unit="公里", powers=(("千万", 7), ("万", 4)), minimum=7173)
    size = ColumnFacts(name="size", kind="mixed", clean=clean)
    total = Measure(name="total", function="sum", of=Col(name="size"))
    cells: dict[str, tuple[Cell, ...]] = {"size": ("4.56 万公里", "7173", "2,100", None, "1千万", "22000公里")}
    assert rows(Aggregate(source=TABLE, groups=(), measures=(total,)), cells, size) == [[10076873]]
