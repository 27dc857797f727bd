"""Dates as microseconds since 1970: reading them from text, and truncating them to units of time."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from tablewright.analyst.evaluating.vectors import Values

DAY = 86_400_000_000


class Moment(int):
    """A date in a table: microseconds since 1970. Arithmetic on it gives a plain number."""

    __slots__ = ()


_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001  # a table's moments have no zone
_FIELDS = {
    "%Y": r"(?P<Y>\d{4})", "%y": r"(?P<y>\d\d)", "%m": r"(?P<m>1[0-2]|0[1-9]|[1-9])",
    "%d": r"(?P<d>3[01]|[12]\d|0[1-9]|[1-9])", "%H": r"(?P<H>2[0-3]|[01]\d|\d)", "%M": r"(?P<M>[0-5]\d|\d)",
    "%S": r"(?P<S>[0-5]\d|\d)", "%f": r"(?P<f>\d{1,6})",
}  # fmt: skip
_ISO = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?)?Z?")
_DIGITS = frozenset({"%Y%m%d", "%Y%m%d%H%M%S"})
"""Forms in which a file may hold dates as numbers."""
_ANY = (
    "%Y", "%Y%m%d", "%Y/%m/%d", "%Y/%m/%d %H:%M:%S", "%Y/%m/%d %H:%M", "%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y.%m.%d",
    "%Y-%m-%d %H:%M", "%m/%d/%Y", "%d/%m/%Y", "%m/%d/%Y %H:%M:%S", "%m/%d/%Y %H:%M", "%m-%d-%Y", "%d-%m-%Y", "%m/%d/%y",
    "%m.%d.%Y", "%d.%m.%Y", "%b %d, %Y", "%B %d, %Y", "%d %b %Y", "%d %B %Y", "%d-%b-%Y", "%d-%b-%y", "%b %Y", "%B %Y",
    "%Y%m%d%H%M%S",
)  # fmt: skip


def micros(at: datetime) -> int:
    """Return a moment as microseconds since 1970."""
    if at.tzinfo is not None:
        at = at.astimezone(UTC).replace(tzinfo=None)
    passed = at - _EPOCH
    return (passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds


def moment(value: float | None) -> Moment | None:
    """Return microseconds since 1970 as a date."""
    return None if value is None else Moment(value)


def moment_of(value: int) -> datetime:
    """Return the moment that is `value` microseconds after 1970."""
    return _EPOCH + timedelta(microseconds=value)


def iso_micros(text: str) -> int | None:
    """Return a day or moment in ISO form; None if it is not in that form."""
    found = _ISO.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second, part = found.groups()
    try:
        found_at = datetime(  # noqa: DTZ001
            int(year), int(month), int(day or 1), int(hour or 0), int(minute or 0), int(second or 0)
        )
    except ValueError:
        return None
    return micros(found_at) + (int(part[:6].ljust(6, "0")) if part else 0)


@lru_cache(maxsize=256)
def reader(form: str) -> Callable[[str], int | None]:
    """Return a function that reads texts in `form` (as strptime; empty: in any of the usual ones); None for others."""
    if not form:
        return _in_any
    pattern = _pattern(form)
    if pattern is None:
        return lambda text: _parsed(text, form)

    def read(text: str) -> int | None:
        found = pattern.fullmatch(text)
        return None if found is None else _built(found.groupdict())

    return read


def _pattern(form: str) -> re.Pattern[str] | None:
    """Return the pattern of a form that consists of numbers only."""
    parts = re.split(r"(%.)", form)
    fields = [part for part in parts if part.startswith("%")]
    if any(part not in _FIELDS for part in fields) or len(set(fields)) < len(fields) or "%Y" not in fields:
        return None
    written = (_FIELDS.get(part) or re.sub(r"(?:\\ )+|\s+", r"\\s+", re.escape(part)) for part in parts)
    return re.compile("".join(written))


def _built(found: dict[str, str | None]) -> int | None:
    def number(name: str, otherwise: int) -> int:
        text = found.get(name)
        return otherwise if text is None else int(text)

    try:
        built = datetime(  # noqa: DTZ001
            number("Y", 1900), number("m", 1), number("d", 1), number("H", 0), number("M", 0), number("S", 0)
        )
    except ValueError:
        return None
    return micros(built) + int((found.get("f") or "").ljust(6, "0") or 0)


def _parsed(text: str, form: str) -> int | None:
    try:
        return micros(datetime.strptime(text, form))  # noqa: DTZ007
    except (ValueError, OverflowError):
        return None


def _in_any(text: str) -> int | None:
    text = text.strip()
    found = iso_micros(text)
    if found is not None:
        return found
    return next((value for form in _ANY if (value := reader(form)(text)) is not None), None)


def dates_of(values: Values, form: str) -> Values:
    """Return texts as dates; what is not written in `form` is missing."""
    read = reader(form)
    known: dict[Any, Moment | None] = {}
    for value in set(values):
        text = str(int(value)) if form in _DIGITS and isinstance(value, int | float) else value
        known[value] = moment(read(text)) if isinstance(text, str) else None
    return [known[value] for value in values]


def seconds_of(values: Values, form: str | None) -> Values:
    """Return times of day, or durations if there is no form, as seconds."""
    read = _duration if not form else lambda text: _time_of_day(text, form)
    known = {value: read(value) if isinstance(value, str) else None for value in set(values)}
    return [known[value] for value in values]


_DURATION = re.compile(r"(-)?(?:(\d+) days?,? *)?(?:(\d+):(\d{1,2})(?::(\d{1,2}(?:\.\d+)?))?)?")


def _duration(text: str) -> float | None:
    found = _DURATION.fullmatch(text.strip())
    if found is None or not any(found.groups()) or (found[3] and found[5] is None):
        return None
    seconds = int(found[2] or 0) * 86_400 + int(found[3] or 0) * 3600 + int(found[4] or 0) * 60 + float(found[5] or 0)
    return -seconds if found[1] else seconds


def _time_of_day(text: str, form: str) -> float | None:
    try:
        read = datetime.strptime(text, form)  # noqa: DTZ007
    except ValueError:
        return None
    return (read - datetime(1900, 1, 1)).total_seconds()  # noqa: DTZ001


def written(value: int, *, day: bool) -> str:
    """Return a date as ISO text."""
    found = moment_of(value)
    return found.date().isoformat() if day else found.isoformat()


def whole_days(values: Values) -> bool:
    """Return whether all dates are at midnight."""
    return not any(value is not None and value % DAY for value in values)


def in_days(values: Values, make: Callable[[datetime], Any]) -> Values:
    """Return what `make` gives for the day of each date."""
    days = [None if value is None else value // DAY for value in values]
    known = {day: None if day is None else make(_EPOCH + timedelta(days=day)) for day in set(days)}
    return [known[day] for day in days]
