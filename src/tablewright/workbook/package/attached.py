"""Whatever is attached to cells and follows them when rows are reordered: notes with their boxes, threads, links."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from tablewright.workbook.areas import Area, cell_name, cell_place
from tablewright.workbook.package import relations
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.xml import child, local, parse, serialized

_BOX = re.compile(rb"<(?P<v>\w+):shape\s.*?</(?P=v):shape>", re.DOTALL)
_ROW = re.compile(rb"(<\w+:Row>\s*)(\d+)(\s*</\w+:Row>)")
_COLUMN = re.compile(rb"<\w+:Column>\s*(\d+)\s*</\w+:Column>")
_ANCHOR = re.compile(rb"(<\w+:Anchor>)([\d\s,]+)(</\w+:Anchor>)")
_ANCHOR_NUMBERS, _ANCHOR_ROWS = 8, (2, 6)
_SINGLE = re.compile(r"[A-Z]{1,3}[0-9]+")

Place = Callable[[int, int], int]
"""Maps the row and the column of a cell to the cell's new row."""


def move_attached(book: Book, sheet: WorkbookSheet, body: Area, moved: Mapping[int, int]) -> None:
    """Move whatever is attached to the body's cells.

    `moved` maps each changed row to the row whose cells it received.
    """
    places = {source: to for to, source in moved.items()}

    def place(row: int, column: int) -> int:
        return places.get(row, row) if body.first_column <= column <= body.last_column else row

    for kind, element in (("comments", "comment"), ("threadedComment", "threadedComment")):
        for part in relations.related(book.archive, sheet.part, kind):
            _move_listed(book, part, element, place)
    for part in relations.related(book.archive, sheet.part, "vmlDrawing"):
        boxes = book.archive[part]
        after = _BOX.sub(lambda match: _moved_box(match[0], place), boxes)
        if after != boxes:
            book.archive[part] = after
    _move_links(sheet, place)


def _move_listed(book: Book, part: str, element: str, place: Place) -> None:
    root = parse(book.archive[part])
    listed = [entry for entry in root.iter() if local(entry) == element]
    before = [entry.get("ref", "") for entry in listed]
    for entry in listed:
        entry.set("ref", _moved(entry.get("ref", ""), place))
    if [entry.get("ref") for entry in listed] == before:
        return
    if listed and (parent := listed[0].getparent()) is not None:
        for entry in sorted(listed, key=lambda entry: cell_place(entry.get("ref", "A1"))):
            parent.append(entry)
    book.archive[part] = serialized(root)


def _moved(ref: str, place: Place) -> str:
    if not _SINGLE.fullmatch(ref):
        return ref
    row, column = cell_place(ref)
    return cell_name(place(row, column), column)


def _moved_box(box: bytes, place: Place) -> bytes:
    row, column = _ROW.search(box), _COLUMN.search(box)
    if row is None or column is None:
        return box
    to = place(int(row[2]) + 1, int(column[1]) + 1) - 1
    by = to - int(row[2])
    if not by:
        return box
    return _ANCHOR.sub(lambda match: _shifted(match, by), _ROW.sub(rb"\g<1>%d\g<3>" % to, box))


def _shifted(anchor: re.Match[bytes], by: int) -> bytes:
    numbers = [int(number) for number in anchor[2].split(b",")]
    if len(numbers) != _ANCHOR_NUMBERS:
        return anchor[0]
    up = max(by, -numbers[_ANCHOR_ROWS[0]])
    for index in _ANCHOR_ROWS:
        numbers[index] += up
    return anchor[1] + ", ".join(map(str, numbers)).encode() + anchor[3]


def _move_links(sheet: WorkbookSheet, place: Place) -> None:
    links = child(sheet.frame, "hyperlinks")
    for link in links if links is not None else []:
        link.set("ref", _moved(link.get("ref", ""), place))
