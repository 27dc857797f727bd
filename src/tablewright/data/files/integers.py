"""Columns of whole numbers of which the texts say no more than the numbers do: those 12, but not 012 or +12."""

from __future__ import annotations

import polars as pl

from tablewright.data.files.tallies import COUNTED_BY_TEXT
from tablewright.domain.dataset import ColumnFacts

_FEW = 1000
_MOST_DIGITS = 15
"""Whole numbers of up to so many digits are the same as floats."""
_MARK = -(2**63)
"""Stands for a text that is no such number."""
_EXACT = 2**53
"""Whole floats below this add up exactly, in any order."""
_DATES = range(19_000_000, 21_000_000_000_000)


def plain_integers(texts: pl.Series) -> pl.Series | None:
    """Return texts as Int64 (nulls stay null), which as text are the same again; None if they say more than numbers.

    They do where one is not written as its number is written, and where all may be dates, such as 20210203.
    """
    first = texts.head(1).item() if len(texts) else None
    if first is not None and not first.lstrip("-").isdigit():
        return None
    if len(texts) > _FEW and _integers(texts.head(_FEW)) is None:
        return None
    return _integers(texts)


def integer_or_mark(column: str) -> pl.Expr:
    """Return the expression that reads a column of texts as `plain_integers`, and puts a mark where it cannot."""
    text = pl.col(column)
    length, value = text.str.len_bytes(), text.cast(pl.Int64, strict=False)
    padded = text.str.starts_with("0") & (length > 1)
    other = value.is_null() | (length > _MOST_DIGITS) | padded | text.str.starts_with("+") | text.str.starts_with("-0")
    return pl.when(text.is_null()).then(None).when(other).then(_MARK).otherwise(value).alias(column)


def has_mark(values: pl.Series) -> bool:
    """Return whether a text that `integer_or_mark` could not read was among those of `values`."""
    return values.min() == _MARK


def integer_facts(name: str, values: pl.Series, *, samples: int) -> ColumnFacts | None:
    """Derive the facts about a column of `plain_integers` (nulls are missing), with up to so many `samples`.

    None for a column without any, one of which all may be dates, and one whose sum is so large that the order of its
    terms matters.
    """
    present = values.drop_nulls()
    if present.is_empty() or _may_be_dates(present):
        return None
    low, high = int(present.min()), int(present.max())  # type: ignore[arg-type]
    if max(abs(low), abs(high)) * len(present) >= _EXACT:
        return None
    distinct = present.n_unique()
    return ColumnFacts(
        name=name,
        kind="integer",
        notation="plain",
        missing=len(values) - len(present),
        distinct=distinct,
        samples=tuple(str(value) for value in _first(present, distinct, samples)),
        minimum=low,
        maximum=high,
        mean=float(present.sum()) / len(present),
    )


def _integers(texts: pl.Series) -> pl.Series | None:
    values = texts.alias("text").to_frame().select(integer_or_mark("text")).to_series()
    return None if has_mark(values) or _may_be_dates(values) else values


def _may_be_dates(values: pl.Series) -> bool:
    low, high = values.min(), values.max()
    return isinstance(low, int) and isinstance(high, int) and low in _DATES and high in _DATES


def _first(present: pl.Series, distinct: int, samples: int) -> list[int]:
    """Return the first distinct numbers; of a column that is not counted by text, those among its first."""
    found = present.head(_FEW).unique(maintain_order=True).head(samples)
    if len(found) < min(samples, distinct) and distinct <= COUNTED_BY_TEXT:
        found = present.unique(maintain_order=True).head(samples)
    return list(found)
