"""Evaluate formulas one by one.

This finds the formulas that the engine cannot compute, and the values of all formulas when the engine writes none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

import formualizer

from tablewright.workbook.areas import cell_name
from tablewright.workbook.base import FormulaError
from tablewright.workbook.package import cells
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.rows import RawCell
from tablewright.workbook.package.shared import Shared
from tablewright.workbook.package.sheet import Sheet
from tablewright.workbook.package.xml import escaped
from tablewright.workbook.values import number_text, serial

CIRCULAR = "#CIRC!"
"""The error reported for a circular formula; the file holds 0 instead."""
Place = tuple[str, int, int]
"""A cell's sheet, row and column."""
_SAYABLE = {
    "Div": "#DIV/0!", "Name": "#NAME?", "Value": "#VALUE!", "Ref": "#REF!", "Na": "#N/A", "Num": "#NUM!", "Null": "#NULL!",
    "Spill": "#SPILL!", "Calc": "#CALC!",
}  # fmt: skip
"""Errors that a file can store as a value."""
_CACHED = re.compile(rb"<v\b[^>]*>.*?</v>|<v\b[^>]*/>", re.DOTALL)
_ASKED_AT_ONCE = 20_000


def compute(book: Book, path: Path) -> int:
    """Give the formulas of `book` the engine's values for the file at `path`.

    Returns the number of formulas that keep their old values.
    """
    engine: Any = formualizer.load_workbook(str(path))
    engine.evaluate_all()
    kept = 0
    for tab in book.worksheets():
        if b"<f" not in book.archive[tab.part]:
            continue
        sheet = book.sheet(tab.name)
        sheet.unshare()
        sheet.changed = True
        found = list(_formula_cells(sheet))
        for start in range(0, len(found), _ASKED_AT_ONCE):
            block = found[start : start + _ASKED_AT_ONCE]
            values = engine.evaluate_cells([(tab.name, row, column) for row, column, _ in block])
            kept += sum(
                not _set_cached(raw, value, book.shared) for (_, _, raw), value in zip(block, values, strict=True)
            )
    return kept


def take_out(book: Book, path: Path) -> tuple[dict[Place, RawCell], tuple[FormulaError, ...]]:
    """Replace the formulas that the engine has no value for by their last values.

    Returns the replaced cells as they were, and the circular formulas.
    """
    engine: Any = formualizer.load_workbook(str(path))
    engine.evaluate_all()
    held: dict[Place, RawCell] = {}
    circular: list[FormulaError] = []
    for tab in book.worksheets():
        if b"<f" not in book.archive[tab.part]:
            continue
        sheet = book.sheet(tab.name)
        sheet.unshare()
        sheet.changed = True
        for row, column, raw in _formula_cells(sheet):
            kind = _error_kind(engine, tab.name, row, column)
            if kind is None or kind in _SAYABLE:
                continue
            held[tab.name, row, column] = replace(raw)
            if kind == "Circ":
                formula = sheet.read(row, column).formula or ""
                circular.append(
                    FormulaError(sheet=tab.name, ref=cell_name(row, column), error=CIRCULAR, formula=formula)
                )
            raw.body, raw.rest = cells.FORMULA.sub(b"", raw.body), b""
    return held, tuple(circular)


def _error_kind(engine: Any, sheet: str, row: int, column: int) -> str | None:
    try:
        value = engine.evaluate_cell(sheet, row, column)
    except Exception:  # noqa: BLE001  # one cell that cannot be computed is told, not the end
        return "Error"
    return str(value.get("kind")) if isinstance(value, dict) else None


def _formula_cells(sheet: Sheet) -> Iterator[tuple[int, int, RawCell]]:
    for number in sheet.rows.numbers:
        if b"<f" in sheet.rows.raw(number):
            for column, raw in sheet.rows.row(number).cells.items():
                if b"<f" in raw.body:
                    yield number, column, raw


def _set_cached(raw: RawCell, value: Any, shared: Shared) -> bool:
    """Store a computed value beside a formula; return False when there is no trustworthy value."""
    if isinstance(value, datetime | date):
        day = serial(value.isoformat())
        value = None if day is None else shared.day(day)
    kind, text = b"", b""
    if isinstance(value, dict):
        error = _SAYABLE.get(str(value.get("kind")))
        if error is None or (error == "#NAME?" and b"[" in raw.body):
            return False
        kind, text = b"e", escaped(error)
    elif isinstance(value, bool):
        kind, text = b"b", b"1" if value else b"0"
    elif isinstance(value, int | float):
        text = number_text(value).encode()
    elif isinstance(value, str):
        kind, text = b"str", escaped(value)
    elif value is not None:
        return False
    raw.type, raw.body = kind, _CACHED.sub(b"", raw.body) + (b"<v>" + text + b"</v>" if text else b"")
    return True
