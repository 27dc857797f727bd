"""Dates truncated to a unit of time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

from tablewright.analyst.evaluating.moments import DAY, in_days
from tablewright.analyst.evaluating.vectors import Values, Vector, floated
from tablewright.analyst.plan import TimeUnit
from tablewright.analyst.writing.buckets import WEEKDAYS
from tablewright.domain.dataset import ColumnKind
from tablewright.domain.language import Language


def _week(moment: datetime) -> str:
    year, week, _ = moment.isocalendar()
    return f"{year:04}-W{week:02}"


_UNITS: dict[TimeUnit, tuple[Callable[[datetime], Any], ColumnKind]] = {
    "year": (lambda moment: moment.year, "integer"),
    "quarter": (lambda moment: f"{moment.year}Q{(moment.month + 2) // 3}", "text"),
    "month": (lambda moment: f"{moment.year:04}-{moment.month:02}", "text"),
    "week": (_week, "text"),
    "day": (lambda moment: moment.date().isoformat(), "text"),
    "year_month_day": (lambda moment: moment.date().isoformat(), "text"),
    "month_of_year": (lambda moment: moment.month, "integer"),
    "day_of_month": (lambda moment: moment.day, "integer"),
}
_NUMBERS: dict[TimeUnit, Callable[[datetime], int]] = {
    "weekday": lambda moment: moment.weekday(),
    "month": lambda moment: moment.month,
    "month_of_year": lambda moment: moment.month,
    "quarter": lambda moment: (moment.month + 2) // 3,
    "year": lambda moment: moment.year,
    "week": lambda moment: moment.isocalendar()[1],
}


def bucket(dates: Vector, unit: TimeUnit, language: Language) -> Vector:
    """Return dates as a year, `2024Q1`, `2024-05`, `2024-W07`, `2024-05-01`, an hour 0-23, a weekday's name, a month
    1-12 or a day of the month. Weekdays have the order of the week."""
    if unit == "hour":
        return dates.but(hours(dates.values), "integer")
    if unit == "weekday":
        names = WEEKDAYS[language]
        order = {name: place for place, name in enumerate(names)}
        return replace(dates.but(in_days(dates.values, lambda day: names[day.weekday()]), "text"), order=order)
    make, kind = _UNITS[unit]
    return dates.but(floated(in_days(dates.values, make)), kind)


def bucket_numbers(dates: Vector, unit: TimeUnit) -> Vector:
    """Return the number of each date within its unit, without the year where the unit has one."""
    if unit == "hour":
        return dates.but(hours(dates.values), "integer")
    return dates.but(floated(in_days(dates.values, _NUMBERS.get(unit, lambda day: day.day))), "integer")


def hours(values: Values) -> Values:
    """Return the hour of each date."""
    return floated([None if value is None else value % DAY // 3_600_000_000 for value in values])
