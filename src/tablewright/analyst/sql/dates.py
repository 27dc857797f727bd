"""Parts of dates, and dates as texts, in each dialect."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from tablewright.analyst.plan import TimeUnit
from tablewright.analyst.sql.operands import SqlValue
from tablewright.analyst.sql.rows import Unwritable

_FORMATS: Mapping[TimeUnit, Mapping[str, str]] = {
    "month": {"postgres": "YYYY-MM", "duckdb": "%Y-%m", "mysql": "%Y-%m"},
    "week": {"postgres": 'IYYY-"W"IW', "duckdb": "%G-W%V", "mysql": "%x-W%v"},
    "day": {"postgres": "YYYY-MM-DD", "duckdb": "%Y-%m-%d", "mysql": "%Y-%m-%d"},
    "year_month_day": {"postgres": "YYYY-MM-DD", "duckdb": "%Y-%m-%d", "mysql": "%Y-%m-%d"},
}
_FUNCTIONS = {"postgres": "TO_CHAR", "duckdb": "STRFTIME", "mysql": "DATE_FORMAT"}
_PARTS: Mapping[TimeUnit, str] = {
    "year": "YEAR",
    "hour": "HOUR",
    "month_of_year": "MONTH",
    "day_of_month": "DAY",
}
_NUMBERS: Mapping[TimeUnit, str] = {
    "year": "YEAR",
    "quarter": "QUARTER",
    "month": "MONTH",
    "month_of_year": "MONTH",
    "hour": "HOUR",
}


def bucket(date: SqlValue, unit: TimeUnit, dialect: str) -> SqlValue:
    """Return dates truncated to a unit, as the written pandas code shows them."""
    if unit in _PARTS:
        return date.but(part(date, _PARTS[unit]), "integer")
    if unit == "quarter":
        year, quarter = text_of(part(date, "YEAR"), dialect), text_of(part(date, "QUARTER"), dialect)
        return date.but(_joined(dialect, year, exp.Literal.string("Q"), quarter), "text")
    if unit in _FORMATS:
        return date.but(formatted(date, unit, dialect), "text")
    raise Unwritable(f"bucket {unit}")


def formatted(date: SqlValue, unit: TimeUnit, dialect: str) -> exp.Expr:
    """Return dates as texts in the form of a unit."""
    if dialect not in _FUNCTIONS:
        raise Unwritable("dates")
    form = exp.Literal.string(_FORMATS[unit][dialect])
    made = exp.Anonymous(this=_FUNCTIONS[dialect], expressions=[date.of.copy(), form])
    if dialect == "mysql":
        return exp.Collate(this=made, expression=exp.to_identifier("utf8mb4_nopad_bin"))
    return _c(made) if dialect == "postgres" else made


def bucket_number(date: SqlValue, unit: TimeUnit, dialect: str) -> SqlValue:
    """Return the number of a unit without its year: a month 1-12, a weekday from 0 for Monday."""
    if unit == "weekday":
        return date.but(_weekday(date, dialect), "integer")
    if unit == "week":
        return date.but(part(date, "WEEK"), "integer")
    return date.but(part(date, _NUMBERS.get(unit, "DAY")), "integer")


def part(date: SqlValue, name: str) -> exp.Expr:
    """Return one part of dates as a whole number."""
    if name == "HOUR" and date.kind == "date":
        return exp.Case(
            ifs=[
                exp.If(
                    this=exp.Is(this=date.of.copy(), expression=exp.Not(this=exp.Null())), true=exp.Literal.number(0)
                )
            ]
        )
    made = exp.Extract(this=exp.var(name), expression=date.of.copy())
    return exp.cast(made, exp.DataType.Type.BIGINT)


def constant(text: str, kind: str) -> exp.Expr:
    """Return a date as a literal."""
    form = exp.DataType.Type.DATE if kind == "date" else exp.DataType.Type.TIMESTAMP
    return exp.cast(exp.Literal.string(text), form)


def text_of(value: exp.Expr, dialect: str) -> exp.Expr:
    """Return a whole number as text."""
    made = exp.cast(value, exp.DataType.Type.TEXT)
    return made if dialect != "mysql" else exp.cast(value, exp.DataType.Type.CHAR)


def _weekday(date: SqlValue, dialect: str) -> exp.Expr:
    if dialect == "mysql":
        return exp.Anonymous(this="WEEKDAY", expressions=[date.of.copy()])
    day = part(date, "ISODOW")
    return exp.paren(exp.Sub(this=day, expression=exp.Literal.number(1)))


def _joined(dialect: str, *parts: exp.Expr) -> exp.Expr:
    if dialect == "mysql":
        made: exp.Expr = exp.Concat(expressions=list(parts), safe=False, coalesce=False)
        return exp.Collate(this=made, expression=exp.to_identifier("utf8mb4_nopad_bin"))
    made = parts[0]
    for one in parts[1:]:
        made = exp.DPipe(this=made, expression=one, safe=True)
    return _c(exp.paren(made)) if dialect == "postgres" else made


def _c(of: exp.Expr) -> exp.Expr:
    return exp.Collate(this=of, expression=exp.to_identifier("C", quoted=True))
