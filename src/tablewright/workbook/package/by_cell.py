"""Evaluate formulas one by one.

This finds the formulas that the engine cannot compute, and the values of all formulas when the engine writes none.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

import formualizer

from tablewright.workbook.areas import cell_name
from tablewright.workbook.base import FormulaError
from tablewright.workbook.package import cells
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.held import Place, formula_cells, stored
from tablewright.workbook.package.raw_rows import RawCell
from tablewright.workbook.package.shared import Shared
from tablewright.workbook.values import serial

CIRCULAR = "#CIRC!"
"""The error reported for a circular formula; the file holds 0 instead."""
_SAYABLE = {
    "Div": "#DIV/0!", "Name": "#NAME?", "Value": "#VALUE!", "Ref": "#REF!", "Na": "#N/A", "Num": "#NUM!",
    "Null": "#NULL!",
    "Spill": "#SPILL!", "Calc": "#CALC!",
}  # fmt: skip
"""Errors that a file can store as a value."""
_ASKED_AT_ONCE = 20_000


@dataclass(frozen=True, slots=True)
class Valueless:
    """A formula that the engine has no value for, starting with `=` (empty for a data table)."""

    formula: str
    circular: bool


def compute(book: Book, path: Path) -> int:
    """Give the formulas of `book` the engine's values for the file at `path`.

    Returns the number of formulas that keep their old values.
    """
    engine: Any = formualizer.load_workbook(str(path))
    engine.evaluate_all()
    kept = 0
    for tab in book.worksheets():
        if not book.archive.mentions(tab.part, b"<f"):
            continue
        sheet = book.sheet(tab.name)
        sheet.unshare()
        sheet.changed = True
        found = list(formula_cells(sheet))
        for start in range(0, len(found), _ASKED_AT_ONCE):
            block = found[start : start + _ASKED_AT_ONCE]
            values = engine.evaluate_cells([(tab.name, row, column) for row, column, _ in block])
            kept += sum(
                not _set_cached(raw, value, book.shared) for (_, _, raw), value in zip(block, values, strict=True)
            )
    return kept


def valueless(book: Book, path: Path) -> dict[Place, Valueless]:
    """Return the formulas of `book` that the engine has no value for, given the file at `path`."""
    engine: Any = formualizer.load_workbook(str(path))
    engine.evaluate_all()
    found: dict[Place, Valueless] = {}
    for tab in book.worksheets():
        if not book.archive.mentions(tab.part, b"<f"):
            continue
        sheet = book.sheet(tab.name)
        for row, column, raw in formula_cells(sheet):
            kind = _error_kind(engine, tab.name, row, column)
            if kind is not None and kind not in _SAYABLE:
                formula = sheet.data_of(raw, row, column).formula or ""
                found[tab.name, row, column] = Valueless(formula, circular=kind == "Circ")
    return found


def circular_errors(found: Mapping[Place, Valueless], held: Collection[Place]) -> tuple[FormulaError, ...]:
    """Return the errors of the circular formulas that are held."""
    return tuple(
        FormulaError(sheet=sheet, ref=cell_name(row, column), error=CIRCULAR, formula=entry.formula)
        for (sheet, row, column), entry in found.items()
        if entry.circular and (sheet, row, column) in held
    )


def _error_kind(engine: Any, sheet: str, row: int, column: int) -> str | None:
    try:
        value = engine.evaluate_cell(sheet, row, column)
    except Exception:  # noqa: BLE001  # one cell that cannot be computed is told, not the end
        return "Error"
    return str(value.get("kind")) if isinstance(value, dict) else None


def _set_cached(raw: RawCell, value: Any, shared: Shared) -> bool:
    """Store a computed value beside a formula; return False when there is no trustworthy value."""
    if isinstance(value, datetime | date):
        day = serial(value.isoformat())
        value = None if day is None else shared.day(day)
    error = isinstance(value, dict)
    if error:
        value = _SAYABLE.get(str(value.get("kind")))
        held = value == "#NAME?" and (b"[" in raw.body or (stored(raw) and raw.type != b"e"))
        value = None if held else value
    elif value is None:
        value = 0  # what a reference to an empty cell gives
    if not isinstance(value, bool | int | float | str):
        return False
    cells.remember(raw, value, error=error)
    return True
