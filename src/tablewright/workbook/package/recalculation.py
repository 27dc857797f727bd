"""Recompute every formula so that cached values are correct, and report those that result in errors."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import formualizer

from tablewright.domain.notice import Notice
from tablewright.workbook.areas import cell_name
from tablewright.workbook.base import FormulaError
from tablewright.workbook.package import by_cell
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.held import Held, Place, hold, is_external, sources, unknown_places
from tablewright.workbook.package.lean import write_lean
from tablewright.workbook.package.raw_rows import RawCell
from tablewright.workbook.package.sheet import WorkbookSheet

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
    return any(book.archive.mentions(tab.part, b"<f") for tab in book.worksheets())


def recalculate(path: Path, name: str, gone: Collection[str] = ()) -> Recalculated:
    """Compute every formula of the file at `path` and store the values in it; everything else is unchanged.

    The engine refuses a whole file because of a single formula that it cannot write a value for (a circular one, a
    called LAMBDA, one that refers to another workbook), and has errors for functions and names that it does not know.
    Such formulas keep their last values, and the rest is computed from these. `gone` are names that formulas can no
    longer refer to, so that an error is right.
    """
    book = Book(path, name)
    if not has_formulas(book):
        return Recalculated()
    with tempfile.TemporaryDirectory() as folder:
        computed = Path(folder) / "computed.xlsx"
        said, cause = _computed(path, computed)
        if said is None and _TOO_MANY in cause:
            return _by_cell(book, path, path, cause, ())
        unknown = unknown_places(book, Book(computed, name), _functions(said), gone) if _errors(said) else set()
        if said is None or unknown:
            lean = _Reduced(path, Path(folder), name, _functions(said))
            return _from_lean(book, path, lean, unknown, gone)
        _take_values(book, computed, name)
        book.save(path)
        return Recalculated(notices=_unknown(_functions(said)))


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
        said = dict(formualizer.recalculate_xlsx_file(str(path), str(target)))
    except Exception as error:  # noqa: BLE001  # the engine has no family of errors; its words are told
        return None, str(error)[:200]
    said.pop("bytes", None)  # the whole file once more
    return said, ""


class _Reduced:
    """A reduced copy of a workbook, to compute without the formulas that are `held` at their stored values.

    `functions` are those that the engine does not know.
    """

    def __init__(self, path: Path, folder: Path, name: str, functions: set[str]) -> None:
        self.path, self.computed, self.name = folder / "lean.xlsx", folder / "computed.xlsx", name
        self.held: Held = {}
        self.functions = functions
        write_lean(path, self.path, name)

    def hold(self, wanted: Callable[[WorkbookSheet, int, int, RawCell], bool]) -> None:
        """Hold more formulas."""
        copy = Book(self.path, self.name)
        self.held |= hold(copy, wanted)
        copy.save(self.path)

    def hold_places(self, places: Collection[Place]) -> None:
        """Hold the formulas at these places."""
        self.hold(lambda sheet, row, column, _raw: (sheet.name, row, column) in places)

    def compute(self) -> tuple[dict[str, Any] | None, str]:
        """Compute the rest; return what the engine said of it, or why it could not."""
        said, cause = _computed(self.path, self.computed)
        self.functions |= _functions(said)
        return said, cause


def _from_lean(
    book: Book, path: Path, lean: _Reduced, unknown: Collection[Place], gone: Collection[str]
) -> Recalculated:
    """Compute a reduced copy without the `unknown` formulas and those that refer to other workbooks; if that fails
    too, without all that cannot be computed."""
    lean.hold(
        lambda sheet, row, column, raw: (sheet.name, row, column) in unknown or is_external(sheet, row, column, raw)
    )
    said, cause = lean.compute()
    circular: tuple[FormulaError, ...] = ()
    if said is None:
        try:
            said, cause, circular = _without_valueless(lean)
        except Exception as error:  # noqa: BLE001  # what cannot even be loaded keeps its old values, and that is said
            return Recalculated(computed=False, notices=(_failure(str(error)[:200]),))
    if said is None:
        return _by_cell(book, path, lean.path, cause, circular)
    late = unknown_places(book, Book(lean.computed, book.name), _functions(said), gone) if _errors(said) else set()
    if late:
        lean.hold_places(late)
        lean.compute()
    _take_rows(book, lean.computed, lean.held)
    book.save(path)
    uncounted = len(lean.held) - len(circular)
    notices = (Notice(code="cells_not_recalculated", params={"count": uncounted}),) if uncounted else ()
    return Recalculated(notices=(*notices, *_unknown(lean.functions)), circular=circular)


def _without_valueless(lean: _Reduced) -> tuple[dict[str, Any] | None, str, tuple[FormulaError, ...]]:
    """Compute without the formulas that the engine has no value for: at first only those that the others wait for."""
    found = by_cell.valueless(Book(lean.path, lean.name), lean.path)
    first = sources({place: entry.formula for place, entry in found.items()})
    lean.hold_places(first)
    said, cause = lean.compute()
    if said is None:
        lean.hold_places(found)
        said, cause = lean.compute()
    return said, cause, by_cell.circular_errors(found, lean.held)


def _by_cell(book: Book, path: Path, lean: Path, cause: str, circular: tuple[FormulaError, ...]) -> Recalculated:
    """Ask the engine for the value of each formula; the last resort for files with more formulas than it can write."""
    try:
        kept = by_cell.compute(book, lean)
    except Exception:  # noqa: BLE001  # the cause that is told is the first one
        return Recalculated(computed=False, notices=(_failure(cause),), circular=circular)
    book.save(path)
    notices = (Notice(code="cells_not_recalculated", params={"count": kept}),) if kept else ()
    return Recalculated(notices=notices, circular=circular)


def _take_rows(book: Book, computed: Path, held: Held) -> None:
    """Take over the rows that the engine wrote; held formulas come back with their last values."""
    other = Book(computed, book.name)
    for tab in book.worksheets():
        if not book.archive.mentions(tab.part, b"<f"):
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
        if not book.archive.mentions(tab.part, _ERROR_CELL):
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
        if book.archive.mentions(tab.part, b"<f") and tab.part in other.archive:
            book.archive[tab.part] = other.archive[tab.part]


def _failure(cause: str) -> Notice:
    return Notice(code="not_recalculated", params={"cause": cause})


def _errors(said: dict[str, Any] | None) -> bool:
    return said is not None and bool((said.get("summary") or {}).get("total_errors", 1))


def _functions(said: dict[str, Any] | None) -> set[str]:
    """Return the functions that the engine does not know."""
    entries = ((said or {}).get("summary") or {}).get("unknown_functions", [])
    return {str(entry.get("name")) for entry in entries}


def _unknown(functions: set[str]) -> tuple[Notice, ...]:
    names = ", ".join(sorted(functions))
    return (Notice(code="functions_unknown", params={"names": names}),) if names else ()
