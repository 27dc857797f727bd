"""Move whatever floats over a sheet or is attached to its cells: shapes, pictures, charts, notes, comments."""

from __future__ import annotations

import re
from collections.abc import Callable

from tablewright.workbook.areas import AreaShift, cell_name, cell_place
from tablewright.workbook.column_order import ColumnOrder
from tablewright.workbook.package import relations
from tablewright.workbook.package.archive import Archive
from tablewright.workbook.package.xml import Element, child, local, parse, serialized

_SHAPE = re.compile(rb"<v:shape\b(?!type).*?</v:shape>\s*", re.DOTALL)
_VML_ROW = re.compile(rb"(<x:Row>\s*)(\d+)(\s*</x:Row>)")
_VML_COLUMN = re.compile(rb"(<x:Column>\s*)(\d+)(\s*</x:Column>)")
_VML_ANCHOR = re.compile(rb"(<x:Anchor>)([^<]*)(</x:Anchor>)")


def move_anchors(archive: Archive, part: str, move: AreaShift) -> None:
    """Move a drawing's anchors according to each anchor's own rule: with its cells, with the first cell, or not
    at all."""
    _change(archive, part, lambda anchor: _move_anchor(anchor, move))


def reorder_anchors(archive: Archive, part: str, order: ColumnOrder) -> None:
    """Let shapes that stand in one column follow it to its place; wider ones stay where they are."""
    _change(archive, part, lambda anchor: _reorder_anchor(anchor, order))


def _change(archive: Archive, part: str, change: Callable[[Element], bool]) -> None:
    """Change the anchors of a drawing that are tied to cells; `change` returns whether it did."""
    root = parse(archive[part])
    changed = False
    for anchor in root:
        if local(anchor) in {"twoCellAnchor", "oneCellAnchor"} and anchor.get("editAs") != "absolute":
            changed |= change(anchor)
    if changed:
        archive[part] = serialized(root)


def _reorder_anchor(anchor: Element, order: ColumnOrder) -> bool:
    ends = [end for name in ("from", "to") if (end := child(anchor, name)) is not None]
    columns = [found for end in ends if (found := child(end, "col")) is not None]
    row = child(ends[0], "row") if ends else None
    if row is None or not columns:
        return False
    first, last = int(columns[0].text or 0), int(columns[-1].text or 0)
    offset = child(ends[-1], "colOff")
    reaches = last - (offset is not None and last > first and int(offset.text or 0) == 0)
    by = order.place(int(row.text or 0) + 1, first + 1)[1] - first - 1
    if reaches > first or not by:
        return False
    for column in columns:
        column.text = str(int(column.text or 0) + by)
    return True


def move_comments(archive: Archive, sheet_part: str, move: AreaShift) -> None:
    """Move notes and threaded comments along with their cells; those of deleted cells are removed."""
    for kind in ("comments", "threadedComment"):
        for part in relations.related(archive, sheet_part, kind):
            root = parse(archive[part])
            for entry in [element for element in root.iter() if local(element) in {"comment", "threadedComment"}]:
                row, column = cell_place(entry.get("ref", "A1"))
                to = _placed(row, column, move)
                if to is None:
                    entry.getparent().remove(entry)
                else:
                    entry.set("ref", cell_name(*to))
            archive[part] = serialized(root)


def move_notes(archive: Archive, sheet_part: str, move: AreaShift) -> None:
    """Move note boxes and legacy form controls, which are stored as VML."""
    for part in relations.related(archive, sheet_part, "vmlDrawing"):
        archive[part] = _SHAPE.sub(lambda match: _moved_shape(match[0], move), archive[part])


def _placed(row: int, column: int, move: AreaShift) -> tuple[int, int] | None:
    to = move.place(row if move.axis == "row" else column)
    if to is None:
        return None
    return (to, column) if move.axis == "row" else (row, to)


def _move_anchor(anchor: Element, move: AreaShift) -> bool:
    start, end = child(anchor, "from"), child(anchor, "to")
    first = child(start, "row" if move.axis == "row" else "col") if start is not None else None
    last = child(end, "row" if move.axis == "row" else "col") if end is not None else None
    if first is None:
        return False
    before = int(first.text or 0)
    after = _kept(before, move)
    first.text = str(after)
    if last is None:
        return after != before
    old = int(last.text or 0)
    new = old + after - before if anchor.get("editAs") == "oneCell" else max(_kept(old, move), after)
    last.text = str(new)
    return after != before or new != old


def _kept(index: int, move: AreaShift) -> int:
    """Return where an index counted from 0 is afterwards; within a deleted stretch, the position of the deletion."""
    to = move.place(index + 1)
    return min(move.at, move.most) - 1 if to is None else to - 1


def _moved_shape(shape: bytes, move: AreaShift) -> bytes:
    row, column = _VML_ROW.search(shape), _VML_COLUMN.search(shape)
    if row is None or column is None:
        return _VML_ANCHOR.sub(lambda match: match[1] + _moved_ends(match[2], move) + match[3], shape)
    before = (int(row[2]) + 1, int(column[2]) + 1)
    to = _placed(*before, move)
    if to is None:
        return b""
    by_row, by_column = to[0] - before[0], to[1] - before[1]
    shape = _VML_ROW.sub(rb"\g<1>%d\3" % (to[0] - 1), shape)
    shape = _VML_COLUMN.sub(rb"\g<1>%d\3" % (to[1] - 1), shape)
    return _VML_ANCHOR.sub(lambda match: match[1] + _offset_ends(match[2], by_row, by_column) + match[3], shape)


def _ends(anchor: bytes) -> list[int] | None:
    found = [part.strip() for part in anchor.split(b",")]
    return [int(part) for part in found] if len(found) == 8 and all(part.isdigit() for part in found) else None


def _offset_ends(anchor: bytes, rows: int, columns: int) -> bytes:
    if (ends := _ends(anchor)) is None:
        return anchor
    for at in (0, 4):
        ends[at] = max(ends[at] + columns, 0)
        ends[at + 2] = max(ends[at + 2] + rows, 0)
    return ", ".join(map(str, ends)).encode()


def _moved_ends(anchor: bytes, move: AreaShift) -> bytes:
    if (ends := _ends(anchor)) is None:
        return anchor
    for at in (2, 6) if move.axis == "row" else (0, 4):
        ends[at] = _kept(ends[at], move)
    return ", ".join(map(str, ends)).encode()
