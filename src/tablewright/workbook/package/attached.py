"""Whatever is attached to cells and follows them when rows or columns are reordered: notes with their boxes, threads,
links."""

from __future__ import annotations

import re
from collections.abc import Callable

from tablewright.workbook.areas import cell_name, cell_place
from tablewright.workbook.package import relations
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.xml import child, local, parse, serialized

_BOX = re.compile(rb"<(?P<v>\w+):shape\s.*?</(?P=v):shape>", re.DOTALL)
_ROW = re.compile(rb"(<\w+:Row>\s*)(\d+)(\s*</\w+:Row>)")
_COLUMN = re.compile(rb"(<\w+:Column>\s*)(\d+)(\s*</\w+:Column>)")
_ANCHOR = re.compile(rb"(<\w+:Anchor>)([\d\s,]+)(</\w+:Anchor>)")
_ANCHOR_NUMBERS, _ANCHOR_COLUMNS, _ANCHOR_ROWS = 8, (0, 4), (2, 6)
_CELLS = re.compile(r"[A-Z]{1,3}[0-9]+(?::[A-Z]{1,3}[0-9]+)?")

Place = Callable[[int, int], tuple[int, int]]
"""Maps the row and the column of a cell to the cell's new row and column."""


def move_attached(book: Book, sheet: WorkbookSheet, place: Place) -> None:
    """Move whatever is attached to the sheet's cells to where `place` says that they are now."""
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
    """Return where a cell or a range is now; a range whose cells go apart stays."""
    if not _CELLS.fullmatch(ref):
        return ref
    ends = [cell_place(end) for end in ref.split(":")]
    placed = [place(*end) for end in ends]
    steps = {(to[0] - end[0], to[1] - end[1]) for end, to in zip(ends, placed, strict=True)}
    return ":".join(cell_name(*to) for to in placed) if len(steps) == 1 else ref


def _moved_box(box: bytes, place: Place) -> bytes:
    row, column = _ROW.search(box), _COLUMN.search(box)
    if row is None or column is None:
        return box
    before = (int(row[2]) + 1, int(column[2]) + 1)
    to = place(*before)
    if to == before:
        return box
    box = _ROW.sub(rb"\g<1>%d\g<3>" % (to[0] - 1), box)
    box = _COLUMN.sub(rb"\g<1>%d\g<3>" % (to[1] - 1), box)
    return _ANCHOR.sub(lambda match: _shifted(match, to[0] - before[0], to[1] - before[1]), box)


def _shifted(anchor: re.Match[bytes], rows: int, columns: int) -> bytes:
    numbers = [int(number) for number in anchor[2].split(b",")]
    if len(numbers) != _ANCHOR_NUMBERS:
        return anchor[0]
    for indexes, by in ((_ANCHOR_ROWS, rows), (_ANCHOR_COLUMNS, columns)):
        kept = max(by, -numbers[indexes[0]])
        for index in indexes:
            numbers[index] += kept
    return anchor[1] + ", ".join(map(str, numbers)).encode() + anchor[3]


def _move_links(sheet: WorkbookSheet, place: Place) -> None:
    links = child(sheet.frame, "hyperlinks")
    for link in links if links is not None else []:
        link.set("ref", _moved(link.get("ref", ""), place))
