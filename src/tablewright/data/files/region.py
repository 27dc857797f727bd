"""A table found in a file, and the derivation of its facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from tablewright.data.base import DatasetProfile, profile_ref
from tablewright.data.column_naming import cell_text
from tablewright.data.files.columns import ColumnProfile, profile_cells, profile_texts
from tablewright.data.files.repeats import repeated_rows
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, DistinctValues, ReadOptions
from tablewright.domain.table import Cell, Table
from tablewright.domain.table_facts import Irregularity, RepeatedRows

SAMPLE_ROWS = 5
LONGEST_CELL = 200
SHARED_FOLDER = "/data/shared"

Column = pl.Series | Sequence[Any]
"""The cells of a column below the header: texts as a Series, typed cells as a sequence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRegion:
    """One table of a file. `columns` and `names` are aligned; rows that are empty or sum others have been removed."""

    id: str
    name: str
    read: ReadOptions
    names: tuple[str, ...]
    columns: tuple[Column, ...]
    merged: Mapping[str, int] = field(default_factory=dict[str, int])
    """How many cells of a column were empty in the file, being covered by merged ones."""
    notes: tuple[str, ...] = ()
    """What stands above or below the table, where it is the only one of its sheet."""

    @property
    def rows(self) -> int:
        return len(self.columns[0]) if self.columns else 0


def dataset_profile(region: TableRegion, file_name: str, *, more_rows: int = 0) -> DatasetProfile:
    """Derive the facts about every column of `region`; `more_rows` is the number of unread rows."""
    profiles = [
        _column_profile(name, column, region.read) for name, column in zip(region.names, region.columns, strict=True)
    ]
    as_text = tuple(profile.facts.name for profile in profiles if profile.as_text)
    values = {profile.facts.name: profile.values for profile in profiles if profile.values is not None}
    columns = tuple(_with_merged(profile.facts, region.merged) for profile in profiles)
    return assemble(
        region_id=region.id,
        name=region.name,
        file_name=file_name,
        read=replace(region.read, as_text=as_text),
        rows=region.rows + more_rows,
        columns=columns,
        sample=_sample(region, columns, more_rows),
        values=values,
        exact=more_rows == 0,
        repeated=None if more_rows else repeated_rows(region.columns, columns, region.rows),
        notes=region.notes,
    )


def assemble(
    *,
    region_id: str,
    name: str,
    file_name: str,
    read: ReadOptions,
    rows: int,
    columns: tuple[ColumnFacts, ...],
    sample: Table,
    values: dict[str, DistinctValues],
    exact: bool = True,
    repeated: RepeatedRows | None = None,
    notes: tuple[str, ...] = (),
) -> DatasetProfile:
    """Combine the facts about a table into its profile."""
    facts = DatasetFacts(
        id=region_id,
        name=name,
        file_name=file_name,
        path=f"{SHARED_FOLDER}/{file_name}",
        read=read,
        rows=rows,
        columns=columns,
        sample=sample,
        profile_ref=profile_ref(values),
        exact=exact,
        repeated=repeated,
        notes=notes,
    )
    return DatasetProfile(facts=facts, values=values)


def shown(cell: Any) -> Cell:
    """Convert a workbook cell for display: dates and times become text, whole floats become int, long texts are cut."""
    if cell is None or isinstance(cell, bool | int):
        return cell
    if isinstance(cell, float):
        return int(cell) if cell.is_integer() and abs(cell) < 2**53 else cell
    return cell_text(cell)[:LONGEST_CELL]


def shown_text(text: str | None, column: ColumnFacts | None) -> Cell:
    """Convert a text for display: to a number in a column of plain numbers, else the text itself, cut if long."""
    if text is None or text == "":
        return None
    if column is not None and column.kind in {"integer", "number"} and column.notation == "plain":
        try:
            return int(text) if column.kind == "integer" else float(text)
        except ValueError:
            return text[:LONGEST_CELL]
    return text[:LONGEST_CELL]


def _with_merged(facts: ColumnFacts, merged: Mapping[str, int]) -> ColumnFacts:
    cells = merged.get(facts.name)
    if not cells:
        return facts
    return replace(facts, irregular=(*facts.irregular, Irregularity(kind="merged", cells=cells, examples=())))


def _column_profile(name: str, column: Column, read: ReadOptions) -> ColumnProfile:
    if isinstance(column, pl.Series):
        return profile_texts(name, column, decimal=read.decimal)
    return profile_cells(name, column, inferred=read.kind != "json")


def _sample(region: TableRegion, facts: Sequence[ColumnFacts], more_rows: int) -> Table:
    heads = [
        [shown_text(text, known) for text in column.head(SAMPLE_ROWS)]
        if isinstance(column, pl.Series)
        else [shown(cell) for cell in column[:SAMPLE_ROWS]]
        for column, known in zip(region.columns, facts, strict=True)
    ]
    return Table(columns=region.names, rows=tuple(zip(*heads, strict=True)), total_rows=region.rows + more_rows)
