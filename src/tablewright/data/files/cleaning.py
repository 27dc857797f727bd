"""What a column of words holds once the marks among its numbers or dates, and their several notations, are cleaned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time
from typing import Any

import polars as pl

from tablewright.data.files.dates import dates_as, notation_counts
from tablewright.data.files.limits import bare, measured
from tablewright.data.files.numbers import unit_beside_bare
from tablewright.data.files.readings import iso_text, number_facts, read_texts
from tablewright.data.files.scaled import scaled_numbers
from tablewright.data.files.span_words import names_span
from tablewright.data.files.spans import span_numbers
from tablewright.data.files.tallies import DISTINCT_LIMIT, Tally, tally
from tablewright.data.files.yearless import dates_of_one_year, yearless
from tablewright.domain.dataset import CleanFacts, ColumnKind
from tablewright.domain.loading import WEEKDAYS

MOST_MARKS = 5
"""A column with more different words among its numbers or dates is one of words."""
MOST_INSTEAD, ENOUGH = 2, 10
"""So few different words may stand in most cells, in place of a number: `none detected`, if so many cells have one."""
LONGEST_MARK = 100
_DIGIT = r"\d"
_VALUES = frozenset({"number", "integer", "date", "datetime"})


def clean_texts(counted: Tally, *, decimal: str | None, name: str = "") -> CleanFacts | None:
    """Return what texts of several kinds or notations hold beside a few marks; None if they are words.

    A mark is a text without a digit. `name` is that of the column.
    """
    if counted.repeated or len(counted.texts) > DISTINCT_LIMIT:
        return None
    digits = counted.texts.str.contains(_DIGIT)
    if not digits.any():
        return None
    marks, rest = counted.where(~digits), counted.where(digits)
    if not _few(marks, counted.total):
        return None
    found = _one_notation(rest, decimal) or _dates(rest) or _yearless(rest) or _with_weekdays(rest)
    found = found or _spans(rest, marks, name) or _numbers(rest, decimal) or _scaled(rest, decimal)
    found = found or _limited(rest, decimal)
    return None if found is None else _with_marks(found, marks)


def clean_moments(cells: Sequence[Any]) -> CleanFacts | None:
    """Return what the dates of a workbook hold, some of which are texts; None if more than a few are no dates."""
    moments = [_moment(cell) for cell in cells if isinstance(cell, date)]
    counted = tally(pl.Series([cell for cell in cells if isinstance(cell, str)], dtype=pl.String))
    if counted.repeated:
        return None
    digits = counted.texts.str.contains(_DIGIT)
    marks, rest = counted.where(~digits), counted.where(digits)
    if not _few(marks, len(cells)):
        return None
    written = (_dates(rest) or _yearless(rest, moments)) if rest.total else None
    if rest.total and written is None:
        return None
    if written is not None:
        moments += [datetime.fromisoformat(str(end)) for end in (written.minimum, written.maximum)]
    timed = any(moment.time() != time() for moment in moments) or (written is not None and written.kind == "datetime")
    kind: ColumnKind = "datetime" if timed else "date"
    found = CleanFacts(
        kind=kind,
        notation="date_text",
        date_formats=("%Y-%m-%d",) if written is None else written.date_formats,
        year=None if written is None else written.year,
        minimum=iso_text(min(moments), kind),
        maximum=iso_text(max(moments), kind),
    )
    return _with_marks(found, marks)


def _moment(cell: date) -> datetime:
    return cell if isinstance(cell, datetime) else datetime.combine(cell, time())


def _few(marks: Tally, cells: int) -> bool:
    long = (marks.texts.str.len_chars() > LONGEST_MARK).any()
    rare = len(marks.texts) <= MOST_MARKS and marks.total * 2 <= cells
    instead = len(marks.texts) <= MOST_INSTEAD and cells - marks.total >= ENOUGH
    return (rare or instead) and not long


def _with_marks(found: CleanFacts, marks: Tally) -> CleanFacts:
    often = marks.texts.gather(marks.counts.arg_sort(descending=True))
    return replace(found, marks=tuple(often), marked=marks.total)


def _one_notation(rest: Tally, decimal: str | None) -> CleanFacts | None:
    reading = read_texts(rest, decimal=decimal)
    if reading is None or reading.kind not in _VALUES:
        return None
    facts = dict(reading.facts)
    form = facts.pop("date_format", None)
    if facts["notation"] == "plain":
        facts["notation"] = "thousands"
    return CleanFacts(kind=reading.kind, date_formats=(form,) if form else (), **facts)


def _dates(rest: Tally) -> CleanFacts | None:
    formats = tuple(notation_counts(rest.texts, rest.counts))
    values = dates_as(rest.texts, formats)
    return None if values is None else _dated(values, formats)


def _yearless(rest: Tally, moments: Sequence[datetime] = ()) -> CleanFacts | None:
    """Return what dates hold some of which have no year, beside `moments`, cells that are dates by themselves."""
    found = dates_of_one_year(rest, moments)
    return None if found is None else replace(_dated(found.values, found.formats), year=found.year)


def _with_weekdays(rest: Tally) -> CleanFacts | None:
    """Return what dates hold some of which have the Chinese name of their weekday behind them."""
    named = rest.texts.str.contains(WEEKDAYS)
    if not named.any():
        return None
    bare = Tally(texts=rest.texts.str.replace_all(WEEKDAYS, ""), counts=rest.counts)
    found = _dates(bare) or _yearless(bare)
    return None if found is None else replace(found, weekdays=True)


def _dated(values: pl.Series, formats: tuple[str, ...]) -> CleanFacts:
    kind: ColumnKind = "datetime" if any("%H" in form or "%I" in form for form in formats) else "date"
    return CleanFacts(
        kind=kind,
        notation="date_text",
        date_formats=formats,
        distinct=values.n_unique(),
        minimum=iso_text(values.min(), kind),
        maximum=iso_text(values.max(), kind),
    )


def _numbers(rest: Tally, decimal: str | None) -> CleanFacts | None:
    numbers = unit_beside_bare(rest.texts, decimal=decimal)
    if numbers is None or yearless(rest.texts).all():
        return None
    return CleanFacts(
        kind="integer" if numbers.whole else "number",
        notation=numbers.notation,
        unit=numbers.unit,
        units=numbers.units,
        distinct=numbers.values.n_unique(),
        **number_facts(numbers.values, rest.counts, whole=numbers.whole),
    )


def _limited(rest: Tally, decimal: str | None) -> CleanFacts | None:
    """Return what numbers hold some of which are only known to lie below or above a limit; that one counts."""
    if not measured(rest):
        return None
    known = Tally(texts=bare(rest.texts), counts=rest.counts)
    found = _one_notation(known, decimal) or _numbers(known, decimal) or _scaled(known, decimal)
    return replace(found, limits=True) if found is not None and found.kind in {"number", "integer"} else None


def _spans(rest: Tally, marks: Tally, name: str) -> CleanFacts | None:
    numbers = None if any(map(names_span, marks.texts)) else span_numbers(rest, name)
    if numbers is None:
        return None
    whole = bool((numbers.values == numbers.values.floor()).all())
    return CleanFacts(
        kind="integer" if whole else "number",
        notation="unit",
        unit=numbers.unit,
        units=numbers.units,
        spans=numbers.spans,
        distinct=numbers.values.n_unique(),
        **number_facts(numbers.values, rest.counts, whole=whole),
    )


def _scaled(rest: Tally, decimal: str | None) -> CleanFacts | None:
    numbers = scaled_numbers(rest.texts, decimal=decimal)
    if numbers is None:
        return None
    whole = bool((numbers.values == numbers.values.floor()).all())
    return CleanFacts(
        kind="integer" if whole else "number",
        notation=numbers.notation,
        unit=numbers.unit,
        units=numbers.units,
        powers=numbers.powers,
        distinct=numbers.values.n_unique(),
        **number_facts(numbers.values, rest.counts, whole=whole),
    )
