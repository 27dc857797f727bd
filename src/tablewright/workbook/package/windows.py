"""Sheets for a person who scrolls through them, in the child process: layouts, windows of cells, finding, sorting."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tablewright.domain.codec import from_python, to_json
from tablewright.domain.table import Cell
from tablewright.errors import InvalidInput
from tablewright.workbook.areas import MOST_COLUMNS, MOST_ROWS, Area, cell_name, parse_area, runs_of
from tablewright.workbook.package.filled_rows import filled_rows
from tablewright.workbook.package.kept import kept
from tablewright.workbook.package.layout import image_bytes, layout_of
from tablewright.workbook.package.raw_rows import RawRow
from tablewright.workbook.package.rule_looks import SheetRules
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.values import CellData
from tablewright.workbook.views import (
    MOST_RUNS,
    MOST_WINDOW_CELLS,
    ColumnTest,
    FilledRows,
    Found,
    RowOrder,
    SheetLayout,
    SheetTab,
    SheetWindow,
    Summary,
    WindowCell,
    WindowRow,
)

FIND_S = 2.0
"""For how long a text is looked for before what was found so far is returned."""


def sheets(path: Path, *, name: str) -> bytes:
    """List the sheets; return a tuple of `SheetTab` as JSON."""
    tabs = kept(path, name).book.tabs
    found = tuple(SheetTab(name=tab.name, state=tab.visibility, kind=tab.kind) for tab in tabs)
    return to_json(tuple[SheetTab, ...], found)


def layout(path: Path, *, name: str, sheet: str | None) -> bytes:
    """Describe a sheet; return `SheetLayout` as JSON."""
    found = kept(path, name)
    return to_json(SheetLayout, layout_of(found, found.book.sheet(sheet)))


def window(path: Path, *, name: str, sheet: str | None, wanted: str, rows: Sequence[int]) -> bytes:
    """Return the cells of a range, or of its columns in some rows; return `SheetWindow` as JSON."""
    found = kept(path, name)
    home, area = found.book.sheet(sheet), _area(wanted)
    height = len(rows) or area.height
    if height * area.width > MOST_WINDOW_CELLS:
        raise InvalidInput("window_too_large", field="range", limit=MOST_WINDOW_CELLS)
    numbers = rows or range(area.first_row, area.last_row + 1)
    shown = tuple(row for row in (_row(home, number, area) for number in numbers) if row.cells)
    looks = {look: found.looks[look] for look in {cell[2] for row in shown for cell in row.cells}}
    made = SheetWindow(sheet=home.name, range=area.text, rows=shown, looks=looks)
    rules = found.rules(home)
    return to_json(SheetWindow, _ruled(made, rules, numbers, area) if rules.rules else made)


def _ruled(made: SheetWindow, rules: SheetRules, numbers: Iterable[int], area: Area) -> SheetWindow:
    """Add how conditional formats change the cells, empty ones among them."""
    wanted: dict[tuple[int, int], Cell] = {}
    for number in numbers:
        if number > rules.used.last_row:
            continue
        raw = rules.sheet.rows.peek(number)
        cells = raw.cells if raw is not None else {}
        for column in range(area.first_column, min(area.last_column, rules.used.last_column) + 1):
            entry = cells.get(column)
            wanted[number, column] = rules.sheet.data_of(entry, number, column).value if entry is not None else None
    looks, left_out = rules.looks(wanted)
    places = {look: number for number, look in enumerate(dict.fromkeys(looks.values()))}
    ruled = tuple((row, column, places[look]) for (row, column), look in looks.items())
    named = {number: look for look, number in places.items()}
    return replace(made, ruled=ruled, rule_looks=named, rules_left_out=left_out)


def find(path: Path, *, name: str, sheet: str | None, text: str, from_row: int, limit: int) -> bytes:
    """Find a text in values and formulas; return `Found` as JSON."""
    found = kept(path, name)
    home, wanted, until = found.book.sheet(sheet), text.casefold(), time.monotonic() + FIND_S
    refs: list[str] = []
    for row, cells in _filled(home, Area(from_row, 1, MOST_ROWS, MOST_COLUMNS)):
        if len(refs) >= limit or time.monotonic() > until:
            return to_json(Found, Found(refs=tuple(refs), next_row=row))
        refs += [cell_name(row, column) for column in sorted(cells) if _holds(cells[column], wanted)]
    return to_json(Found, Found(refs=tuple(refs)))


def filled(path: Path, *, name: str, sheet: str | None, wanted: str) -> bytes:
    """Return the rows in which a range has filled cells as JSON of `FilledRows`."""
    home, area = kept(path, name).book.sheet(sheet), _area(wanted)
    runs: list[tuple[int, int]] = []
    for row in filled_rows(home.rows, area):
        if runs and row == runs[-1][1] + 1:
            runs[-1] = runs[-1][0], row
        elif len(runs) == MOST_RUNS:
            return to_json(FilledRows, FilledRows(runs=tuple(runs), next_row=row))
        else:
            runs.append((row, row))
    return to_json(FilledRows, FilledRows(runs=tuple(runs)))


def summary(path: Path, *, name: str, sheet: str | None, wanted: str) -> bytes:
    """Count and add up a range; return `Summary` as JSON."""
    found = kept(path, name)
    filled = 0
    numbers: list[float] = []
    for _, cells in _filled(found.book.sheet(sheet), _area(wanted)):
        for cell in cells.values():
            filled += not cell.empty
            if isinstance(cell.value, int | float) and not isinstance(cell.value, bool):
                numbers.append(cell.value)
    if not numbers:
        return to_json(Summary, Summary(filled=filled, numbers=0))
    total = float(sum(numbers))
    made = Summary(
        filled=filled, numbers=len(numbers), sum=total, mean=total / len(numbers), min=min(numbers), max=max(numbers)
    )
    return to_json(Summary, made)


def order(
    path: Path,
    *,
    name: str,
    sheet: str | None,
    first_row: int,
    sort: int | None,
    descending: bool,
    tests: Sequence[Mapping[str, Any]],
) -> bytes:
    """Filter and sort the rows of a view; return `RowOrder` as JSON."""
    found = kept(path, name)
    home, kept_tests = found.book.sheet(sheet), [from_python(ColumnTest, dict(test)) for test in tests]
    used = found.used(home)
    columns = sorted({test.column for test in kept_tests} | ({sort} if sort else set()))
    cells: dict[int, dict[int, CellData]] = {}
    for column in columns:
        for row, here in home.scan(Area(first_row, column, used.last_row, column)):
            cells.setdefault(row, {}).update(here)
    rows = [
        row
        for row in range(first_row, used.last_row + 1)
        if all(_passes(cells.get(row, {}).get(test.column), test) for test in kept_tests)
    ]
    if sort:
        filled = [row for row in rows if sort in cells.get(row, {})]
        empty = [row for row in rows if sort not in cells.get(row, {})]
        filled.sort(key=lambda row: _rank(cells[row][sort].value), reverse=descending)
        rows = filled + empty
    return to_json(RowOrder, RowOrder(runs=tuple(runs_of(rows))))


def image(path: Path, *, name: str, image: str) -> bytes:
    """Return the bytes of a picture, none if there is no such picture."""
    return image_bytes(kept(path, name).book, image) or b""


def _row(sheet: WorkbookSheet, number: int, area: Area) -> WindowRow:
    raw = sheet.rows.peek(number)
    cells = _cells(sheet, raw, number, area) if raw is not None else ()
    return WindowRow(row=number, cells=tuple(cells))


def _cells(sheet: WorkbookSheet, raw: RawRow, number: int, area: Area) -> Iterator[WindowCell]:
    for column in sorted(raw.cells):
        entry = raw.cells[column]
        if area.first_column <= column <= area.last_column and (entry.body or entry.style):
            cell = sheet.data_of(entry, number, column)
            value = cell.value if cell.serial is None else cell.serial
            yield column, value, cell.style, cell.formula


def _filled(sheet: WorkbookSheet, area: Area) -> Iterator[tuple[int, dict[int, CellData]]]:
    last = sheet.rows.numbers[-1] if sheet.rows.numbers else 0
    return sheet.scan(Area(area.first_row, area.first_column, max(min(area.last_row, last), 0), area.last_column))


def _holds(cell: CellData, wanted: str) -> bool:
    texts = (cell.shown, cell.formula)
    return any(wanted in str(text).casefold() for text in texts if text is not None)


def _passes(cell: CellData | None, test: ColumnTest) -> bool:
    text = "" if cell is None or cell.shown is None else str(cell.shown)
    if test.values is not None and text not in test.values:
        return False
    return test.contains is None or test.contains.casefold() in text.casefold()


def _rank(value: Cell) -> tuple[int, float, str]:
    if isinstance(value, bool):
        return 2, float(value), ""
    if isinstance(value, int | float):
        return 0, float(value), ""
    return 1, 0.0, str(value).casefold()


def _area(wanted: str) -> Area:
    try:
        return parse_area(wanted)[1]
    except ValueError:
        raise InvalidInput("range_unreadable", field="range", range=wanted) from None
