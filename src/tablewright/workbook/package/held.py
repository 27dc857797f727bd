"""Formulas that the engine cannot compute and whose stored values are held while the others are computed.

Functions of add-ins, cubes and web services, names that only the program knows that wrote the file, references to other
workbooks: their last values are the best that is known of them, and formulas that depend on them are computed from
those.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

from tablewright.workbook.formulas import references
from tablewright.workbook.package import cells
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.names import names_of
from tablewright.workbook.package.raw_rows import RawCell
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.tables import all_tables

Place = tuple[str, int, int]
"""A cell's sheet, row and column."""
Held = dict[Place, RawCell]
"""The formulas that were replaced by their values, as they were."""
_EXTERNAL = re.compile(r"(?<![\w\])])\[\d+\](?=[^\]\s:,)])")
"""A reference to another workbook, not a column of a table whose name is a number."""
_SURROUNDINGS = re.compile(r"(?i)(?<![\w.])(?:CELL|INFO)\(")
_STRING = re.compile(r'"(?:[^"]|"")*"')
_WORD = re.compile(r"[^\W\d][\w.]*")
_MOST_TRACED = 2_000


def formula_cells(sheet: WorkbookSheet) -> Iterator[tuple[int, int, RawCell]]:
    """Yield the cells with formulas by row and column, open for modification."""
    for number in sheet.rows.numbers:
        if b"<f" in sheet.rows.raw(number):
            for column, raw in sheet.rows.row(number).cells.items():
                if b"<f" in raw.body:
                    yield number, column, raw


def hold(book: Book, wanted: Callable[[WorkbookSheet, int, int, RawCell], bool]) -> Held:
    """Replace the wanted formulas by their stored values; return them as they were."""
    held: Held = {}
    for tab in book.worksheets():
        if not book.archive.mentions(tab.part, b"<f"):
            continue
        sheet = book.sheet(tab.name)
        sheet.unshare()
        for row, column, raw in formula_cells(sheet):
            if wanted(sheet, row, column, raw):
                held[tab.name, row, column] = replace(raw)
                raw.body, raw.rest = cells.FORMULA.sub(b"", raw.body), b""
                sheet.changed = True
    return held


def is_external(sheet: WorkbookSheet, row: int, column: int, raw: RawCell) -> bool:
    """Whether a formula refers to another workbook."""
    if b"[" not in raw.body:
        return False
    return bool(_EXTERNAL.search(_STRING.sub("", sheet.data_of(raw, row, column).formula or "")))


def unknown_places(book: Book, computed: Book, functions: Collection[str], gone: Collection[str]) -> set[Place]:
    """Return the formulas whose stored values an engine replaced by an error that is only its own.

    `functions` are those that it does not know; `gone` are the names, in lower case, that formulas can no longer refer
    to. A formula that only depends on such formulas is not among them.
    """
    found: dict[Place, str] = {}
    for tab in book.worksheets():
        if tab.part not in computed.archive or not computed.archive.mentions(tab.part, b'"e"'):
            continue
        sheet, other = book.sheet(tab.name), computed.sheet(tab.name)
        for row in other.rows.numbers:
            if b'"e"' in other.rows.raw(row):
                found |= _in_row(sheet, other, row)
    own = {place: text for place, text in found.items() if not _words(text) & set(gone)}
    unknown = {name.casefold().removeprefix("_xlfn.") for name in functions}
    return {place for place, text in own.items() if _words(text) & unknown} | sources(own)


def words_known(book: Book) -> set[str]:
    """Return the names, in lower case, that formulas of a workbook can refer to: defined names, tables."""
    return {name.casefold() for name, _ in names_of(book)} | {table.name.casefold() for table in all_tables(book)}


def sources(found: Mapping[Place, str]) -> set[Place]:
    """Return those formulas, given as texts, that refer to none of the others; of very many, all."""
    if len(found) > _MOST_TRACED:
        return set(found)
    return {place for place, text in found.items() if not _depends(place, text, found)}


def _in_row(sheet: WorkbookSheet, computed: WorkbookSheet, row: int) -> dict[Place, str]:
    """Return the formulas of a row whose stored values have become errors."""
    old, new = sheet.rows.peek(row), computed.rows.peek(row)
    found: dict[Place, str] = {}
    for column, raw in new.cells.items() if new is not None and old is not None else ():
        before = old.cells.get(column) if old is not None else None
        if raw.type != b"e" or before is None or before.type == b"e" or not stored(before):
            continue
        text = sheet.data_of(before, row, column).formula
        if text and (b"#NAME?" in raw.body or _SURROUNDINGS.search(text)):
            found[sheet.name, row, column] = _STRING.sub("", text)
    return found


def stored(raw: RawCell) -> bool:
    """Whether a cell stores a value beside its formula."""
    return b"</v>" in raw.body or raw.type == b"str"


def _words(text: str) -> set[str]:
    return {word.casefold().removeprefix("_xlfn.") for word in _WORD.findall(text)}


def _depends(place: Place, text: str, found: Mapping[Place, str]) -> bool:
    """Whether a formula refers to one of the others that were found."""
    for reference in references(text):
        sheet = (reference.sheet or place[0]).casefold()
        first, last = reference.corners[0], reference.corners[-1]
        for name, row, column in found:
            below = (first.row or 0) <= row <= (last.row or row)
            beside = (first.column or 0) <= column <= (last.column or column)
            if name.casefold() == sheet and below and beside and (name, row, column) != place:
                return True
    return False
