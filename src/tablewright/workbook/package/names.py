"""Defined names of a workbook."""

from __future__ import annotations

from lxml import etree

from tablewright.workbook.areas import Area
from tablewright.workbook.formulas import sheet_prefix
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.xml import Element, child, children, main, placed

ORDER = (
    "fileVersion", "fileSharing", "workbookPr", "workbookProtection", "bookViews", "sheets", "functionGroups",
    "externalReferences", "definedNames", "calcPr", "oleSize", "customWorkbookViews", "pivotCaches", "smartTagPr",
    "smartTagTypes", "webPublishing", "fileRecoveryPr", "webPublishObjects", "extLst",
)  # fmt: skip
"""The schema's sequence of the workbook element's children."""


def names_of(book: Book) -> list[tuple[str, str]]:
    """Return the user-defined names and what they refer to."""
    return [
        (entry.get("name", ""), entry.text or "")
        for entry in _entries(book)
        if not entry.get("name", "").startswith("_xlnm.") and entry.get("hidden") not in {"1", "true"}
    ]


def set_name(book: Book, name: str, sheet: WorkbookSheet, area: Area, *, hidden: bool = False) -> None:
    """Define a name for an area. Built-in names (`_xlnm.…`) are scoped to the sheet."""
    index = next((at for at, tab in enumerate(book.tabs) if tab.name == sheet.name), 0)
    scope = str(index) if name.startswith("_xlnm.") else None
    found = next((entry for entry in _entries(book) if _is(entry, name, scope)), None)
    if found is None:
        found = etree.SubElement(placed(book.root, "definedNames", ORDER), main("definedName"), name=name)
        if scope is not None:
            found.set("localSheetId", scope)
    if hidden:
        found.set("hidden", "1")
    found.text = sheet_prefix(sheet.name) + area.fixed
    book.root_changed = True


def _entries(book: Book) -> list[Element]:
    found = child(book.root, "definedNames")
    return children(found, "definedName") if found is not None else []


def _is(entry: Element, name: str, scope: str | None) -> bool:
    return str(entry.get("name", "")).casefold() == name.casefold() and bool(entry.get("localSheetId") == scope)
