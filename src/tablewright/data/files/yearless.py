"""Dates without a year beside dates of one year, in which they are meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

import polars as pl

from tablewright.data.files.dates import dates_as, notation_counts, text_pattern, with_weekdays
from tablewright.data.files.tallies import Tally
from tablewright.domain.cleaning import dated_form

_NAMED = ("%m月%d日", "%m月%d号", "%b %d", "%B %d", "%d %b", "%d %B", "%d-%b", "%d-%B")
_MONTH_FIRST = ("%m/%d", "%m-%d", "%m.%d")
_DAY_FIRST = ("%d/%m", "%d-%m", "%d.%m")
_TIMES = ("", " %H:%M", " %H:%M:%S")
_DAYS = 365


@dataclass(frozen=True, slots=True, kw_only=True)
class DatesOfOneYear:
    """A column's texts as days of `year`. `values` is aligned with the given texts; `formats` are those of dates with a
    year, then those of dates without."""

    values: pl.Series
    formats: tuple[str, ...]
    year: int


def yearless(texts: pl.Series) -> pl.Series:
    """Return which texts are written like dates without a year."""
    return texts.str.strip_chars().str.contains(_written())


def dates_of_one_year(counted: Tally, moments: Sequence[datetime] = ()) -> DatesOfOneYear | None:
    """Parse texts that are all dates, some of them without a year, beside `moments`, cells that are dates themselves.

    None if the dates with a year are not all of one year, if it is not plain which number is the month, or if a date
    without a year is nearer to the others in the year before or after.
    """
    bare = yearless(counted.texts)
    dated, left = counted.where(~bare), counted.where(bare)
    formats = tuple(notation_counts(dated.texts, dated.counts))
    values = dates_as(dated.texts, formats)
    if not left.total or (dated.total and values is None):
        return None
    known = [*moments, *(() if values is None else values)]
    if not known or min(known).year != max(known).year:
        return None
    year = min(known).year
    found = _completed(left, year, formats, cells=dated.total + len(moments))
    if found is None or not _nearest(found.values, min(known), max(known)):
        return None
    every = pl.repeat(None, len(bare), dtype=pl.Datetime("us"), eager=True)
    if values is not None:
        every = every.scatter((~bare).arg_true(), values)
    every = every.scatter(bare.arg_true(), found.values)
    return DatesOfOneYear(values=every, formats=(*(formats or ("%Y-%m-%d",)), *found.formats), year=year)


def _completed(left: Tally, year: int, formats: Sequence[str], *, cells: int) -> DatesOfOneYear | None:
    """Parse dates without a year beside `cells` dates in `formats`; numbers alone are dates among at least as many."""
    if left.where(~left.texts.str.contains(r"[^\d\s/.:-]")).total > cells:
        return None
    texts = f"{year} " + left.texts.str.strip_chars()
    read = [_in_order(texts, left.counts, order, year) for order in _orders(formats, "%m")]
    fitting = [one for one in read if one is not None]
    if len({one.formats for one in fitting}) > 1:
        named = _orders(formats, "%b", "%B")
        fitting = [
            one for one, order in zip(read, (_MONTH_FIRST, _DAY_FIRST), strict=True) if one and named == (order,)
        ]
    return fitting[0] if fitting else None


def _orders(formats: Sequence[str], *months: str) -> tuple[tuple[str, ...], ...]:
    """Return the formats of day and month as numbers in each order that `formats` with such months leave open; those
    without numbers alone where they have both."""
    found = {
        form.index("%d") < form.index(month) for form in formats for month in months if {"%d", month} <= _codes(form)
    }
    orders = ((False, _MONTH_FIRST), (True, _DAY_FIRST))
    return tuple(order for day_first, order in orders if found <= {day_first}) or ((),)


def _codes(form: str) -> set[str]:
    return set(re.findall("%.", form))


def _in_order(texts: pl.Series, counts: pl.Series, order: Sequence[str], year: int) -> DatesOfOneYear | None:
    days = (*_NAMED, *order)
    forms = [dated_form(form) for form in (*(f"{day}{time}" for day in days for time in _TIMES), *with_weekdays(days))]
    formats = tuple(notation_counts(texts, counts, forms))
    values = dates_as(texts, formats)
    if values is None:
        return None
    bare = tuple(form.removeprefix(dated_form("")) for form in formats)
    return DatesOfOneYear(values=values, formats=bare, year=year)


def _nearest(values: pl.Series, first: datetime, last: datetime) -> bool:
    """Return whether all days are at least as near to those from `first` to `last` as in the year before or after."""
    before = pl.Series([(first - value).days for value in values])
    after = pl.Series([(value - last).days for value in values])
    return bool(((before <= after + _DAYS) & (after <= before + _DAYS)).all())


@cache
def _written() -> str:
    days = (*_NAMED, *_MONTH_FIRST, *_DAY_FIRST)
    forms = [*(f"{day}{time}" for day in days for time in _TIMES), *with_weekdays(days)]
    return "|".join(dict.fromkeys(text_pattern(form) for form in forms))
