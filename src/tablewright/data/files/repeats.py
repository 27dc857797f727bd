"""Rows that say again what an earlier row says: in all columns, or in all but the one that numbers them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from tablewright.domain.dataset import ColumnFacts
from tablewright.domain.table_facts import RepeatedRows

_FEWEST_COLUMNS = 3
"""Rows of fewer columns are alike by chance."""
_MOST = 0.2
"""Where a larger share of the rows repeats another, that is what the table is like, and no slip."""


def repeated_rows(
    columns: Sequence[pl.Series | Sequence[Any]], facts: Sequence[ColumnFacts], rows: int
) -> RepeatedRows | None:
    """Return how many of the `rows` repeat an earlier one, but for the column that numbers them if there is one; None
    if none do, or so many that it is no slip. `columns` and `facts` are aligned."""
    number = next((place for place, known in enumerate(facts) if _numbers(known, rows)), None)
    told = [column for place, column in enumerate(columns) if place != number and facts[place].kind != "empty"]
    if len(told) < _FEWEST_COLUMNS:
        return None
    repeated = rows - _distinct(told)
    if not 0 < repeated <= rows * _MOST:
        return None
    return RepeatedRows(rows=repeated, besides=None if number is None else facts[number].name)


def _numbers(column: ColumnFacts, rows: int) -> bool:
    """Return whether each row has a number or a code of its own in a column."""
    if column.distinct != rows or column.missing or column.kind not in {"integer", "text"}:
        return False
    return all(any(character.isdigit() for character in str(sample)) for sample in column.samples)


def _distinct(columns: Sequence[pl.Series | Sequence[Any]]) -> int:
    if all(isinstance(column, pl.Series) for column in columns):
        frame = pl.DataFrame({str(place): column for place, column in enumerate(columns)})
        return int(frame.hash_rows(seed=0).n_unique())
    return len(set(zip(*columns, strict=True)))
