"""Dates and times in texts: one `strptime` format for a whole column, or none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import polars as pl

from tablewright.data.files.numbers import every

DateKind = Literal["date", "datetime", "time"]

_DATES = (
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y年%m月%d日", "%Y年%m月", "%Y-%m", "%Y/%m",
    "%m/%d/%Y", "%d/%m/%Y", "%d-%m-%Y", "%m-%d-%Y", "%d.%m.%Y", "%m/%d/%y", "%d/%m/%y", "%d.%m.%y",
    "%d %B %Y", "%d %b %Y", "%d-%b-%Y", "%d-%B-%Y", "%d-%b-%y", "%d/%b/%Y", "%B %d, %Y", "%b %d, %Y", "%B %d %Y",
    "%b %d %Y", "%B %Y", "%b %Y", "%B, %Y", "%b-%Y", "%b-%y", "%A, %B %d, %Y", "%A %d %B %Y",
)  # fmt: skip
_TIMES = ("%H:%M", "%H:%M:%S", "%H:%M:%S.%f", "%I:%M %p", "%I:%M:%S %p", "%I:%M%p")
_ZONED = ("%H:%M:%S%z", "%H:%M:%S.%f%z", "%H:%M%z", "%H:%M:%S %z")
_FEW = 20
_NOTATIONS = 4
"""A column of texts with more notations of dates than these is one of words."""
_POINTED = 5
"""So many different numbers have decimals from .01 to .12 only because these are months."""
_SOME_DATE = re.compile(r"\d.*\d")
_DIGIT_DATES = ("%Y%m%d", "%Y%m%d%H%M%S")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WEEKDAY = re.compile("|".join(name[:3] for name in _WEEKDAYS), re.IGNORECASE)
_PATTERNS = {
    "%Y": r"[12]\d{3}", "%m": r"\d{1,2}", "%d": r"\d{1,2}", "%y": r"\d{2}",
    "%b": f"(?i:{'|'.join(name[:3] for name in _MONTHS)})",
    "%B": f"(?i:{'|'.join(_MONTHS)})", "%A": f"(?i:{'|'.join(_WEEKDAYS)})",
    "%a": f"(?i:{'|'.join(name[:3] for name in _WEEKDAYS)})", "%H": r"\d{1,2}", "%I": r"\d{1,2}",
    "%M": r"\d{2}", "%S": r"\d{2}",
    "%f": r"\d{1,9}", "%p": "[AaPp][Mm]", "%z": r"(?:Z|[+-]\d{2}:?\d{2})",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """A column's texts as dates or times. `values` (Datetime, or Time for `time`) is aligned with the given texts."""

    values: pl.Series
    kind: DateKind
    format: str


def written_dates(texts: pl.Series) -> Dates | None:
    """Parse texts that all follow one date format; None if no format fits all of them.

    If day and month are ambiguous, the interpretation that makes the column sorted wins; failing that, the month comes
    first, as in pandas.
    """
    candidates = _candidates(texts.head(_FEW).str.strip_chars())
    if not candidates:
        return None
    stripped = texts.str.strip_chars()
    fitting = [found for form in candidates if (found := _read(stripped, form)) is not None]
    if not fitting:
        return None
    return next((found for found in fitting if _ordered(found.values)), fitting[0])


def digit_dates(texts: pl.Series) -> Dates | None:
    """Parse texts such as 20210203 or 20210203101500, for years 1900 to 2099."""
    if not every(texts, r"^\s*(?:19|20)\d{6}(?:\d{6})?\s*$"):
        return None
    stripped = texts.str.strip_chars()
    return next((found for form in _DIGIT_DATES if (found := _read(stripped, form)) is not None), None)


def pointed_months(texts: pl.Series) -> Dates | None:
    """Parse texts such as 1980.05 and 1990.10, for years 1900 to 2099, if there are enough to be no mere numbers."""
    if len(texts) < _POINTED or not every(texts, r"^\s*(?:19|20)\d\d\.(?:0[1-9]|1[0-2])\s*$"):
        return None
    return _read(texts.str.strip_chars(), "%Y.%m")


@cache
def _compiled(form: str) -> re.Pattern[str]:
    """Return a format's pattern for single texts: there are more of them than the standard library keeps compiled."""
    return re.compile(text_pattern(form))


@cache
def text_pattern(form: str) -> str:
    """Return the regular expression of texts that are written in a format."""
    pieces = re.split(r"(%[A-Za-z])", form)
    return "^" + "".join(_PATTERNS.get(piece) or re.escape(piece).replace(r"\ ", r"\s+") for piece in pieces) + "$"


@cache
def _beginning(form: str) -> re.Pattern[str]:
    """Return the pattern of texts that begin with a format."""
    return re.compile(text_pattern(form).removesuffix("$"))


