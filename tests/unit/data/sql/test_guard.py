"""What may be executed is known to read only, and is written anew."""

from __future__ import annotations

from typing import get_args

import pytest

from tablewright.data.sql.base import Dialect
from tablewright.data.sql.guard import DescribeTable, ShowTables, checked, inspected
from tablewright.errors import StatementRefused, StatementWrong

DIALECTS: tuple[Dialect, ...] = get_args(Dialect)
READING = (
    "SELECT a, COUNT(*) AS n FROM t WHERE b = :b AND c LIKE '%x' GROUP BY a HAVING COUNT(*) > 1 ORDER BY n LIMIT 5",
    "WITH x AS (SELECT 1 AS a) SELECT * FROM x UNION ALL SELECT 2",
    "SELECT SUM(a) OVER (PARTITION BY b ORDER BY c ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM t",
    "SELECT CASE WHEN a > 1 THEN 'x' ELSE 'y' END, COALESCE(a, 0), UPPER(n), ROUND(AVG(a), 2) FROM t",
    "SELECT * FROM t JOIN u USING (id) LEFT JOIN s.v ON v.id = t.id WHERE t.a IN (SELECT q FROM w) AND e IS NOT NULL",
    "SELECT DISTINCT a FROM t WHERE EXISTS (SELECT 1 FROM u) AND NOT a BETWEEN 1 AND 3 OFFSET 2",
    "SELECT CAST(a AS DECIMAL(10, 2)), LOWER(TRIM(b)), LENGTH(c), REPLACE(d, 'a', 'b'), ABS(e), NULLIF(f, 0) FROM t",
    "EXPLAIN SELECT 1",
)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("sql", READING)
def test_queries_pass_in_every_dialect(sql: str, dialect: Dialect) -> None:
    assert checked(sql, dialect, {"b": 1}).sql


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        (
            "postgres",
            "SELECT date_trunc('month', d), string_agg(a, ',') FILTER (WHERE b > 0) FROM t GROUP BY 1",
        ),
        (
            "postgres",
            "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a), a::numeric / 2 FROM t GROUP BY a",
        ),
        ("postgres", "SELECT * FROM generate_series(1, 3) AS g(n)"),
        ("mysql", "SELECT DATE_FORMAT(d, '%Y-%m'), GROUP_CONCAT(a), IFNULL(b, 0) FROM `t` GROUP BY 1"),
        ("sqlite", "SELECT strftime('%Y', d), group_concat(a), ifnull(b, 0) FROM t GROUP BY 1"),
        ("duckdb", "SELECT median(a), strftime(d, '%Y'), list(b) FROM t GROUP BY ALL"),
        ("duckdb", "SELECT * EXCLUDE (a) FROM t QUALIFY row_number() OVER (PARTITION BY b) = 1"),
    ],
)
def test_a_dialects_own_functions_pass(dialect: Dialect, sql: str) -> None:
    assert checked(sql, dialect, {}).sql


@pytest.mark.parametrize("dialect", DIALECTS)
def test_comments_are_not_executed(dialect: Dialect) -> None:
    assert checked("SELECT 1 /* not ; this */ -- nor this", dialect, {}).sql == "SELECT 1"


def test_a_quote_is_read_as_the_server_reads_it() -> None:
    assert checked(r"SELECT 'a\'; DELETE FROM t; -- '", "mysql", {}).sql == "SELECT 'a''; DELETE FROM t; -- '"
    with pytest.raises((StatementRefused, StatementWrong)):
        checked(r"SELECT 'a\'; DELETE FROM t; -- '", "postgres", {})


def test_parameters_are_written_as_the_driver_wants_them() -> None:
    sql = "SELECT a FROM t WHERE b = :who AND c LIKE '5%' AND d = :who AND e = :x"
    marks: dict[Dialect, str] = {"postgres": "%(p0)s", "mysql": "%(p0)s", "sqlite": ":p0", "duckdb": "$p0"}
    for dialect, wanted in marks.items():
        statement = checked(sql, dialect, {"who": "Ann", "x": 1, "unused": 2})
        assert sorted(map(str, statement.params.values())) == ["1", "Ann"]
        assert statement.sql.count(wanted) + statement.sql.count(wanted.replace("p0", "p1")) == 3
        assert ("'5%%'" in statement.sql) == (dialect in {"postgres", "mysql"})


@pytest.mark.parametrize("sql", ["SELECT ?", "SELECT a FROM t WHERE b = ?"])
def test_a_parameter_without_a_name_is_refused(sql: str) -> None:
    for dialect in DIALECTS:
        with pytest.raises((StatementRefused, StatementWrong)):
            checked(sql, dialect, {})


def test_what_is_too_much_for_the_parser_is_refused() -> None:
    for sql in ("SELECT " + "(" * 5000 + "1" + ")" * 5000, "SELECT 1" + " + 1" * 10_000):
        with pytest.raises((StatementRefused, StatementWrong)):
            checked(sql, "postgres", {})


def test_tables_and_columns_are_wishes_in_every_dialect() -> None:
    for dialect in DIALECTS:
        assert inspected("show tables;", dialect) == ShowTables()
        assert inspected("DESCRIBE s.orders", dialect) == DescribeTable(name="s.orders")
        assert inspected("SELECT 1", dialect) is None
        assert inspected("SHOW GRANTS", dialect) is None
