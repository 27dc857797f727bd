"""What a database tells of all rows of a table, as far as it does so at once."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tablewright.data.sql.base import Database, QueryRows, TableSchema
from tablewright.data.sql.kinds import kind_of
from tablewright.data.sql.selection import SAMPLES, extent, frequencies
from tablewright.domain.dataset import ColumnFacts, ColumnKind, DatabaseTable, DistinctValues, Notation
from tablewright.domain.table import Cell
from tablewright.errors import DatabaseFailed

EXTENT_S = 1.0
"""How long counting the rows and finding the extremes of a table may take."""
VALUES_S = 1.5
"""How long finding the values of all its text columns may take."""
LARGE_ROWS = 2_000_000
"""Of a table that is larger by the database's own estimate, nothing is counted that reads all of it."""
LOOKED_AT = 200_000
"""How many rows of such a table are looked at for the values of its text columns."""
MOST_VALUES = 10_000
FEW_VALUES = 1_000
"""A column with more values in the first rows has too many to be told."""
COUNTED: frozenset[ColumnKind] = frozenset({"integer", "number", "date", "datetime"})
"""Kinds of columns whose extremes are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnExtent:
    """How many cells of a column are filled, and the least and greatest of them (None where they are not told)."""

    filled: int
    minimum: Cell = None
    maximum: Cell = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableStatistics:
    """The number of rows of a table, and what is known of its columns, by their names in the database."""

    rows: int
    extents: Mapping[str, ColumnExtent] = field(default_factory=dict[str, ColumnExtent])
    values: Mapping[str, DistinctValues] = field(default_factory=dict[str, DistinctValues])


async def statistics_of(database: Database, table: TableSchema, found: QueryRows) -> TableStatistics:
    """Return what is known of a table of which `found` are the first rows; nothing more if these are all.

    Of a large table, or where the database takes too long, its own estimate of the rows stands.
    """
    if not found.truncated:
        return TableStatistics(rows=len(found.rows))
    kinds = {column.name: kind_of(column.type, database.dialect) for column in table.columns}
    texts = [name for name, kind in kinds.items() if kind == "text" and _few(name, found)]
    if (table.rows or 0) > LARGE_ROWS:
        percent = 100 * LOOKED_AT / (table.rows or 1)
        values = await _values(database, table, texts, percent) if database.dialect in SAMPLES else {}
        return TableStatistics(rows=table.rows or 0, values=values)
    measured = [name for name, kind in kinds.items() if kind in COUNTED]
    try:
        told = await database.query(extent(table, database.dialect, measured), max_rows=1, timeout_s=EXTENT_S)
    except DatabaseFailed:
        return TableStatistics(rows=max(table.rows or 0, len(found.rows)))
    count, *cells = told.rows[0]
    return TableStatistics(
        rows=_whole(count),
        extents=_extents(table, measured, cells),
        values=await _values(database, table, texts),
    )


def known_columns(
    columns: Sequence[ColumnFacts], table: TableSchema, origin: DatabaseTable, told: TableStatistics
) -> tuple[ColumnFacts, ...]:
    """Return the facts of the columns as the database declares and counts them."""
    made: list[ColumnFacts] = []
    for facts, declared, schema in zip(columns, origin.columns, table.columns, strict=True):
        column = facts
        if facts.kind != "empty" or not origin.complete:
            column = _declared(facts, kind_of(declared.type, origin.dialect), origin.dialect)
        if (extent_ := told.extents.get(declared.name)) is not None:
            column = replace(column, missing=told.rows - extent_.filled, distinct=None, mean=None)
            if extent_.minimum is not None:
                column = replace(column, minimum=extent_.minimum, maximum=extent_.maximum)
        elif not origin.complete and schema.nullable:
            column = replace(column, missing=max(column.missing, 1))
        if (values := told.values.get(declared.name)) is not None and values.complete:
            column = replace(column, distinct=len(values.values))
        made.append(column)
    return tuple(made)


def _declared(facts: ColumnFacts, kind: ColumnKind, dialect: str) -> ColumnFacts:
    """Return the facts of a column with the kind that it is declared to be."""
    if kind == "mixed" or (kind == "text" and facts.kind in {"date", "datetime", "time"}):
        return facts
    if dialect == "sqlite" and kind != "text" and facts.kind not in {"integer", "number", "empty"}:
        return facts  # a column may hold anything there
    if kind in {"date", "datetime"}:
        form = "%Y-%m-%d" if kind == "date" else "ISO8601"
        return replace(facts, kind=kind, notation="date_text", date_format=form, unit=None)
    if kind == "text":
        return replace(
            facts, kind=kind, notation="plain", date_format=None, unit=None, minimum=None, maximum=None, mean=None
        )
    plain: Notation = (
        "plain" if facts.kind != "empty" else "thousands"
    )  # pandas takes a column without numbers for texts
    return replace(facts, kind=kind, notation=plain, date_format=None, unit=None)


def _few(name: str, found: QueryRows) -> bool:
    place = found.columns.index(name)
    return len({row[place] for row in found.rows}) <= FEW_VALUES


def _extents(table: TableSchema, measured: Sequence[str], cells: Sequence[Cell]) -> dict[str, ColumnExtent]:
    filled = [_whole(cell) for cell in cells[: len(table.columns)]]
    known = {column.name: ColumnExtent(filled=count) for column, count in zip(table.columns, filled, strict=True)}
    ends = cells[len(table.columns) :]
    for place, name in enumerate(measured):
        low, high = ends[2 * place], ends[2 * place + 1]
        known[name] = replace(known[name], minimum=low, maximum=high)
    return known


async def _values(
    database: Database, table: TableSchema, names: Sequence[str], percent: float | None = None
) -> dict[str, DistinctValues]:
    """Return the values of columns with their counts, as many columns as there is time for."""
    end = time.monotonic() + VALUES_S
    known: dict[str, DistinctValues] = {}
    for name in names:
        left = end - time.monotonic()
        if left < 0.1:
            break
        try:
            statement = frequencies(table, database.dialect, name, limit=MOST_VALUES, percent=percent)
            told = await database.query(statement, max_rows=MOST_VALUES, timeout_s=left)
        except DatabaseFailed:
            break
        rows = [row for row in told.rows if isinstance(row[0], str)]
        known[name] = DistinctValues(
            values=tuple(str(row[0]) for row in rows),
            counts=tuple(_whole(row[1]) for row in rows),
            complete=percent is None and len(told.rows) < MOST_VALUES,
        )
    return known


def _whole(cell: Cell) -> int:
    return int(cell) if isinstance(cell, int | float) else 0
