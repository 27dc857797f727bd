"""The formula that a statement computes: its last column, over the columns of tables."""

from __future__ import annotations

import pytest

from tablewright.data.sql.formula import formula_of
from tablewright.data.sql.reading import reading_statement
from tablewright.errors import StatementRefused, StatementWrong


@pytest.mark.parametrize(
    ("sql", "formula"),
    [
        ("SELECT region, SUM(amount) AS total FROM t GROUP BY region", "SUM(amount)"),
        ("SELECT t1.rate FROM (SELECT SUM(a) / SUM(b) AS rate FROM t) AS t1", "(SUM(a) / SUM(b))"),
        ("WITH x AS (SELECT AVG(CAST(a AS DOUBLE)) AS m FROM t) SELECT m * 2 AS n FROM x", "AVG(a) * 2"),
        ("SELECT SUM(t.a) AS s FROM t WHERE t.b = 'x' ORDER BY 1", "SUM(a) FILTER(WHERE b = 'x')"),
        ("SELECT o.a - p.b AS d FROM (SELECT a FROM t) AS o JOIN (SELECT b FROM u) AS p ON TRUE", "a - b"),
        ('SELECT "x y" FROM t', '"x y"'),
    ],
)
def test_subqueries_and_conditions_are_put_into_the_formula(sql: str, formula: str) -> None:
    assert formula_of(sql, "duckdb") == formula


@pytest.mark.parametrize("sql", ["DROP TABLE t", "SELECT 1 UNION SELECT 2", "SELECT FROM", "WITH x AS ("])
def test_what_is_no_query_of_one_column_has_no_formula(sql: str) -> None:
    with pytest.raises((StatementRefused, StatementWrong)):
        formula_of(sql, "duckdb")


@pytest.mark.parametrize(
    "sql", ["DROP TABLE t", "SELECT 1; DELETE FROM t", "SELECT SLEEP(9)", "SELECT * FROM t INTO OUTFILE '/tmp/x'"]
)
def test_a_statement_that_does_more_than_read_is_not_answered(sql: str) -> None:
    with pytest.raises((StatementRefused, StatementWrong)):
        reading_statement(sql, "mysql")


def test_comments_and_the_end_are_left_out_of_a_statement() -> None:
    assert reading_statement("SELECT a /* why */ FROM t WHERE b LIKE '5%';", "mysql") == (
        "SELECT a FROM t WHERE b LIKE '5%'"
    )
