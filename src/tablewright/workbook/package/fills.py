"""A formula copied down a column, far cheaper per row than cell by cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tablewright.workbook.areas import MOST_ROWS, Area, letters
from tablewright.workbook.formulas import copies_down, translated
from tablewright.workbook.package.cells import stored
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.xml import escaped

NO_ROW = 0
CellXml = Callable[[int, int, int], bytes]
"""Returns a cell of the column being filled: by its row, by how far down it is, and by its style."""


def fill_formula(
    sheet: WorkbookSheet, column: int, rows: range, formula: str, styles: Mapping[int, int] | None = None
) -> None:
    """Write a formula into the first of `rows` and its copies below; without `styles` by row, cells keep theirs.

    Rows that have no such cell yet are not parsed. Errors: those of `Sheet.write`.
    """
    cell_xml = None if sheet.arrays else _cell_xml(column, rows, formula)
    own = sheet.style(NO_ROW, column)
    journal, inserted = sheet.shared.journal, 0
    for down, row in enumerate(rows):
        style = None if styles is None else styles[row]
        inner = 0 < down < len(rows) - 1  # the ends are written one by one, so that the sheet knows how far it reaches
        if cell_xml is not None and inner and not journal.lists(sheet.name):
            cell = cell_xml(row, down, own if style is None else style)
            if sheet.rows.insert(row, column, cell):
                inserted += 1
                continue
        sheet.write(row, column, translated(formula, down, 0), style)
    if inserted:
        journal.count(inserted, sheet.name)
        journal.touch(sheet.name, Area(rows[1], column, rows[-2], column))
        sheet.shared.formulas_changed = sheet.changed = True


def _cell_xml(column: int, rows: range, formula: str) -> CellXml | None:
    """Return what makes the cells, or None if a copy would refer to rows beyond the sheet."""
    texts, numbers = copies_down(stored(formula))
    if any(number + len(rows) > MOST_ROWS for number in numbers):
        return None
    body = b"%d".join(escaped(text).replace(b"%", b"%%") for text in texts)
    form = b'<c r="' + letters(column).encode() + b'%d"%b><f>' + body + b"</f></c>"

    def cell_xml(row: int, down: int, style: int) -> bytes:
        attribute = b' s="%d"' % style if style else b""
        return form % (row, attribute, *(number + down for number in numbers))

    return cell_xml
