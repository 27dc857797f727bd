"""Reorder the rows of a table."""

from __future__ import annotations

from functools import partial

from tablewright.domain.table import Cell
from tablewright.workbook.areas import Area
from tablewright.workbook.formulas import translated
from tablewright.workbook.package.attached import move_attached
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.raw_rows import RawCell, RawRow
from tablewright.workbook.package.references import in_rows
from tablewright.workbook.package.rows import renumber
from tablewright.workbook.package.sheet import WorkbookSheet


def move_rows(book: Book, sheet: WorkbookSheet, body: Area, order: list[int]) -> None:
    """Put the cells of row `order[n]` into the body's n-th row, with their formats and formulas.

    Cells of those rows outside the body stay in place.
    """
    moved = {body.first_row + at: source for at, source in enumerate(order) if body.first_row + at != source}
    if not moved:
        return
    sheet.unshare()
    before = {row: sheet.rows.peek(row) or RawRow() for row in _shown(moved)}
    _note(book, sheet, body, before, moved)
    if all(_alone(sheet, row, body) for row in moved):
        renumbered = {to: renumber(sheet.rows.raw(source), to) for to, source in moved.items()}
        for to, raw in renumbered.items():
            sheet.rows.replace(to, raw)
        for to, source in moved.items():
            if b"<f" in (raw := sheet.rows.raw(to)):
                sheet.rows.replace(to, in_rows(raw, partial(_translated, to - source)))
    else:
        _move_cells(sheet, body, moved)
    places = {source: to for to, source in moved.items()}
    inside = range(body.first_column, body.last_column + 1)
    move_attached(book, sheet, lambda row, column: (places.get(row, row) if column in inside else row, column))
    book.shared.formulas_changed = True
    book.shared.journal.touch(sheet.name, body)
    sheet.changed = True


def _translated(rows: int, formula: str) -> str:
    return translated(formula, rows, 0)


def _alone(sheet: WorkbookSheet, row: int, body: Area) -> bool:
    """Whether a row holds nothing outside the body and has no format of its own."""
    found = sheet.rows.extent(row)
    if found is None:
        return not sheet.rows.raw(row)
    head, first, last = found
    plain = b"hidden=" not in head and b" ht=" not in head and b" s=" not in head
    return plain and body.first_column <= first and last <= body.last_column


def _move_cells(sheet: WorkbookSheet, body: Area, moved: dict[int, int]) -> None:
    taken: dict[int, dict[int, RawCell]] = {}
    for source in moved.values():
        opened = sheet.rows.row(source)
        inside = [column for column in opened.cells if body.first_column <= column <= body.last_column]
        taken[source] = {column: opened.cells.pop(column) for column in inside}
    for to, source in moved.items():
        opened = sheet.rows.row(to)
        for column, cell in taken[source].items():
            if b"<f" in cell.body:
                cell.body = in_rows(cell.body, partial(_translated, to - source))
            opened.cells[column] = cell


def _shown(moved: dict[int, int]) -> list[int]:
    """Return the rows whose cells are listed among the changes."""
    few = sorted(moved)[:40]
    return sorted({*few, *(moved[row] for row in few)})


def _note(book: Book, sheet: WorkbookSheet, body: Area, before: dict[int, RawRow], moved: dict[int, int]) -> None:
    def content(row: int, column: int, to: int) -> Cell:
        raw = before[row].cells.get(column)
        data = sheet.data_of(raw, row, column) if raw else None
        if data is None:
            return None
        return translated(data.formula, to - row, 0) if data.formula else data.shown

    for to in sorted(moved)[:40]:
        for column in range(body.first_column, body.last_column + 1):
            old, new = content(to, column, to), content(moved[to], column, to)
            if old != new:
                book.shared.journal.note(sheet.name, to, column, old, new)
    book.shared.journal.count(max(len(moved) - 40, 0) * body.width, sheet.name)
