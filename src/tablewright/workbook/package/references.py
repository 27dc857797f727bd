"""Every place in a workbook that contains a formula or a reference: cells, rules, names, tables, charts, pivots, links.

`everywhere` applies one change to all of them, so that moving rows and renaming sheets share a single list.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tablewright.workbook.package import cells, relations
from tablewright.workbook.package.book import Book, Tab
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.xml import Element, child, escaped, local, parse, serialized, unescaped

Change = Callable[[str, str], str]
"""Maps a formula without `=` and the name of its sheet to the changed formula."""

FORMULA_ELEMENTS = frozenset({
    "formula", "formula1", "formula2", "f", "calculatedColumnFormula", "totalsRowFormula", "xFormula",
})  # fmt: skip
_CHART_FORMULA = re.compile(rb"(<(\w+:)?f(?:\s[^>]*)?>)(.*?)(</\2?f>)", re.DOTALL)
_CONTROL = ("fmlaLink", "fmlaRange", "fmlaGroup", "fmlaTxbx", "linkedCell", "listFillRange")
_GONE = "#REF!"
_OTHER_SPELLINGS = (b"&#", b"&apos;", b"&quot;")


def everywhere(book: Book, change: Change, mentioned: str | None = None) -> None:
    """Apply `change` to every formula of the workbook.

    With `mentioned`, other sheets are processed only if their part mentions that sheet's name.
    """
    for tab in book.worksheets():
        if mentioned is None or tab.name == mentioned or _mentions(book, tab.part, mentioned):
            _in_sheet(book.sheet(tab.name), change)
    _in_names(book, change)
    for part in book.archive.names():
        if part.endswith(".xml") and ("/charts/" in part or "/chartex" in part.lower()):
            book.archive[part] = in_chart(book.archive[part], change)
    for tab in book.tabs:
        _in_related(book, tab, change)


def in_chart(part: bytes, change: Change) -> bytes:
    """Return a chart part with its formulas changed and everything else as it was."""

    def replaced(match: re.Match[bytes]) -> bytes:
        text = unescaped(match[3])
        new = change(text, "")
        return match[0] if new == text else match[1] + escaped(new) + match[4]

    return _CHART_FORMULA.sub(replaced, part)


def in_rows(raw: bytes, change: Callable[[str], str]) -> bytes:
    """Return a row's bytes with its formulas changed."""

    def replaced(match: re.Match[bytes]) -> bytes:
        if not match[2]:
            return match[0]
        text = unescaped(match[2])
        new = change(text)
        return match[0] if new == text else b"<f" + match[1] + b">" + escaped(new) + b"</f>"

    return cells.FORMULA.sub(replaced, raw)


def in_elements(root: Element, change: Change, home: str) -> bool:
    """Change the formulas in an XML tree; return True if any changed."""
    changed = False
    for element in root.iter():
        if local(element) in FORMULA_ELEMENTS and element.text:
            new = change(element.text, home)
            changed |= new != element.text
            element.text = new
        for name in ("location",) if local(element) == "hyperlink" else ():
            if (text := element.get(name)) and "!" in text:
                changed |= (new := change(text, home)) != text
                element.set(name, new if _GONE not in new else text)
    return changed


def _mentions(book: Book, part: str, name: str) -> bool:
    """Whether a sheet's part may mention a name: texts written as numbers of characters may hold any."""
    data = book.archive[part]
    spelled = escaped(name.replace("'", "''")) in data or any(sign in data for sign in _OTHER_SPELLINGS)
    return spelled or book.sheet_is_open(part)


def _in_sheet(sheet: WorkbookSheet, change: Change) -> None:
    def own(text: str) -> str:
        return change(text, sheet.name)

    sheet.changed |= sheet.rows.rewrite(b"<f", lambda raw: in_rows(raw, own))
    sheet.rewrite_masters(own)
    if in_elements(sheet.frame, change, sheet.name):
        sheet.changed = True


def _in_names(book: Book, change: Change) -> None:
    names = child(book.root, "definedNames")
    if names is None:
        return
    tabs = book.tabs
    for entry in list(names):
        index = entry.get("localSheetId")
        home = tabs[int(index)].name if index and index.isdigit() and int(index) < len(tabs) else ""
        text = entry.text or ""
        new = change(text, home)
        if new == text:
            continue
        book.root_changed = True
        kept = [part for part in new.split(",") if _GONE not in part]
        if entry.get("name", "").startswith("_xlnm.") and len(kept) < len(new.split(",")):
            new = ",".join(kept)
        if new:
            entry.text = new
        else:
            names.remove(entry)


def _in_related(book: Book, tab: Tab, change: Change) -> None:
    archive = book.archive
    for table in relations.related(archive, tab.part, "table"):
        root = parse(archive[table])
        if in_elements(root, change, tab.name):
            archive[table] = serialized(root)
    for control in relations.related(archive, tab.part, "ctrlProp"):
        _in_attributes(book, control, change, tab.name)
    for drawing in relations.related(archive, tab.part, "drawing"):
        if b"textlink=" in archive[drawing]:
            _in_attributes(book, drawing, change, tab.name)


def _in_attributes(book: Book, part: str, change: Change, home: str) -> None:
    root = parse(book.archive[part])
    changed = False
    for element in root.iter():
        for name in (*_CONTROL, "textlink"):
            if text := element.get(name) if isinstance(element.tag, str) else None:
                changed |= (new := change(text, home)) != text
                element.set(name, new)
    if changed:
        book.archive[part] = serialized(root)
