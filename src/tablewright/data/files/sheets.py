"""Workbooks: sheets as grids of typed cells, tables on them as regions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from python_calamine import CalamineSheet, CalamineWorkbook, SheetTypeEnum

from tablewright.data.column_naming import column_names, pandas_names
from tablewright.data.files.blocks import Block, find_blocks, is_prose
from tablewright.data.files.cells import is_blank, is_empty
from tablewright.data.files.footers import footing
from tablewright.data.files.headers import find_layout
from tablewright.data.files.led import fill_led
from tablewright.data.files.region import TableRegion
from tablewright.domain.dataset import FileKind, ReadOptions

Span = tuple[tuple[int, int], tuple[int, int]]
"""A merged range as its first and last cell, each (row, column)."""


MOST_NOTES, NOTE_CHARS, NOTES_WITHIN = 4, 200, 20
"""How many texts above and below a table are told, how much of each, and in how many rows they are looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """The cells of a sheet from A1 on, all rows equally wide; an empty cell is None."""

    rows: list[list[Any]]
    merged: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedColumn:
    """A column with cells that hold for those below: merged vertically, or left empty there, `cells` of them.

    `ranges` are their first and last rows, if other cells of the column are empty and must stay so.
    """

    name: str
    cells: int
    ranges: tuple[tuple[int, int], ...]


def sheet_names(workbook: CalamineWorkbook) -> list[str]:
    """Return the names of the sheets with cells (no chart sheets), in order."""
    return [sheet.name for sheet in workbook.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet]


def read_grid(sheet: CalamineSheet) -> Grid:
    """Read all cells of a sheet. Empty rows share one object, since a stray cell far down creates very many."""
    cells: list[list[Any]] = []
    left: list[Any] = [None] * (sheet.start[1] if sheet.start else 0)
    blank: list[Any] = []
    for row in sheet.iter_rows():
        if row.count("") < len(row):
            cells.append(left + [None if cell == "" else cell for cell in row])
        else:
            blank = blank or left + [None] * len(row)
            cells.append(blank)
    return Grid(rows=cells, merged=tuple(sheet.merged_cell_ranges or ()))


def read_sheet(grid: Grid, sheet: str, kind: FileKind) -> list[TableRegion]:
    """Find the tables of a sheet, from top to bottom; none if it is empty or holds only remarks."""
    blocks = [block for block in find_blocks(grid.rows) if not is_prose(grid.rows, block)]
    regions = [region for block in blocks if (region := _region(grid, block, sheet, kind)) is not None]
    if len(regions) == 1:
        return [replace(regions[0], id=sheet, name=sheet, notes=_notes(grid.rows, regions[0].read))]
    return regions


def _notes(rows: Sequence[Sequence[Any]], read: ReadOptions) -> tuple[str, ...]:
    """Return the texts that stand above and below the only table of a sheet, the first ones of each."""
    top = read.header_rows[0] if read.header_rows else read.first_row or 0
    end = len(rows) if read.last_row is None else read.last_row + 1
    below = [row for place, row in enumerate(rows[end : end + NOTES_WITHIN], end) if place != read.totals_row]
    parts = (rows[max(0, top - NOTES_WITHIN) : top], below)
    texts = ([cell.strip() for row in part for cell in row if isinstance(cell, str) and cell.strip()] for part in parts)
    return tuple(text[:NOTE_CHARS] for part in texts for text in [*dict.fromkeys(part)][:MOST_NOTES])


def _region(grid: Grid, block: Block, sheet: str, kind: FileKind) -> TableRegion | None:
    rows = [row[block.left : block.right + 1] for row in grid.rows[block.top : block.bottom + 1]]
    spans: dict[int, list[tuple[int, int]]] = {}
    for (top, left), (_, right) in grid.merged:
        if right > left and block.left <= left and right <= block.right and right - left + 1 < block.width:
            spans.setdefault(top - block.top, []).append((left - block.left, right - block.left))
    layout, width = find_layout(rows, width=block.width, spans=spans), block.width
    header = [rows[number][:width] for number in layout.header_rows]
    found = footing(rows, layout.first_row, width, header[-1] if header else None)
    last = found.last
    inner, headings = (tuple(at - layout.first_row for at in rows) for rows in (found.inside, found.headings))
    left_out = {*inner, *headings}
    body = [row[:width] for row in rows[layout.first_row : last + 1]]
    if not body and not header:
        return None
    names = column_names(header, width)
    present = [number for number, row in enumerate(body) if not is_blank(row) and number not in left_out]
    merged = _filled(body, grid.merged, block.top + layout.first_row, block.left, present, names)
    if not any(column.name == names[0] for column in merged) and (cells := fill_led(body, present)):
        merged = (MergedColumn(name=names[0], cells=cells, ranges=()), *merged)
    kept = [body[number] for number in present]
    columns = tuple([row[position] for row in kept] for position in range(width))
    at_end = block.top + last >= len(grid.rows) - 1
    first = block.top + layout.first_row
    given = pandas_names(grid.rows[block.top + layout.header_rows[-1]]) if header else ()
    read = ReadOptions(
        kind=kind,
        sheet=sheet,
        header_rows=tuple(block.top + number for number in layout.header_rows),
        first_row=None if header or first == 0 else first,
        first_column=block.left,
        last_column=None if block.left + width >= len(grid.rows[0]) else block.left + width - 1,
        last_row=None if at_end else block.top + last,
        renamed=not header or names != given[block.left : block.left + width],
        blank_rows=len(present) + len(left_out) < len(body),
        fill_down=tuple(column.name for column in merged if not column.ranges),
        fill_ranges=tuple((column.name, column.ranges) for column in merged if column.ranges),
        totals_row=None if found.totals is None else block.top + found.totals,
        inner_totals=inner,
        headings=headings,
        named_totals=found.named,
    )
    return TableRegion(
        id=f"{sheet}!{block.a1}",
        name=f"{sheet} ({block.a1})",
        read=read,
        names=names,
        columns=columns,
        merged={column.name: column.cells for column in merged if column.cells},
    )


def _filled(
    body: list[list[Any]], merged: Sequence[Span], top: int, left: int, present: Sequence[int], names: Sequence[str]
) -> tuple[MergedColumn, ...]:
    """Repeat vertically merged cells in the rows that they cover, and return the columns that have some."""
    spans: dict[int, list[tuple[int, int]]] = {}
    for (first, column), (last, right) in merged:
        inside = first >= top and last < top + len(body) and 0 <= column - left < len(body[0])
        if last > first and right == column and inside and not is_empty(body[first - top][column - left]):
            spans.setdefault(column - left, []).append((first - top, last - top))
    found: list[MergedColumn] = []
    for position, ranges in sorted(spans.items()):
        covered = {row for first, last in ranges for row in range(first + 1, last + 1)}
        alone = all(row in covered or not is_empty(body[row][position]) for row in present)
        if not alone and not covered.issubset(present):
            continue
        cells = len(covered.intersection(present))
        for first, last in ranges:
            for row in body[first + 1 : last + 1]:
                row[position] = body[first][position]
        found.append(MergedColumn(name=names[position], cells=cells, ranges=() if alone else tuple(sorted(ranges))))
    return tuple(found)
