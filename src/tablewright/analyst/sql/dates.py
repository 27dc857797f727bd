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
_PLACES = {"YEAR": (1, 4), "MONTH": (6, 2), "DAY": (9, 2), "HOUR": (12, 2)}
"""Where a part begins in a date as text, and its length."""
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
        return date.but(part(date, _PARTS[unit], dialect), "integer")
    if unit == "quarter":
        year, quarter = text_of(part(date, "YEAR", dialect), dialect), text_of(part(date, "QUARTER", dialect), dialect)
        return date.but(_joined(dialect, year, exp.Literal.string("Q"), quarter), "text")
    if unit in _FORMATS:
        return date.but(formatted(date, unit, dialect), "text")
    raise Unwritable(f"bucket {unit}")


def formatted(date: SqlValue, unit: TimeUnit, dialect: str) -> exp.Expr:
    """Return dates as texts in the form of a unit."""
    if dialect == "sqlite":
        if unit == "week":
            raise Unwritable("weeks")
        return _cut(date, 1, 7 if unit == "month" else 10)
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
        return date.but(part(date, "WEEK", dialect), "integer")
    return date.but(part(date, _NUMBERS.get(unit, "DAY"), dialect), "integer")


def part(date: SqlValue, name: str, dialect: str) -> exp.Expr:
    """Return one part of dates as a whole number."""
    if dialect == "sqlite":
        return _part_of_text(date, name)
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


def _part_of_text(date: SqlValue, name: str) -> exp.Expr:
    """Return one part of dates in SQLite, where they are texts in the form of ISO 8601."""
    if name == "QUARTER":
        later = exp.paren(exp.Add(this=_part_of_text(date, "MONTH"), expression=exp.Literal.number(2)))
        return exp.cast(exp.Div(this=later, expression=exp.Literal.number(3), typed=True), exp.DataType.Type.BIGINT)
    if name == "HOUR" and date.kind == "date":
        there = exp.Not(this=exp.Is(this=date.of.copy(), expression=exp.Null()))
        return exp.Case(ifs=[exp.If(this=there, true=exp.Literal.number(0))])
    if name not in _PLACES:
        raise Unwritable("weeks")
    return exp.cast(_cut(date, *_PLACES[name]), exp.DataType.Type.BIGINT)


def day_of(date: SqlValue, dialect: str) -> exp.Expr:
    """Return moments as days."""
    return _cut(date, 1, 10) if dialect == "sqlite" else exp.cast(date.of.copy(), exp.DataType.Type.DATE)


def moment_of(date: SqlValue, dialect: str) -> exp.Expr:
    """Return dates as moments."""
    if date.kind != "date":
        return date.of.copy()
    if dialect == "sqlite":
        return exp.DPipe(this=date.of.copy(), expression=exp.Literal.string(" 00:00:00"), safe=True)
    return exp.cast(date.of.copy(), exp.DataType.Type.TIMESTAMP)


def _cut(date: SqlValue, first: int, count: int) -> exp.Expr:
    places = exp.Literal.number(first), exp.Literal.number(count)
    return exp.Substring(this=date.of.copy(), start=places[0], length=places[1])


def constant(text: str, kind: str, dialect: str) -> exp.Expr:
    """Return a date as a literal."""
    if dialect == "sqlite":
        whole = text if kind == "date" else f"{text} 00:00:00"[:19] if len(text) < 19 and ":" not in text else text
        return exp.Literal.string(whole if len(whole) != 16 else f"{whole}:00")
    form = exp.DataType.Type.DATE if kind == "date" else exp.DataType.Type.TIMESTAMP
    return exp.cast(exp.Literal.string(text), form)


def text_of(value: exp.Expr, dialect: str) -> exp.Expr:
    """Return a whole number as text."""
    made = exp.cast(value, exp.DataType.Type.TEXT)
    return made if dialect != "mysql" else exp.cast(value, exp.DataType.Type.CHAR)


def _weekday(date: SqlValue, dialect: str) -> exp.Expr:
    if dialect == "mysql":
        return exp.Anonymous(this="WEEKDAY", expressions=[date.of.copy()])
    if dialect == "sqlite":
        raise Unwritable("weekdays")
    day = part(date, "ISODOW", dialect)
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
