"""What a constant of a plan says of dates and times: a year, a month, a day, a moment or a time of day."""

from __future__ import annotations

import re

from tablewright.domain.table import Cell

_YEAR = re.compile(r"\d{4}")
_MONTH = re.compile(r"(\d{4})-(\d{1,2})")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_CLOCK = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d))?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ][\d:.]+)?")


def year_of(value: Cell) -> int | None:
    """Return the year that a number or a text of four digits is, else None."""
    if isinstance(value, int | float) or (isinstance(value, str) and _YEAR.fullmatch(value.strip())):
        return int(float(value))
    return None


def month_of(text: str) -> str | None:
    """Return the month that a text is, as `2024-03`, else None."""
    month = _MONTH.fullmatch(text)
    return None if month is None else f"{month[1]}-{int(month[2]):02}"


def is_day(text: str) -> bool:
    """Return whether a text is written as a day, `2024-03-09`."""
    return _DAY.fullmatch(text) is not None


def is_date(text: str) -> bool:
    """Return whether a text is written as a day, with or without a time."""
    return _DATE.fullmatch(text) is not None


def seconds_of(text: str) -> int | None:
    """Return the seconds of a time of day or a duration, as `7:30` or `07:30:15`, else None."""
    clock = _CLOCK.fullmatch(text.strip())
    if clock is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in clock.groups())
    return hours * 3600 + minutes * 60 + seconds
