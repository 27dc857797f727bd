"""Conditions on dates as people say them: `Order Date is in March 2024` rather than its first and last day."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from datetime import date

from tablewright.analyst.plan import Between, Bucket, Compare, Condition, Lit, OneOf
from tablewright.domain.language import Language
from tablewright.domain.table import Cell
from tablewright.texts.catalogue import text

_NAMES = {"month_of_year": ("words.month_{}", range(1, 13)), "weekday": ("report.weekday_{}", range(7))}
"""The units whose numbers have names: the code of a name, and the numbers."""


def named_date(condition: Condition, language: Language) -> tuple[str, str, Bucket | Between] | None:
    """Return the code of the message for a condition on months, weekdays, a whole month or a whole year, the name of
    that time, and what is tested; None for any other condition."""
    match condition:
        case Compare(op="=", left=Bucket() as bucket, right=Lit(value=value)):
            return _of_bucket(bucket, (value,), language)
        case OneOf(of=Bucket() as bucket, values=values):
            return _of_bucket(bucket, values, language)
        case Between(low=str() as low, high=str() as high, high_open=False):
            period = _period(low, high, language)
            return ("words.in_time", period, condition) if period else None
        case _:
            return None


def _of_bucket(bucket: Bucket, values: Sequence[Cell], language: Language) -> tuple[str, str, Bucket] | None:
    code, numbers = _NAMES.get(bucket.unit, ("", range(0)))
    if not values or not all(isinstance(value, int) and value in numbers for value in values):
        return None
    names = [text(code.format(value), language) for value in values]
    said = names[0]
    if len(names) > 1:
        listed = text("words.comma", language).join(names[:-1])
        said = text("words.or", language, first=listed, last=names[-1])
    return "words.on_day" if bucket.unit == "weekday" else "words.in_time", said, bucket


def _period(low: str, high: str, language: Language) -> str | None:
    """Return the name of the month or year that begins and ends on these days."""
    try:
        first, last = date.fromisoformat(low), date.fromisoformat(high)
    except ValueError:
        return None
    if first.year != last.year or first.day != 1:
        return None
    if (first.month, last.month, last.day) == (1, 12, 31):
        return text("words.year", language, year=first.year)
    if first.month != last.month or last.day != monthrange(first.year, first.month)[1]:
        return None
    month = text(f"words.month_{first.month}", language)
    return text("words.month_and_year", language, month=month, year=first.year)
