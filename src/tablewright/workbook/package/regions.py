"""Detect the tables on a sheet, of which there may be several: position, headers, data rows, totals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tablewright.workbook.areas import MOST_COLUMNS, MOST_ROWS, Area, column_number, runs_of
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.tables import NativeTable, tables_of
from tablewright.workbook.values import EMPTY, CellData

TOTAL = re.compile(
    r"(?i)\s*(?:grand |sub)?(?:totals?|sum|overall|average|合\s*计|总\s*计|小\s*计|总和|汇总|平均)\s*[:：]?\s*"
)
_FILLED = re.compile(rb'<c r="([A-Z]+)\d+"[^>]*(?<!/)>')
_SUMS = re.compile(r"(?i)=(?:SUM|SUBTOTAL|AVERAGE|AGGREGATE)\(")
_EVERY_ROW = 20_000
_SAMPLED_ROWS = 2_000
_LOOKED_AT = 12
_MOST_HEADER_ROWS = 4
_MOST_REGIONS = 200
LONGEST_HEADER = 1_000
"""A column is known by so many letters of its header."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionColumn:
    """A column of a region. Its header is empty if it has none."""

    index: int
    header: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRegion:
    """A table on a sheet.

    `header` and `data` are pairs of first and last row; `totals` is the row with totals of the data; `table` is the
    native table, if the region is one.
    """

    area: Area
    header: tuple[int, int] | None
    data: tuple[int, int] | None
    columns: tuple[RegionColumn, ...]
    totals: int | None = None
    table: NativeTable | None = None

    @property
    def body(self) -> Area | None:
        """The data rows, across all columns."""
        return self.data and Area(self.data[0], self.area.first_column, self.data[1], self.area.last_column)


def find_regions(book: Book, sheet: WorkbookSheet) -> list[SheetRegion]:
    """Return the tables of a sheet in reading order. Native tables come from their own definitions."""
    native = tables_of(book, sheet)
    found = [_native(table) for table in native]
    filled = _filled(sheet, [table.area for table in native])
    blocks = _rejoined(sheet, _blocks(filled))
    merges = sheet.merges()
    found += [read_region(sheet, area, merges) for area in blocks[:_MOST_REGIONS]]
    return sorted(found, key=lambda region: (region.area.first_row, region.area.first_column))


def read_region(sheet: WorkbookSheet, area: Area, merged: list[Area] | None = None) -> SheetRegion:
    """Detect header, data and totals in an area that holds a table. `merged` are the sheet's merged areas, if known."""
    head = dict(
        sheet.scan(
            Area(area.first_row, area.first_column, min(area.first_row + _LOOKED_AT, area.last_row), area.last_column)
        )
    )
    merges = [merge for merge in (sheet.merges() if merged is None else merged) if merge.meets(area)]
    header = _header(head, area, merges)
    first = header[1] + 1 if header else area.first_row
    top = header[0] if header else area.first_row
    last = area.last_row
    totals = last if header and last > first and _is_total(sheet, last, area) else None
    data_last = last - 1 if totals else last
    return SheetRegion(
        area=Area(top, area.first_column, last, area.last_column), header=header,
        data=(first, data_last) if data_last >= first else None,
        columns=_columns(head, area, header, merges), totals=totals,
    )  # fmt: skip


def _native(table: NativeTable) -> SheetRegion:
    area = table.area
    first, last = area.first_row + table.header_rows, area.last_row - table.totals_rows
    return SheetRegion(
        area=area, header=(area.first_row, area.first_row) if table.header_rows else None,
        data=(first, last) if last >= first else None, totals=area.last_row if table.totals_rows else None, table=table,
        columns=tuple(RegionColumn(index=area.first_column + at, header=name) for at, name in enumerate(table.columns)),
    )  # fmt: skip


def _filled(sheet: WorkbookSheet, without: list[Area]) -> dict[int, frozenset[int]]:
    """Return the non-empty columns of each row.

    On long sheets most rows are sampled: a row is assumed to be like the last one inspected.
    """
    numbers = sheet.rows.numbers
    step = 1 if len(numbers) <= _EVERY_ROW else len(numbers) // _SAMPLED_ROWS
    found: dict[int, frozenset[int]] = {}
    last: frozenset[int] = frozenset()
    named: list[bytes] = []
    for at, number in enumerate(numbers):
        raw = sheet.rows.raw(number)
        if b"</c>" not in raw:
            continue
        if at % step == 0 or at < 500 or at > len(numbers) - 50:
            names = _FILLED.findall(raw)
            if names != named:
                named, last = names, frozenset(column_number(name.decode()) for name in names)
        free = (
            {column for column in last if not any(area.holds(number, column) for area in without)} if without else last
        )
        if free:
            found[number] = frozenset(free)
    return found


def _blocks(filled: Mapping[int, frozenset[int]]) -> list[Area]:
    """Cut the filled cells at empty rows and columns, alternately, until nothing can be cut."""
    blocks: list[Area] = []
    waiting = [Area(1, 1, MOST_ROWS, MOST_COLUMNS)] if filled else []
    while waiting:
        area = waiting.pop()
        rows = dict(_within(filled, area))
        for run in runs_of(sorted(rows)):
            columns = frozenset[int]().union(*(rows[row] for row in range(run[0], run[1] + 1)))
            parts = [Area(run[0], low, run[1], high) for low, high in runs_of(sorted(columns))]
            if len(parts) == 1:
                blocks.append(parts[0])
            else:
                waiting.extend(parts)
    return sorted(blocks, key=lambda area: -area.height * area.width)


