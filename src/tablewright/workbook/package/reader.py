"""Reading workbooks for models and people, in the child process: outlines, pages of cells, differences."""

from __future__ import annotations

import time
from pathlib import Path

from tablewright.domain.cells import SheetChanges
from tablewright.domain.codec import to_json
from tablewright.domain.outline import WorkbookOutline
from tablewright.errors import InvalidInput
from tablewright.workbook.areas import Area, cell_name, parse_area
from tablewright.workbook.base import CellPage, CellView, Difference
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.journal import Journal
from tablewright.workbook.package.opener import opened
from tablewright.workbook.package.outline import outlined
from tablewright.workbook.package.recalculation import refresh
from tablewright.workbook.package.regions import LONGEST_HEADER
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.text_book import readable
from tablewright.workbook.values import EMPTY, CellData

COUNTED_S = 2.0
"""For so long differences are counted that are not shown."""
LONGEST_TEXT = 32_767
"""What a cell holds in Excel; of a longer text, which only other programs write, a page of cells shows so much."""


def outline(path: Path, *, name: str, tokens: int) -> bytes:
    """Describe all sheets within `tokens` tokens; return `WorkbookOutline` as JSON."""
    with readable(path, name) as found:
        refresh(found.book)
        found.book.shared.strings.longest = LONGEST_HEADER
        return to_json(WorkbookOutline, outlined(found.book, tokens))


def cells(path: Path, *, name: str, sheet: str | None, wanted: str | None, limit: int) -> bytes:
    """Return a page of cells: `CellPage` as JSON. Errors: `InvalidInput`."""
    with readable(path, name) as found:
        book = found.book
        refresh(book)
        book.shared.strings.longest = LONGEST_TEXT
        given = None
        if wanted is not None:
            try:
                given, area = parse_area(wanted)
            except ValueError:
                raise InvalidInput("range_unreadable", field="range", range=wanted) from None
        home = book.sheet(given or sheet)
        used = home.used() or Area(1, 1, 1, 1)
        area = used if wanted is None else area
        return to_json(CellPage, _page(book, home, area, used, max(limit, 1)))


def diff(path: Path, *, name: str, after: str, cells_shown: int) -> bytes:
    """Compare two workbooks; return `Difference` as JSON."""
    with opened(path, name) as one, opened(Path(after), Path(after).name) as other:
        return to_json(Difference, compared(one.book, other.book, cells_shown))


def compared(before: Book, after: Book, cells_shown: int) -> Difference:
    """Compare two open workbooks, matching sheets by name."""
    old = {tab.name: tab for tab in before.worksheets()}
    new = {tab.name: tab for tab in after.worksheets()}
    same_texts = before.archive.same_texts(after.archive, before.related("sharedStrings"))
    sheets: list[SheetChanges] = []
    for name in old:
        if name in new:
            changes = _sheet_changes(before.sheet(name), after.sheet(name), cells_shown, same_texts=same_texts)
            sheets += [changes] if changes else []
    return Difference(
        sheets=tuple(sheets), sheets_added=tuple(name for name in new if name not in old),
        sheets_removed=tuple(name for name in old if name not in new),
    )  # fmt: skip


def _page(book: Book, sheet: WorkbookSheet, area: Area, used: Area, limit: int) -> CellPage:
    views: list[CellView] = []
    last_row = min(area.last_row, used.last_row)
    for row, found in sheet.scan(Area(area.first_row, area.first_column, last_row, area.last_column)):
        if views and len(views) + len(found) > limit:
            rest = Area(row, area.first_column, area.last_row, area.last_column)
            return CellPage(sheet=sheet.name, range=area.text, cells=tuple(views), next_range=rest.text)
        views += [_view(book, row, column, found[column]) for column in sorted(found) if not found[column].empty]
    return CellPage(sheet=sheet.name, range=area.text, cells=tuple(views))


def _view(book: Book, row: int, column: int, cell: CellData) -> CellView:
    code = book.shared.styles.number_format(cell.style) if cell.style else "General"
    return CellView(
        ref=cell_name(row, column), value=cell.shown, formula=cell.formula, format=code if code != "General" else None
    )


def _sheet_changes(
    before: WorkbookSheet, after: WorkbookSheet, cells_shown: int, *, same_texts: bool
) -> SheetChanges | None:
    """Compare two sheets by their contents as shown in the formula bar.

    Rows with equal bytes are not parsed. Differences beyond what is shown are counted for `COUNTED_S` of processor
    time; then the rest of the sheet counts as changed without being compared.
    """
    journal, until = Journal(cells_shown), time.process_time() + COUNTED_S
    for row in sorted({*before.rows.numbers, *after.rows.numbers}):
        if same_texts and before.rows.raw(row) == after.rows.raw(row) and b'"shared"' not in before.rows.raw(row):
            continue
        here = Area(row, 1, row, 16_384)
        old = next((found for _, found in before.scan(here)), {})
        new = next((found for _, found in after.scan(here)), {})
        for column in sorted({*old, *new}):
            one, other = old.get(column, EMPTY).content, new.get(column, EMPTY).content
            if one != other:
                journal.note(before.name, row, column, one, other)
        if journal.cells_changed > cells_shown and time.process_time() > until:
            used = [area for area in (before.used(), after.used()) if area is not None]
            last, right = max(area.last_row for area in used), max(area.last_column for area in used)
            journal.touch(before.name, Area(row, 1, last, right))
            journal.count(None, before.name)
            break
    found = journal.changes
    return found[0] if found else None
