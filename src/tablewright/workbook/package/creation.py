"""Whole files, in the child process: create them from rows, convert or compute them, and find where they may be cut."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path
from typing import Any

import xlsxwriter

from tablewright.domain.codec import from_python, to_json
from tablewright.domain.notice import Notice
from tablewright.domain.table import Cell
from tablewright.errors import FileTooLarge, InvalidInput
from tablewright.workbook.areas import MOST_COLUMNS, MOST_ROWS, cell_place
from tablewright.workbook.base import NewSheet
from tablewright.workbook.package.opener import kind_of, opened
from tablewright.workbook.package.parsing import is_formula
from tablewright.workbook.package.recalculation import recalculate
from tablewright.workbook.parts import cuts_of

MOST_TEXT = 32_767


def create(path: Path, *, name: str, target: str) -> bytes:
    """Write a workbook with the sheets described by the JSON file at `path`. Errors: `InvalidInput`, `FileTooLarge`."""
    sheets = from_python(tuple[NewSheet, ...], json.loads(path.read_text(encoding="utf-8")))
    options = {"strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(target, options) as made:
        for given in sheets:
            try:
                sheet = made.add_worksheet(given.name)
            except xlsxwriter.exceptions.XlsxWriterException as error:
                raise InvalidInput("sheet_name_invalid", field="sheets", name=given.name) from error
            _fill(sheet, given, name)
    return b""


def convert(path: Path, *, name: str, target: str) -> bytes:
    """Write `target` as xlsx and return what is lost, as JSON. A file that is xlsx already is copied."""
    if kind_of(path, name) == "xlsx":
        shutil.copyfile(path, target)
        return to_json(tuple[Notice, ...], ())
    with opened(path, name) as found:
        found.book.save(Path(target))
        return to_json(tuple[Notice, ...], found.losses)


def compute(path: Path, *, name: str, target: str) -> bytes:
    """Write `target` with the values of all formulas; return what could not be computed, as JSON."""
    shutil.copyfile(path, target)
    return to_json(tuple[Notice, ...], recalculate(Path(target), name).notices)


def cuts(path: Path, *, name: str) -> bytes:  # noqa: ARG001  # every job is told what its file is called
    """Return the offsets at which the file may be cut, as JSON."""
    return to_json(tuple[int, ...], cuts_of(path))


def _fill(sheet: Any, given: NewSheet, name: str) -> None:
    row, column = cell_place(given.at)
    width = max(map(len, given.rows), default=0)
    if row + len(given.rows) - 1 > MOST_ROWS or column + width - 1 > MOST_COLUMNS:
        raise FileTooLarge("sheet_too_long", name=name)
    for at, values in enumerate(given.rows, row - 1):
        for place, value in enumerate(values, column - 1):
            _write(sheet, at, place, value)


def _write(sheet: Any, row: int, column: int, value: Cell) -> None:
    if isinstance(value, bool):
        sheet.write_boolean(row, column, value)
    elif isinstance(value, int | float):
        if math.isfinite(value):
            sheet.write_number(row, column, value)
    elif value is not None and value.startswith("=") and is_formula(value):
        sheet.write_formula(row, column, value)
    elif value:
        sheet.write_string(row, column, value[:MOST_TEXT])
