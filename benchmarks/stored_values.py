"""The values that a workbook stores, read without the product's own code, and which of them an edit lost."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from tablewright.workbook.areas import areas_of, column_number

_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_NAME = re.compile(r"([A-Z]+)(\d+)")
_FILLING = frozenset({"array", "dataTable"})
"""The kinds of formulas that give other cells their values, too."""
Place = tuple[int, str]
"""A cell's row, and the letters of its column."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What a cell stores: whether a formula gives its value, and its value as it is written (type and text), if it has
    one."""

    formula: bool
    value: tuple[str, str] | None


def stored_values(path: Path) -> dict[str, dict[Place, Stored]]:
    """Return the cells of each worksheet that have a formula or a value."""
    with zipfile.ZipFile(path) as archive:
        return {name: _cells(archive.read(part)) for name, part in _sheets(archive).items()}


def lost_values(before: Path, after: Path, sheet: str, moved: Callable[[int], int | None]) -> list[str]:
    """Return the cells that had a value and have none any more, `moved` giving the rows of `sheet` after the edit.

    A constant must also be the same; a formula's value may be another one, but not have become an error.
    """
    old, new = stored_values(before), stored_values(after)
    lost: list[str] = []
    for name, cells in old.items():
        for (row, column), cell in cells.items():
            to = moved(row) if name == sheet else row
            if cell.value is None or to is None:
                continue
            found = new.get(name, {}).get((to, column))
            if found is None or found.value is None or _worse(cell, found):
                lost.append(f"{name}!{column}{row}")
    return lost


def _worse(before: Stored, after: Stored) -> bool:
    if before.value is None or after.value is None or not before.formula:
        return before.value != after.value
    return after.value[0] == "e" != before.value[0]


def valueless(path: Path) -> int:
    """Return how many formulas have no value."""
    return sum(cell.formula and cell.value is None for cells in stored_values(path).values() for cell in cells.values())


def _sheets(archive: zipfile.ZipFile) -> dict[str, str]:
    names = {name.lower(): name for name in archive.namelist()}
    root = etree.fromstring(archive.read(names["_rels/.rels"]))
    book = next(entry.get("Target").lstrip("/") for entry in root if entry.get("Type").endswith("/officeDocument"))
    folder, file = posixpath.split(book)
    links = etree.fromstring(archive.read(names[f"{folder}/_rels/{file}.rels".lstrip("/").lower()]))
    targets = {
        entry.get("Id"): posixpath.normpath(posixpath.join("/" + folder, entry.get("Target"))).lstrip("/")
        for entry in links
        if entry.get("Type").endswith("/worksheet")
    }
    entries = etree.fromstring(archive.read(names[book.lower()])).iter("{*}sheet")
    parts = {entry.get("name"): targets.get(entry.get(_RELATION), "").lower() for entry in entries}
    return {name: names[part] for name, part in parts.items() if part in names}


def _cells(part: bytes) -> dict[Place, Stored]:
    root = etree.fromstring(part, etree.XMLParser(huge_tree=True))
    filled = [areas_of(formula.get("ref"))[0] for formula in root.iter("{*}f") if formula.get("t") in _FILLING]
    found: dict[Place, Stored] = {}
    for cell in root.iter("{*}c"):
        match = _NAME.fullmatch(cell.get("r", ""))
        value, inline = cell.find("{*}v"), cell.find("{*}is")
        text = "".join(inline.itertext()) if inline is not None else None if value is None else value.text or ""
        if text == "" and cell.get("t", "n") == "n":
            text = None
        if match is None or (cell.find("{*}f") is None and text is None):
            continue
        row, column = int(match[2]), match[1]
        computed = cell.find("{*}f") is not None or any(area.holds(row, column_number(column)) for area in filled)
        found[row, column] = Stored(computed, None if text is None else (cell.get("t", "n"), text))
    return found
