"""Recompute every formula so that cached values are correct, and report those that result in errors."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import formualizer

from tablewright.domain.notice import Notice
from tablewright.workbook.areas import cell_name
from tablewright.workbook.base import FormulaError
from tablewright.workbook.package import by_cell
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.lean import write_lean
from tablewright.workbook.package.rows import RawCell

_TOO_MANY = "limit"
"""The engine's reply when a sheet has more formulas or columns than it can write."""
_ERROR_CELL = b't="e"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalculated:
    """The result of a recalculation.

    `notices` report what could not be computed; `circular` lists formulas that depend on their own result.
    """

    notices: tuple[Notice, ...] = ()
    circular: tuple[FormulaError, ...] = ()
    computed: bool = True


def has_formulas(book: Book) -> bool:
    """Whether any sheet holds a formula."""
    return any(b"<f" in book.archive[tab.part] for tab in book.worksheets())


def recalculate(path: Path, name: str) -> Recalculated:
    """Compute every formula of the file at `path` and store the values in it; everything else is unchanged.

    The engine refuses a whole file because of a single formula that it cannot write a value for (a circular one, a
    called LAMBDA). Such formulas are found cell by cell and kept at their last value, and the rest is computed without
    them.
    """
    book = Book(path, name)
    if not has_formulas(book):
        return Recalculated()
    with tempfile.TemporaryDirectory() as folder:
        computed = Path(folder) / "computed.xlsx"
        said, cause = _computed(path, computed)
        if said is not None:
            _take_values(book, computed, name)
            book.save(path)
            return Recalculated(notices=_unknown(said))
        if _TOO_MANY in cause:
            return _by_cell(book, path, path, cause, ())
        return _from_lean(book, path, Path(folder))


def refresh(book: Book) -> None:
    """Compute the formulas of an open book whose stored values may be out of date."""
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


def _from_lean(book: Book, path: Path, folder: Path) -> Recalculated:
    """Compute a reduced copy; if that fails too, without the formulas that cannot be computed."""
    lean, computed = folder / "lean.xlsx", folder / "computed.xlsx"
    write_lean(path, lean, book.name)
    held: dict[by_cell.Place, RawCell] = {}
    circular: tuple[FormulaError, ...] = ()
    said, cause = _computed(lean, computed)
    if said is None:
        try:
            copy = Book(lean, book.name)
            held, circular = by_cell.take_out(copy, lean)
        except Exception as error:  # noqa: BLE001  # what cannot even be loaded keeps its old values, and that is said
            return Recalculated(computed=False, notices=(_failure(str(error)[:200]),))
        copy.save(lean)
        said, cause = _computed(lean, computed)
    if said is None:
        return _by_cell(book, path, lean, cause, circular)
    _take_rows(book, computed, held)
    book.save(path)
    uncounted = len(held) - len(circular)
    notices = (Notice(code="cells_not_recalculated", params={"count": uncounted}),) if uncounted else ()
    return Recalculated(notices=(*notices, *_unknown(said)), circular=circular)


def _by_cell(book: Book, path: Path, lean: Path, cause: str, circular: tuple[FormulaError, ...]) -> Recalculated:
    """Ask the engine for the value of each formula; the last resort for files with more formulas than it can write."""
    try:
        kept = by_cell.compute(book, lean)
    except Exception:  # noqa: BLE001  # the cause that is told is the first one
        return Recalculated(computed=False, notices=(_failure(cause),), circular=circular)
    book.save(path)
    notices = (Notice(code="cells_not_recalculated", params={"count": kept}),) if kept else ()
    return Recalculated(notices=notices, circular=circular)


def _take_rows(book: Book, computed: Path, held: dict[by_cell.Place, RawCell]) -> None:
    """Take over the rows that the engine wrote; held formulas come back with their last values."""
    other = Book(computed, book.name)
    for tab in book.worksheets():
        if b"<f" not in book.archive[tab.part]:
            continue
        sheet, source = book.sheet(tab.name), other.sheet(tab.name)
        sheet.unshare()
        for number in source.rows.numbers:
            raw = source.rows.raw(number)
            if raw != sheet.rows.raw(number):
                sheet.rows.replace(number, raw)
        for (name, row, column), cell in held.items():
            if name == tab.name:
                sheet.rows.row(row).cells[column] = cell
        sheet.changed = True


def formula_errors(path: Path, name: str) -> list[FormulaError]:
    """Return the cells of a file whose formulas result in errors."""
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
