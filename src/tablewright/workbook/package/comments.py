"""Notes on cells: their texts, and the VML boxes that display them."""

from __future__ import annotations

from lxml import etree

from tablewright.workbook.areas import cell_name, cell_place
from tablewright.workbook.package import relations
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.sheet import ORDER, WorkbookSheet
from tablewright.workbook.package.xml import (
    MAIN,
    RELATIONS,
    Element,
    child,
    coded,
    main,
    needed,
    parse,
    placed,
    serialized,
)

_COMMENTS_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml"
_VML_TYPE = "application/vnd.openxmlformats-officedocument.vmlDrawing"
_VML = (
    b'<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
    b'xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/>'
    b"</o:shapelayout></xml>"
)
_NOTE_TYPE = (
    '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe">'
    '<v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>'
)
_NOTE = (
    '<v:shape id="_x0000_s{id}" type="#_x0000_t202" style="position:absolute;visibility:hidden" fillcolor="#ffffe1" '
    'o:insetmode="auto"><v:fill color2="#ffffe1"/><v:shadow color="black" obscured="t"/><v:path o:connecttype="none"/>'
    '<v:textbox><div style="text-align:left"></div></v:textbox><x:ClientData ObjectType="Note"><x:MoveWithCells/>'
    "<x:SizeWithCells/><x:Anchor>{anchor}</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>{row}</x:Row>"
    "<x:Column>{column}</x:Column></x:ClientData></v:shape>"
)


def add_note(book: Book, sheet: WorkbookSheet, row: int, column: int, text: str, author: str) -> None:
    """Attach a note to a cell, replacing an existing one."""
    part = _comments_part(book, sheet)
    root = parse(book.archive[part])
    listed = needed(root, "commentList")
    ref = cell_name(row, column)
    replaced = False
    for old in [entry for entry in listed if entry.get("ref") == ref]:
        listed.remove(old)
        replaced = True
    made = listed.makeelement(main("comment"), {"ref": ref, "authorId": str(_author(needed(root, "authors"), author))})
    content = etree.SubElement(etree.SubElement(made, main("text")), main("t"))
    content.text = coded(text)
    later = [entry for entry in listed if cell_place(entry.get("ref", "A1")) > (row, column)]
    listed.insert(listed.index(later[0]) if later else len(listed), made)
    book.archive[part] = serialized(root)
    if not replaced:
        _draw(book, sheet, row, column)


def _comments_part(book: Book, sheet: WorkbookSheet) -> str:
    found = relations.related(book.archive, sheet.part, "comments")
    if found:
        return found[0]
    part = relations.free_part(book.archive, f"{book.folder}/comments{{}}.xml".lstrip("/"))
    root = etree.Element(main("comments"), nsmap={None: MAIN})
    etree.SubElement(root, main("authors"))
    etree.SubElement(root, main("commentList"))
    book.archive[part] = serialized(root)
    relations.declare(book.archive, part, _COMMENTS_TYPE)
    relations.relate(book.archive, sheet.part, "comments", part)
    return part


def _author(authors: Element, name: str) -> int:
    for index, entry in enumerate(authors):
        if entry.text == coded(name):
            return index
    etree.SubElement(authors, main("author")).text = coded(name)
    return len(authors) - 1


def _draw(book: Book, sheet: WorkbookSheet, row: int, column: int) -> None:
    """Add the box of a note."""
    part = _boxes_part(book, sheet)
    boxes = book.archive[part]
    number = 1025 + boxes.count(b"<v:shape ")
    while b'id="_x0000_s%d"' % number in boxes:
        number += 1
    anchor = f"{column}, 15, {max(row - 2, 0)}, 10, {column + 2}, 15, {row + 2}, 4"
    shape = _NOTE.format(id=number, anchor=anchor, row=row - 1, column=column - 1)
    kind = "" if b'"_x0000_t202"' in boxes else _NOTE_TYPE
    end = boxes.rindex(b"</xml>")
    book.archive[part] = boxes[:end] + (kind + shape).encode() + boxes[end:]


def _boxes_part(book: Book, sheet: WorkbookSheet) -> str:
    legacy = child(sheet.frame, "legacyDrawing")
    if legacy is not None:
        wanted = legacy.get(f"{{{RELATIONS}}}id")
        found = next((entry for entry in relations.relations(book.archive, sheet.part) if entry.id == wanted), None)
        if found is not None and found.target in book.archive:
            return found.target
    part = relations.free_part(book.archive, f"{book.folder}/drawings/vmlDrawing{{}}.vml".lstrip("/"))
    book.archive[part] = _VML
    relations.declare_default(book.archive, "vml", _VML_TYPE)
    link = relations.relate(book.archive, sheet.part, "vmlDrawing", part)
    placed(sheet.frame, "legacyDrawing", ORDER).set(f"{{{RELATIONS}}}id", link)
    sheet.changed = True
    return part
