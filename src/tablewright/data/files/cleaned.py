"""The values of a column of words once it is cleaned, as `cleaning` found them."""

from __future__ import annotations

import polars as pl

from tablewright.data.files.dates import dates_as, digit_dates, written_dates
from tablewright.data.files.limits import bare
from tablewright.data.files.numbers import plain_numbers, unit_beside_bare, written_numbers
from tablewright.data.files.scaled import scaled_numbers
from tablewright.data.files.tallies import tally
from tablewright.data.files.yearless import dates_of_one_year
from tablewright.domain.dataset import CleanFacts, ColumnFacts
from tablewright.domain.loading import WEEKDAYS
from tablewright.domain.spans import span_number

EXACT = 2**53
"""Whole numbers from here on are not told apart as floats."""


def values_of(texts: pl.Series, column: ColumnFacts, *, decimal: str | None) -> pl.Series | None:
    """Return the numbers or dates that `texts` are by the facts about their column; None if a text would be lost.

    The texts are all that the column has but the missing ones and its marks. A whole number that a float could not tell
    from its neighbour is lost.
    """
    clean = column.clean
    kind = column.kind if clean is None else clean.kind
    if texts.is_empty() or kind not in {"integer", "number", "date", "datetime"}:
        return None
    if kind in {"date", "datetime"}:
        found = _dates(texts) if clean is None else _clean_dates(texts, clean)
        read = found if found is None or kind == "datetime" else found.cast(pl.Date, strict=False)
    else:
        read = _numbers(texts, decimal) if clean is None else _clean_numbers(texts, clean, decimal)
        if read is not None and kind == "integer":
            read = None if bool((read.abs() >= EXACT).any()) else read.cast(pl.Int64, strict=False)
    return None if read is None or read.null_count() else read


def _numbers(texts: pl.Series, decimal: str | None) -> pl.Series | None:
    numbers = plain_numbers(texts, decimal=decimal) or written_numbers(texts, decimal=decimal)
    return None if numbers is None else numbers.values


def _clean_numbers(texts: pl.Series, clean: CleanFacts, decimal: str | None) -> pl.Series | None:
    if (spans := clean.spans) is not None:
        return pl.Series([span_number(text, spans) for text in texts], dtype=pl.Float64)
    texts = bare(texts) if clean.limits else texts
    if clean.powers:
        scaled = scaled_numbers(texts, decimal=decimal)
        return None if scaled is None else scaled.values
    plain = _numbers(texts, decimal)
    if plain is not None:
        return plain
    beside = unit_beside_bare(texts, decimal=decimal)
    return None if beside is None else beside.values


def _dates(texts: pl.Series) -> pl.Series | None:
    dates = written_dates(texts) or digit_dates(texts)
    return None if dates is None else dates.values


def _clean_dates(texts: pl.Series, clean: CleanFacts) -> pl.Series | None:
    dated = texts.str.replace_all(WEEKDAYS, "") if clean.weekdays else texts
    if clean.year is None:
        return dates_as(dated, clean.date_formats)
    counted = tally(dated)
    found = None if counted.repeated else dates_of_one_year(counted)
    return None if found is None else dated.replace_strict(counted.texts, found.values)
