"""A reduced copy of a workbook with only what computing needs: cells, names, tables, formats.

Parts that an engine may stumble over (macros, foreign metadata, drawings) are left out.
"""

from __future__ import annotations

from pathlib import Path

from tablewright.workbook.package import relations
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.xml import child, children, local, parse, serialized

_WORKBOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
_WORKBOOK_KEPT = frozenset({"sheets", "definedNames"})
_FRAME_KEPT = frozenset({"dimension", "sheetData", "tableParts"})
_BOOK_RELATIONS = frozenset({"worksheet", "sharedStrings", "styles", "sheetMetadata"})


def write_lean(path: Path, target: Path, name: str) -> None:
    """Write the reduced copy of the workbook at `path` to `target`."""
    book = Book(path, name)
    archive = book.archive
    kept = {relations.CONTENT_TYPES, "_rels/.rels", book.part, relations.relations_name(book.part)}
    for relation in relations.relations(archive, book.part):
        if relation.kind in _BOOK_RELATIONS:
            kept.add(relation.target)
    tables: set[str] = set()
    for tab in book.worksheets():
        tables |= set(relations.related(archive, tab.part, "table"))
        _reduce_sheet(book.sheet(tab.name))
        _keep_relations(book, tab.part, frozenset({"table"}))
        kept |= {tab.part, relations.relations_name(tab.part)}
    _reduce_workbook(book)
    _keep_relations(book, book.part, _BOOK_RELATIONS)
    _keep_relations(book, "", frozenset({"officeDocument"}))
    book.flush()
    for part in archive.names():
        if part not in kept | tables:
            del archive[part]
    _reduce_types(book, kept | tables)
    book.archive.write(target)


def _reduce_sheet(sheet: WorkbookSheet) -> None:
    for element in list(sheet.frame):
        if local(element) not in _FRAME_KEPT:
            sheet.frame.remove(element)
    sheet.changed = True


def _reduce_workbook(book: Book) -> None:
    dated = book.shared.counts_from_1904
    iterated = child(book.root, "calcPr")
    for element in list(book.root):
        if local(element) not in _WORKBOOK_KEPT and element is not iterated:
            book.root.remove(element)
    for element in list(book.root.iter()):
        if local(element) == "definedName" and (
            "[" in (element.text or "") or element.get("name", "").startswith("_xlnm.")
        ):
            element.getparent().remove(element)
    sheets = child(book.root, "sheets")
    worksheets = {tab.relation for tab in book.worksheets()}
    for entry in list(sheets) if sheets is not None else []:
        if not worksheets & set(entry.attrib.values()):
            entry.getparent().remove(entry)
    names = child(book.root, "definedNames")
    if names is not None and len(names) == 0:
        book.root.remove(names)
    if dated:
        properties = book.root.makeelement(book.root.tag.replace("workbook", "workbookPr"), {"date1904": "1"})
        book.root.insert(0, properties)
    book.root_changed = True


def _keep_relations(book: Book, part: str, kinds: frozenset[str]) -> None:
    name = relations.relations_name(part)
    if name not in book.archive:
        return
    root = parse(book.archive[name])
    for entry in children(root, "Relationship"):
        if entry.get("Type", "").rpartition("/")[2] not in kinds:
            root.remove(entry)
    book.archive[name] = serialized(root)


def _reduce_types(book: Book, kept: set[str]) -> None:
    root = parse(book.archive[relations.CONTENT_TYPES])
    for entry in children(root, "Override"):
        part = entry.get("PartName", "").lstrip("/")
        if part == book.part:
            entry.set("ContentType", _WORKBOOK_TYPE)
        elif part not in kept:
            root.remove(entry)
    book.archive[relations.CONTENT_TYPES] = serialized(root)