def _stamped(date: str) -> list[str]:
    return [f"{date}{gap}{time}" for gap in (" ", "T") for time in (*_TIMES, *_ZONED)]


@cache
def _weekday_formats() -> tuple[str, ...]:
    return with_weekdays(date for date in _DATES if "%d" in date)


def with_weekdays(dates: Iterable[str]) -> tuple[str, ...]:
    """Return formats with the name of the weekday before or behind the date."""
    ways = [(date, day) for date in dates if "%A" not in date for day in ("%a", "%A")]
    return tuple(
        form
        for date, day in ways
        for form in (f"{day} {date}", f"{day}, {date}", f"{date} {day}", f"{date}, {day}", f"{date} ({day})")
    )


def _candidates(texts: pl.Series, forms: Sequence[str] | None = None) -> list[str]:
    """Return the formats, of all or of `forms`, that all texts have. Few texts begin with a date, and patterns are slow
    to make: those of a date with a time are only made for texts that begin with that date."""
    head = [text for text in texts if text is not None]
    if forms is None:
        begun = [date for date in _DATES if "%d" in date and all(map(_beginning(date).match, head))]
        weekdays = _weekday_formats() if head and _WEEKDAY.search(head[0]) else ()
        forms = [*_DATES, *_TIMES, *(form for date in begun for form in _stamped(date)), *weekdays]
    return [form for form in forms if all(map(_compiled(form).match, head))]


def _read(texts: pl.Series, form: str) -> Dates | None:
    if not every(texts, text_pattern(form)):
        return None
    has_date, has_time = "%y" in form.lower(), ("%H" in form or "%I" in form)
    if not has_date:
        times = ("2000-01-01 " + texts).str.strptime(pl.Datetime("us"), f"%Y-%m-%d {_chrono(form)}", strict=False)
        return None if times.null_count() else Dates(values=times.dt.time(), kind="time", format=form)
    source, chrono = (texts, _chrono(form)) if "%d" in form else (texts + " 1", f"{_chrono(form)} %d")
    values = source.str.strptime(pl.Datetime("us"), chrono, strict=False)
    if values.null_count():
        return None
    if "%z" in form:
        values = values.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    return Dates(values=values, kind="datetime" if has_time else "date", format=form)


def _chrono(form: str) -> str:
    return form.replace("%z", "%#z").replace(".%f", "%.f")


def _ordered(values: pl.Series) -> bool:
    return values.is_sorted() or values.is_sorted(descending=True)


def notation_counts(texts: pl.Series, counts: pl.Series, forms: Sequence[str] | None = None) -> dict[str, int]:
    """Return the formats in which distinct `texts` are all written as dates, with the cells of each, if they are few.

    `forms` are the formats that are looked for, the usual ones by default. The most frequent comes first. Empty if some
    text is no date. Where a text fits several formats, that which fits most of the others is taken.
    """
    stripped = texts.str.strip_chars()
    if not all(map(_SOME_DATE.search, stripped.head(_FEW))):
        return {}
    left = pl.DataFrame({"text": stripped, "count": counts})
    found: dict[str, int] = {}
    while left.height and len(found) < _NOTATIONS:
        seen = dict.fromkeys(form for text in left["text"].head(_FEW) for form in _candidates(pl.Series([text]), forms))
        fits = {form: left["text"].str.contains(text_pattern(form)) for form in seen}
        often = sorted(seen, key=lambda form: -int(left["count"].filter(fits[form]).sum()))
        best = next((form for form in often if _read(left["text"].filter(fits[form]), form) is not None), None)
        if best is None:
            return {}
        found[best] = int(left["count"].filter(fits[best]).sum())
        left = left.filter(~fits[best])
    return {} if left.height else dict(sorted(found.items(), key=lambda entry: -entry[1]))


def dates_as(texts: pl.Series, formats: Sequence[str]) -> pl.Series | None:
    """Parse texts each of which is a day in one of `formats`, the first that fits.

    None if some text fits none, if there are no formats, or if they leave open which number is the month.
    """
    if not formats or any("%y" not in form.lower() for form in formats) or _ambiguous(formats):
        return None
    stripped = texts.str.strip_chars()
    values = pl.repeat(None, len(stripped), dtype=pl.Datetime("us"), eager=True)
    for form in formats:
        fits = stripped.str.contains(text_pattern(form)) & values.is_null()
        read = _read(stripped.filter(fits), form)
        if read is not None:
            values = values.scatter(fits.arg_true(), read.values.cast(pl.Datetime("us")))
    return None if values.null_count() else values


def _ambiguous(formats: Sequence[str]) -> bool:
    """Return whether two formats differ only in the order of day and month, written as numbers."""
    return len({form.replace("%d", "%m") for form in formats}) < len(formats)
