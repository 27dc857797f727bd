"""Cached values made true: every formula computed anew, and what gives an error told."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import formualizer

from tablewright.workbook.areas import cell_name
from tablewright.workbook.base import FormulaError, Notice
from tablewright.workbook.package import cells
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.rows import RawCell
from tablewright.workbook.package.sheet import Sheet

CIRCULAR = "#CIRC!"
_SAYABLE = frozenset({"Div", "Name", "Value", "Ref", "Na", "Num", "Null", "Spill", "Calc"})
"""Errors that a file can hold as a value."""
_ERROR_CELL = b't="e"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalculated:
    """What came of it: `notices` say what could not be computed, `circular` which formulas need their own result."""

    notices: tuple[Notice, ...] = ()
    circular: tuple[FormulaError, ...] = ()
    computed: bool = True


def has_formulas(book: Book) -> bool:
    """Whether any sheet holds a formula."""
    return any(b"<f" in book.archive[tab.part] for tab in book.worksheets())


def recalculate(path: Path, name: str) -> Recalculated:
    """Compute every formula of the file at `path` and write the values into it; all else stays as it is.

    The engine refuses a whole file for one formula that it cannot write a value for (a circular one, a called LAMBDA).
    Such formulas are found cell by cell, held at their last value, and the rest is computed without them.
    """
    book = Book(path, name)
    if not has_formulas(book):
        return Recalculated()
    with tempfile.TemporaryDirectory() as folder:
        computed = Path(folder) / "computed.xlsx"
        said, _ = _computed(path, computed)
        if said is not None:
            _take_values(book, computed, name)
            book.save(path)
            return Recalculated(notices=_unknown(said))
        return _without_some(book, path, Path(folder))


def refresh(book: Book) -> None:
    """Give the formulas of an open book their true values, where they may not have them."""
    if not book.stale or not has_formulas(book):
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "refreshed.xlsx"
        book.save(path)
        if recalculate(path, book.name).computed:
            _take_values(book, path, book.name)
            book.reread()
    book.stale = False


def _computed(path: Path, target: Path) -> tuple[dict[str, Any] | None, str]:
    try:
        return dict(formualizer.recalculate_xlsx_file(str(path), str(target))), ""
    except Exception as error:  # noqa: BLE001  # the engine has no family of errors; its words are told if nothing helps
        return None, str(error)[:200]


def _without_some(book: Book, path: Path, folder: Path) -> Recalculated:
    try:
        held, circular = _uncomputable(book, path)
    except Exception as error:  # noqa: BLE001  # what cannot even be loaded keeps its old values, and that is said
        return Recalculated(computed=False, notices=(_failure(str(error)[:200]),))
    rests: dict[tuple[str, int, int], bytes] = {}
    for place, formula in held.items():
        raw = book.sheet(place[0]).rows.row(place[1]).cells[place[2]]
        rests[place] = raw.rest
        raw.body, raw.rest = raw.body.replace(formula, b""), b""
        book.sheet(place[0]).changed = True
    lean, computed = folder / "lean.xlsx", folder / "computed.xlsx"
    book.save(lean)
    said, cause = _computed(lean, computed)
    if said is None:
        return Recalculated(computed=False, notices=(_failure(cause),), circular=circular)
    _take_values(book, computed, book.name)
    book.forget()
    for place, formula in held.items():
        raw = book.sheet(place[0]).rows.row(place[1]).cells[place[2]]
        raw.body, raw.rest = formula + raw.body, rests[place]
        if raw.type in {b"s", b"inlineStr"}:
            raw.type, raw.body = b"", formula
        book.sheet(place[0]).changed = True
    book.save(path)
    uncounted = len(held) - len(circular)
    notices = (Notice(code="cells_not_recalculated", params={"count": uncounted}),) if uncounted else ()
    return Recalculated(notices=(*notices, *_unknown(said)), circular=circular)


def _uncomputable(book: Book, path: Path) -> tuple[dict[tuple[str, int, int], bytes], tuple[FormulaError, ...]]:
    """Find the formulas that the engine has no value for: each with its XML, and those of them that are circular."""
    engine: Any = formualizer.load_workbook(str(path))
    engine.evaluate_all()
    held: dict[tuple[str, int, int], bytes] = {}
    circular: list[FormulaError] = []
    for tab in book.worksheets():
        if b"<f" not in book.archive[tab.part]:
            continue
        sheet = book.sheet(tab.name)
        sheet.unshare()
        for row, column, raw in _formula_cells(sheet):
            kind = _error_kind(engine, tab.name, row, column)
            match = cells.FORMULA.search(raw.body)
            if kind is None or kind in _SAYABLE or match is None:
                continue
            held[tab.name, row, column] = match[0]
            if kind == "Circ":
                formula = sheet.read(row, column).formula or ""
                circular.append(
                    FormulaError(sheet=tab.name, ref=cell_name(row, column), error=CIRCULAR, formula=formula)
                )
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


def formula_errors(path: Path, name: str) -> list[FormulaError]:
    """Return the cells of a file whose formulas give an error."""
    book = Book(path, name)
    found: list[FormulaError] = []
    for tab in book.worksheets():
        if _ERROR_CELL not in book.archive[tab.part]:
            continue
        sheet = book.sheet(tab.name)
        for number in sheet.rows.numbers:
            raw = sheet.rows.raw(number)
            if _ERROR_CELL not in raw or b"<f" not in raw:
                continue
            for column in sorted((sheet.rows.peek(number) or sheet.rows.row(number)).cells):
                cell = sheet.read(number, column)
                if cell.error and cell.formula:
                    found.append(
                        FormulaError(
                            sheet=tab.name, ref=cell_name(number, column), error=str(cell.value), formula=cell.formula
                        )
                    )
    return found


def _take_values(book: Book, computed: Path, name: str) -> None:
    """Take over the sheets that the engine wrote; it changes cached values only."""
    other = Book(computed, name)
    for tab in book.worksheets():
        if b"<f" in book.archive[tab.part] and tab.part in other.archive:
            book.archive[tab.part] = other.archive[tab.part]


def _failure(cause: str) -> Notice:
    return Notice(code="not_recalculated", params={"cause": cause})


def _unknown(said: dict[str, Any]) -> tuple[Notice, ...]:
    names = sorted({str(entry.get("name")) for entry in (said.get("summary") or {}).get("unknown_functions", [])})
    return (Notice(code="functions_unknown", params={"names": ", ".join(names)}),) if names else ()
