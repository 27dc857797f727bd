"""What the texts of a column are: numbers, dates, booleans or words, and in which notation."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import polars as pl

from tablewright.data.files.dates import Dates, digit_dates, pointed_months, written_dates
from tablewright.data.files.numbers import WHOLE, Numbers, every, number_parts, plain_numbers, written_numbers
from tablewright.data.files.tallies import Tally
from tablewright.data.files.yearless import yearless
from tablewright.domain.dataset import ColumnKind
from tablewright.domain.table import Cell

_ENOUGH = 50_000
"""Sample size for deciding whether a column with very many distinct texts holds words or numbers with exceptions."""
_MOST_DIGITS = 15
"""Longer whole numbers tell things apart: what counts them as numbers, a spreadsheet among others, loses their last
digits."""


@dataclass(slots=True, kw_only=True)
class Reading:
    """The interpretation of a column's texts."""

    kind: ColumnKind
    facts: dict[str, Any] = field(default_factory=dict)
    as_text: bool = False


def read_texts(counted: Tally, *, decimal: str | None) -> Reading | None:
    """Interpret texts that are all of one kind, in one notation; None if they are words."""
    if counted.texts.is_empty():
        return Reading(kind="empty")
    texts = counted.texts
    numbers = plain_numbers(texts, decimal=decimal)
    if numbers is not None:
        return _plain_reading(numbers, counted)
    if every(texts, r"^\s*(?i:true|false)\s*$"):
        return Reading(kind="boolean")
    if (dates := written_dates(texts)) is not None:
        return _date_reading(dates)
    if (numbers := written_numbers(texts, decimal=decimal)) is not None:
        # 1 May and 2 May are days, though all have the same word behind a number.
        return None if yearless(texts).all() else _number_reading(numbers, counted)
    return None


def _plain_reading(numbers: Numbers, counted: Tally) -> Reading:
    texts = counted.texts
    if numbers.zero_led or (numbers.whole and _too_long(texts)):
        return Reading(kind="text", as_text=True)
    if len(texts) > 1 and (dates := digit_dates(texts)) is not None:
        return _date_reading(dates)
    if (dates := pointed_months(texts)) is not None:
        return replace(_date_reading(dates), as_text=True)
    return _number_reading(numbers, counted)


def _too_long(texts: pl.Series) -> bool:
    long = texts.filter(texts.str.len_bytes() > _MOST_DIGITS)
    return bool((long.str.strip_chars().str.len_chars() > _MOST_DIGITS).any())


def _number_reading(numbers: Numbers, counted: Tally) -> Reading:
    counts = None if counted.repeated else counted.counts
    facts = number_facts(numbers.values, counts, whole=numbers.whole)
    return Reading(
        kind="integer" if numbers.whole else "number",
        facts={"notation": numbers.notation, "unit": numbers.unit, "distinct": numbers.values.n_unique(), **facts},
    )


def _date_reading(dates: Dates) -> Reading:
    first, last = dates.values.min(), dates.values.max()
    return Reading(
        kind=dates.kind,
        facts={
            "notation": "date_text",
            "date_format": dates.format,
            "distinct": dates.values.n_unique(),
            "minimum": iso_text(first, dates.kind),
            "maximum": iso_text(last, dates.kind),
        },
    )


def read_words(counted: Tally, *, decimal: str | None) -> Reading:
    """Interpret words: with numbers as most of the cells they are `mixed`."""
    if counted.repeated:
        counted = counted.head(_ENOUGH)
    parts = number_parts(counted.texts, decimal=decimal)
    bare = (parts["prefix"] == "") & (parts["suffix"] == "") & parts["value"].is_not_null()
    numeric = counted.where(bare)
    if numeric.total * 2 < counted.total:
        return Reading(kind="text")
    whole = bool(numeric.texts.str.contains(WHOLE).all())
    return Reading(kind="mixed", facts=number_facts(parts["value"].filter(bare), numeric.counts, whole=whole))


def number_facts(values: pl.Series, counts: pl.Series | None, *, whole: bool) -> dict[str, Any]:
    """Return minimum, maximum and mean of numbers, each as often as `counts` says."""
    if values.is_empty():
        return {}
    low, high = values.min(), values.max()
    weighed = values if counts is None else values * counts
    mean = float(weighed.sum()) / (len(values) if counts is None else int(counts.sum()))
    return {
        "minimum": number_cell(low, whole=whole),
        "maximum": number_cell(high, whole=whole),
        "mean": mean,
    }


def number_cell(value: Any, *, whole: bool = False) -> Cell:
    """Return a number as a fact states it: whole ones as int, if they fit."""
    if isinstance(value, int):
        return value
    number = float(value)
    return int(number) if (whole or number.is_integer()) and abs(number) < 2**63 else number


def iso_text(moment: Any, kind: str) -> str:
    """Return a date or time as ISO 8601 text."""
    if kind == "date" and isinstance(moment, datetime):
        return moment.date().isoformat()
    return str(moment.isoformat())
