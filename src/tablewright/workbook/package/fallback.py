"""The second way to open a file: openpyxl reads unusual files and writes them in the usual form.

Cells, formats, formulas, names, tables, rules and most charts are kept; what cannot be kept is reported beforehand.
"""

from __future__ import annotations

import warnings
from datetime import date, time, timedelta
from pathlib import Path
from zipfile import BadZipFile

import openpyxl
from openpyxl.utils.datetime import to_excel
from openpyxl.workbook import Workbook

from tablewright.domain.notice import Notice
from tablewright.errors import FileUnreadable
from tablewright.workbook.package import cells
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.held import formula_cells

MOST_LETTERS = 256 * 1024**2
"""A limit on text: each cell gets its own copy, so a long text shared by many cells would fill the disk."""


def rewritten(path: Path, target: Path, name: str) -> tuple[Notice, ...]:
    """Rewrite the workbook at `path` and return what is lost. Errors: `FileUnreadable`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its warnings are covered by the notice
        try:
            book = openpyxl.load_workbook(path, keep_vba=Path(name).suffix.lower() == ".xlsm")
            if not book.worksheets:
                raise FileUnreadable("file_damaged", name=name)
            if _letters(book) > MOST_LETTERS:
                raise FileUnreadable("file_bomb", name=name)
            book.save(target)
            _put_back(path, target, name)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, OSError, BadZipFile, SyntaxError) as error:
            raise FileUnreadable("file_damaged", name=name) from error
    return (Notice(code="loss_rewritten", params={"name": name}),)


def _put_back(path: Path, target: Path, name: str) -> None:
    """Give the formulas of the rewritten file the values that the file stored, of which only a second reading knows.

    They may be the last that is known of formulas that cannot be computed here.
    """
    book = Book(target, name)
    if not any(book.archive.mentions(tab.part, b"<f") for tab in book.worksheets()):
        return
    values = openpyxl.load_workbook(path, data_only=True)
    for tab in book.worksheets():
        sheet, source = book.sheet(tab.name), values[tab.name]
        for row, column, raw in formula_cells(sheet):
            cell = source.cell(row, column)
            moment = isinstance(cell.value, date | time | timedelta)
            value = to_excel(cell.value, values.epoch) if moment else cell.value
            cells.remember(raw, value, error=cell.data_type == "e")
        sheet.changed = True
    book.save(target)


def _letters(book: Workbook) -> int:
    return sum(
        len(cell.value)
        for sheet in book.worksheets
        for cell in sheet._cells.values()  # noqa: SLF001  # the public iterators make a cell for every empty place
        if isinstance(cell.value, str)
    )
