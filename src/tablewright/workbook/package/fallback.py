"""The second way into a file: openpyxl reads what is written in an unusual way and writes it in the usual one.

It keeps cells, formats, formulas, names, tables, rules and most charts; what it cannot keep is named beforehand.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from zipfile import BadZipFile

import openpyxl
from openpyxl.workbook import Workbook

from tablewright.domain.notice import Notice
from tablewright.errors import FileUnreadable

MOST_LETTERS = 256 * 1024**2
"""Texts are written at each cell that shows them: a long one that many share would fill the disk."""


def rewritten(path: Path, target: Path, name: str) -> tuple[Notice, ...]:
    """Write the workbook at `path` anew and return what that loses. Errors: `FileUnreadable`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what it warns of is what the notice says
        try:
            book = openpyxl.load_workbook(path, keep_vba=Path(name).suffix.lower() == ".xlsm")
            if not book.worksheets:
                raise FileUnreadable("file_damaged", name=name)
            if _letters(book) > MOST_LETTERS:
                raise FileUnreadable("file_bomb", name=name)
            book.save(target)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, OSError, BadZipFile, SyntaxError) as error:
            raise FileUnreadable("file_damaged", name=name) from error
    return (Notice(code="loss_rewritten", params={"name": name}),)


def _letters(book: Workbook) -> int:
    return sum(
        len(cell.value)
        for sheet in book.worksheets
        for cell in sheet._cells.values()  # noqa: SLF001  # the public iterators make a cell for every empty place
        if isinstance(cell.value, str)
    )
