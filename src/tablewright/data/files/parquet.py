"""Parquet files: typed columns, read one at a time."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from datetime import date, time, timedelta
from pathlib import Path
from typing import Any

import polars as pl

from tablewright.data.base import DatasetProfile
from tablewright.data.column_naming import column_names
from tablewright.data.files.columns import SAMPLES, ColumnProfile, profile_cells, profile_numbers, profile_texts
from tablewright.data.files.region import SAMPLE_ROWS, assemble, shown
from tablewright.domain.dataset import ColumnFacts, ReadOptions
from tablewright.domain.table import Table
from tablewright.errors import FileEmpty, FileUnreadable

MOST_ROWS = 4_000_000
_MOST_CELLS = 20_000


def profile_parquet(path: Path, name: str) -> DatasetProfile:
    """Profile a Parquet file. Errors: `FileEmpty`, `FileUnreadable`."""
    try:
        lazy = pl.scan_parquet(path)
        schema = lazy.collect_schema()
        rows = int(lazy.select(pl.len()).collect().item())
    except pl.exceptions.PolarsError as error:
        raise FileUnreadable("file_damaged", name=name) from error
    index = _index_columns(path)
    given = [column for column in schema if column not in index]
    if not given:
        raise FileEmpty(name=name)
    names = column_names([given], len(given))
    read = min(rows, MOST_ROWS)
    profiles = [_profile(new, lazy.select(old).head(read)) for old, new in zip(given, names, strict=True)]
    head = lazy.select(given).head(SAMPLE_ROWS).collect()
    return assemble(
        region_id="table",
        name=Path(name).stem,
        file_name=name,
        read=ReadOptions(kind="parquet", renamed=list(names) != given),
        rows=rows,
        columns=tuple(profile.facts for profile in profiles),
        sample=Table(columns=names, rows=tuple(tuple(map(_shown, row)) for row in head.rows()), total_rows=rows),
        values={profile.facts.name: profile.values for profile in profiles if profile.values is not None},
        exact=read == rows,
    )


def _index_columns(path: Path) -> set[str]:
    """Return the columns that pandas uses as the index, according to the file's metadata."""
    with suppress(Exception):  # metadata that pandas cannot use is ignored
        told = json.loads(pl.read_parquet_metadata(path).get("pandas", "{}"))
        return {column for column in told.get("index_columns", []) if isinstance(column, str)}
    return set()


def _profile(name: str, lazy: pl.LazyFrame) -> ColumnProfile:
    column = lazy.collect(engine="streaming").to_series()
    kind = column.dtype
    if isinstance(kind, pl.String | pl.Categorical | pl.Enum):
        return profile_texts(name, column.cast(pl.String), inferred=False)
    if kind.is_numeric():
        return ColumnProfile(facts=profile_numbers(name, column.cast(pl.Float64) if kind == pl.Decimal else column))
    if kind == pl.Boolean:
        facts = ColumnFacts(name=name, kind="boolean", samples=tuple(_samples(column)))
        return ColumnProfile(facts=_counted(facts, column))
    if isinstance(kind, pl.Date | pl.Datetime | pl.Time):
        return ColumnProfile(facts=_counted(_moments(name, column), column))
    if kind == pl.Null:
        return ColumnProfile(facts=ColumnFacts(name=name, kind="empty", missing=len(column), distinct=0))
    cells = [_shown(cell) for cell in column.head(_MOST_CELLS).to_list()]
    told = profile_cells(name, cells, inferred=False)
    return replace(told, facts=replace(told.facts, missing=column.null_count()))


def _moments(name: str, column: pl.Series) -> ColumnFacts:
    """Return the facts about a date column.

    pandas loads dates without times as objects, which have to be converted to datetimes like texts.
    """
    low, high = column.min(), column.max()
    if column.dtype == pl.Time:
        facts = ColumnFacts(name=name, kind="time")
    elif column.dtype == pl.Date:
        facts = ColumnFacts(name=name, kind="date", notation="date_text", date_format="%Y-%m-%d")
    else:
        midnight = bool((column.dt.time() == time()).all())
        facts = ColumnFacts(name=name, kind="date" if midnight else "datetime")
    return replace(
        facts, minimum=_iso(low, facts.kind), maximum=_iso(high, facts.kind), samples=tuple(_samples(column))
    )


def _counted(facts: ColumnFacts, column: pl.Series) -> ColumnFacts:
    missing = column.null_count()
    return replace(facts, missing=missing, distinct=column.n_unique() - (missing > 0))


def _iso(moment: Any, kind: str) -> str | None:
    if moment is None:
        return None
    return str(moment.isoformat())[:10] if kind == "date" else str(moment.isoformat())


def _samples(column: pl.Series) -> list[Any]:
    return [_shown(cell) for cell in column.drop_nulls().head(1000).unique(maintain_order=True).head(SAMPLES)]


def _shown(cell: Any) -> Any:
    plain = cell is None or isinstance(cell, str | int | float | date | time | timedelta)
    return shown(cell if plain else json.dumps(cell, default=str, ensure_ascii=False))