def _rejoined(sheet: WorkbookSheet, blocks: list[Area]) -> list[Area]:
    """Join blocks separated by a single empty row if the lower one has the same columns and no header of its own."""
    kept: dict[tuple[int, int, int], Area] = {}  # by columns and last row
    for block in sorted(blocks, key=lambda area: (area.first_column, area.first_row)):
        columns = (block.first_column, block.last_column)
        above = kept.get((*columns, block.first_row - 2)) if block.width > 1 else None
        if above is not None and _typed_row(sheet, block):
            del kept[*columns, above.last_row]
            block = above.joined(block)  # the table goes on
        kept[*columns, block.last_row] = block
    return sorted(kept.values(), key=lambda area: -area.height * area.width)


def _typed_row(sheet: WorkbookSheet, block: Area) -> bool:
    row = Area(block.first_row, block.first_column, block.first_row, block.last_column)
    return any(not _all_texts(cells) for _, cells in sheet.scan(row))


def _within(filled: Mapping[int, frozenset[int]], area: Area) -> Iterable[tuple[int, frozenset[int]]]:
    whole = area.width == MOST_COLUMNS
    for row in filled if whole else range(area.first_row, area.last_row + 1):
        columns = filled.get(row, frozenset())
        if not whole:
            columns = frozenset(column for column in columns if area.first_column <= column <= area.last_column)
        if columns:
            yield row, columns


Rows = Mapping[int, Mapping[int, CellData]]


def _header(head: Rows, area: Area, merges: list[Area]) -> tuple[int, int] | None:
    """Find the rows of the header.

    It is the first row of texts that is as wide as the table, plus the row of groups above it and its continuation
    below.
    """
    rows = [row for row in sorted(head) if head[row]]
    wide = next((row for row in rows if len(head[row]) * 2 > area.width or _spans(row, area, merges)), None)
    if wide is None or not _all_texts(head[wide]) or wide == area.last_row:
        return None
    if all(cell.formula is not None for cell in head[wide].values()):
        return None
    last = wide
    while last - wide + 1 < _MOST_HEADER_ROWS and _goes_on(head, last, merges):
        last += 1
    return None if last == area.last_row else (wide, last)


def _spans(row: int, area: Area, merges: list[Area]) -> bool:
    """Whether the row names groups of columns: several horizontally merged cells, or one next to other cells."""
    here = [merge for merge in merges if merge.first_row == row and merge.width > 1 and merge.width < area.width]
    return len(here) > 1


def _goes_on(head: Rows, row: int, merges: list[Area]) -> bool:
    """Whether the header continues below `row`: its cells are merged downwards, or the next row fills its gaps."""
    below = head.get(row + 1, {})
    if not below or not _all_texts(below):
        return False
    if any(merge.first_row <= row < merge.last_row for merge in merges):
        return True
    return any(merge.first_row == row and merge.width > 1 for merge in merges) and len(below) >= 2


def _all_texts(cells: Mapping[int, CellData]) -> bool:
    return all(_names(cell) for cell in cells.values())


def _names(cell: CellData) -> bool:
    """Whether a cell can be a header: a text, a year, or a date above numbers."""
    if isinstance(cell.value, str):
        return not cell.error
    whole = isinstance(cell.value, int) and not isinstance(cell.value, bool)
    return cell.formula is None and (cell.date or (whole and 1900 <= int(cell.value or 0) <= 2100))


def _columns(head: Rows, area: Area, header: tuple[int, int] | None, merges: list[Area]) -> tuple[RegionColumn, ...]:
    columns = range(area.first_column, area.last_column + 1)
    if header is None:
        return tuple(RegionColumn(index=column, header="") for column in columns)
    return tuple(RegionColumn(index=column, header=_title(head, column, header, merges)) for column in columns)


def _title(head: Rows, column: int, header: tuple[int, int], merges: list[Area]) -> str:
    parts: list[str] = []
    for row in range(header[0], header[1] + 1):
        cell = head.get(row, {}).get(column, EMPTY)
        if cell.empty:
            over = next((merge for merge in merges if merge.holds(row, column)), None)
            cell = head.get(over.first_row, {}).get(over.first_column, EMPTY) if over else cell
        text = "" if cell.shown is None else " ".join(str(cell.shown)[:LONGEST_HEADER].split())
        if text and text not in parts:
            parts.append(text)
    return " / ".join(parts)


def _is_total(sheet: WorkbookSheet, row: int, area: Area) -> bool:
    cells = next((cells for _, cells in sheet.scan(Area(row, area.first_column, row, area.last_column))), {})
    texts = [cell.value for cell in cells.values() if isinstance(cell.value, str) and cell.formula is None]
    if texts and TOTAL.fullmatch(str(texts[0])):
        return True
    formulas = [cell.formula for cell in cells.values() if cell.formula]
    numbers = [cell for cell in cells.values() if cell.formula or not isinstance(cell.value, str)]
    return bool(formulas) and all(_SUMS.match(formula) for formula in formulas) and len(formulas) == len(numbers)
