"""The operation `shapes`: how the values of a table's columns are distributed, in the child process."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from tablewright.data.files.numbers import number_parts
from tablewright.data.files.stored_columns import Column, stored_columns
from tablewright.domain.codec import from_python, to_json
from tablewright.domain.column_shape import BARS, COMMON, ColumnShape
from tablewright.domain.dataset import ColumnFacts, DatasetFacts

LABEL_CHARS = 60
_NUMBERS = frozenset({"number", "integer"})
_DATES = frozenset({"date", "datetime"})


def shapes(path: Path, *, name: str, dataset: Mapping[str, Any]) -> bytes:  # noqa: ARG001
    """Return the shape of every column of a data set as JSON. Errors: those of `stored_columns`."""
    facts = from_python(DatasetFacts, dataset)
    cells = stored_columns(path, facts)
    found = [_shape(of, column, facts) for of, column in zip(cells, facts.columns, strict=True)]
    return to_json(tuple[ColumnShape, ...], tuple(found))


def _shape(cells: Column, facts: ColumnFacts, dataset: DatasetFacts) -> ColumnShape:
    if facts.kind in _NUMBERS:
        return ColumnShape(column=facts.name, parts=_parts(_numbers(cells, dataset.read.decimal)))
    if facts.kind in _DATES:
        return ColumnShape(column=facts.name, parts=_parts(_moments(cells, facts.date_format)))
    counts = Counter(_label(cell) for cell in cells if cell is not None)
    common = tuple(counts.most_common(COMMON))
    return ColumnShape(column=facts.name, common=common, others=counts.total() - sum(count for _, count in common))


def _label(cell: Any) -> str:
    said = cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False, default=str)
    return " ".join(said.split())[:LABEL_CHARS]


def _numbers(cells: Column, decimal: str | None) -> pl.Series:
    """Return the numbers among the cells; texts are read as they are written (`1,200`, `12 km`)."""
    plain = pl.Series([cell for cell in cells if isinstance(cell, int | float)], dtype=pl.Float64, strict=False)
    texts = pl.Series([cell for cell in cells if isinstance(cell, str)], dtype=pl.String)
    if texts.is_empty():
        return plain
    return plain.append(number_parts(texts, decimal=decimal)["value"].cast(pl.Float64))


def _moments(cells: Column, form: str | None) -> pl.Series:
    """Return dates as numbers of days."""
    texts = pl.Series([cell for cell in cells if isinstance(cell, str)], dtype=pl.String)
    read = texts.str.to_datetime(form, strict=False) if form else texts.str.to_datetime(strict=False)
    return read.dt.replace_time_zone(None).dt.epoch("ms").cast(pl.Float64)


def _parts(values: pl.Series) -> tuple[int, ...]:
    """Return how many values lie in each equal part of their range; one part where all are the same."""
    known = values.drop_nulls().drop_nans()
    known = known.filter(known.is_finite())
    low, high = known.min(), known.max()
    if not isinstance(low, float) or not isinstance(high, float):
        return ()
    if low == high:
        return (len(known),)
    places = ((known - low) / (high - low) * BARS).floor().clip(0, BARS - 1).cast(pl.Int64)
    counted = dict(zip(*places.value_counts().get_columns(), strict=True))
    return tuple(int(counted.get(place, 0)) for place in range(BARS))
