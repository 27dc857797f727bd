"""Insert and delete rows and columns: move everything on the sheet and adjust everything that refers to it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from tablewright.errors import InvalidInput
from tablewright.workbook.areas import MOST_COLUMNS, MOST_ROWS, Area, AreaShift, areas_of
from tablewright.workbook.formulas import shifted
from tablewright.workbook.package import relations
from tablewright.workbook.package.anchors import move_anchors, move_comments, move_notes
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.references import everywhere
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.tables import move_tables
from tablewright.workbook.package.xml import Element, child, children, local, parse, serialized

_ARRAY_REF = re.compile(rb'(<f\b[^>]*\bref=")([^"]+)(")')


def shift(book: Book, move: AreaShift) -> None:
    """Insert or delete rows or columns.

    Errors: `InvalidInput` when it would remove part of an array formula, a table's header alone, or contents at the end
    of the sheet.
    """
    sheet = book.sheet(move.sheet)
    _refuse(sheet, move)
    sheet.unshare()
    everywhere(book, lambda formula, home: shifted(formula, home, move), sheet.name)
    style = _neighbour(sheet, move)
    sheet.rows.rewrite(b'ref="', lambda raw: array_refs(raw, move.area))
    sheet.rows.shift(move)
    move_frame(sheet, move)
    _continue_style(sheet, move, style)
    sheet.changed = True
    for part in relations.related(book.archive, sheet.part, "drawing"):
        move_anchors(book.archive, part, move)
    move_comments(book.archive, sheet.part, move)
    move_notes(book.archive, sheet.part, move)
    move_tables(book, sheet, move)
    _move_pivots(book, sheet, move)
    book.shared.formulas_changed = True
    book.shared.journal.touch(sheet.name, _moved_area(move))
    book.shared.journal.shifted(replace(move, sheet=sheet.name))
    book.forget()


def move_frame(sheet: WorkbookSheet, move: AreaShift) -> None:
    """Move the areas of a sheet's rules, merges, links, filters and views."""
    for element in list(sheet.frame.iter()):
        name = local(element)
        if name == "sqref" and element.text:
            _move_list(element, "", move)
        elif name in {"pane", "selection", "cols", "rowBreaks", "colBreaks"}:
            _move_view(element, move)
        else:
            for attribute in ("sqref", "ref"):
                if name and element.get(attribute):
                    _move_list(element, attribute, move)
    _drop_empty(sheet.frame)


def _refuse(sheet: WorkbookSheet, move: AreaShift) -> None:
    last = move.at - move.count - 1 if move.count < 0 else move.at
    for area in sheet.arrays:
        low, high = (area.first_row, area.last_row) if move.axis == "row" else (area.first_column, area.last_column)
        inside = low < move.at <= high if move.count > 0 else (move.at <= high and last >= low)
        if inside and not (move.count < 0 and move.at <= low and last >= high):
            raise InvalidInput("part_of_array", sheet=sheet.name, cell=area.text, range=area.text)
    if move.count > 0 and sheet.rows.numbers:
        used = sheet.used() if move.axis == "column" else None
        end = used.last_column if used else sheet.rows.numbers[-1] if move.axis == "row" else 0
        if end + move.count > move.most and end >= move.at:
            raise InvalidInput("sheet_full", sheet=sheet.name)


def array_refs(raw: bytes, place: Callable[[Area], Area | None]) -> bytes:
    """Return a row's bytes with the areas of its array formulas where `place` says that they are now."""

    def moved(match: re.Match[bytes]) -> bytes:
        area = place(areas_of(match[2].decode())[0])
        return match[1] + (area.text.encode() if area else match[2]) + match[3]

    return _ARRAY_REF.sub(moved, raw)


def _move_list(element: Element, attribute: str, move: AreaShift) -> None:
    """Move the areas listed in an attribute, or in the element's text if no name is given.

    An element left without areas is removed.
    """
    try:
        areas = areas_of(element.get(attribute) if attribute else element.text)
    except ValueError:
        return
    kept = " ".join(area.text for area in map(move.area, areas) if area)
    if kept and attribute:
        element.set(attribute, kept)
    elif kept:
        element.text = kept
    if kept:
        return
    gone = element if attribute else element.getparent()
    if local(gone) not in {"dimension", "selection"} and gone.getparent() is not None:
        gone.getparent().remove(gone)


def _move_view(element: Element, move: AreaShift) -> None:
    name = local(element)
    if name == "cols":
        if move.axis == "column":
            _move_columns(element, move)
    elif name in {"rowBreaks", "colBreaks"}:
        if (name == "rowBreaks") == (move.axis == "row"):
            _move_breaks(element, move)
    else:
        for attribute in ("topLeftCell", "activeCell", "sqref"):
            if text := element.get(attribute):
                kept = [area.text for area in map(move.area, areas_of(text)) if area]
                element.set(attribute, " ".join(kept) or areas_of(text)[0].text)
    if name == "pane" and element.get("state") == "frozen":
        _move_frozen(element, move)


def _move_frozen(pane: Element, move: AreaShift) -> None:
    """Adjust frozen panes; rows inserted among frozen ones are frozen too."""
    key = "ySplit" if move.axis == "row" else "xSplit"
    frozen = int(float(pane.get(key, "0") or 0))
    if frozen and move.at <= frozen:
        span = move.span(1, frozen)
        size = span[1] if span and move.count < 0 else frozen + max(move.count, 0)
        pane.set(key, str(max(size, 1)))


def _move_columns(columns: Element, move: AreaShift) -> None:
    for entry in children(columns, "col"):
        first, last = int(entry.get("min", "1")), int(entry.get("max", "1"))
        span = (first, last) if last == MOST_COLUMNS and first < move.at else move.span(first, last)
        if span is None:
            columns.remove(entry)
        else:
            entry.set("min", str(span[0]))
            entry.set("max", str(span[1]))
    if len(columns) == 0:
        columns.getparent().remove(columns)


def _move_breaks(breaks: Element, move: AreaShift) -> None:
    for entry in children(breaks, "brk"):
        to = move.place(int(entry.get("id", "0")) + 1)
        if to is None or to < 2:
            breaks.remove(entry)
        else:
            entry.set("id", str(to - 1))
    breaks.set("count", str(len(breaks)))
    breaks.set("manualBreakCount", str(sum(1 for entry in breaks if entry.get("man") == "1")))


_COUNTED = frozenset({"mergeCells", "dataValidations", "hyperlinks", "rowBreaks", "colBreaks", "protectedRanges"})
_HOLDERS = _COUNTED | {
    "sparklines",
    "sparklineGroup",
    "sparklineGroups",
    "conditionalFormattings",
    "ignoredErrors",
    "ext",
    "extLst",
}


def _drop_empty(frame: Element) -> None:
    """Remove lists that lost their last entry, and update the counts of the others."""
    for element in reversed(list(frame.iter())):
        name = local(element)
        if (
            name in _HOLDERS
            and len(element) == 0
            and not (element.text or "").strip()
            and element.getparent() is not None
        ):
            if name != "ext" or element.get("uri"):
                element.getparent().remove(element)
        elif name == "sparklineGroup" and child(element, "sparklines") is None:
            element.getparent().remove(element)
        elif name in _COUNTED and element.get("count") is not None:
            element.set("count", str(len(element)))


def _neighbour(sheet: WorkbookSheet, move: AreaShift) -> dict[int, int]:
    """Return the styles for inserted rows (columns): those of the body that they are inserted into."""
    if move.count < 0:
        return {}
    if move.axis == "column":
        return _column_styles(sheet, move.at - 1 or move.at)
    above, further, below = (_row_styles(sheet, move.at - back) for back in (1, 2, 0))
    return above if above and (above == further or not below) else below or above


def _row_styles(sheet: WorkbookSheet, number: int) -> dict[int, int]:
    row = sheet.rows.peek(number) if number > 0 else None
    return {column: cell.style for column, cell in row.cells.items() if cell.style} if row else {}


def _column_styles(sheet: WorkbookSheet, column: int) -> dict[int, int]:
    return {number: style for number, style in sheet.rows.styles(column, 1, MOST_ROWS) if style}


def _continue_style(sheet: WorkbookSheet, move: AreaShift, styles: dict[int, int]) -> None:
    for index in range(move.at, move.at + move.count):
        for other, style in styles.items():
            row, column = (index, other) if move.axis == "row" else (other, index)
            sheet.set_style(row, column, style)


def _move_pivots(book: Book, sheet: WorkbookSheet, move: AreaShift) -> None:
    for part in relations.related(book.archive, sheet.part, "pivotTable"):
        _move_attribute(book, part, "location", move)
    for part in book.related("pivotCacheDefinition"):
        root = parse(book.archive[part])
        for source in root.iter():
            if local(source) == "worksheetSource" and (source.get("sheet") or "").casefold() == sheet.name.casefold():
                _move_attribute(book, part, "worksheetSource", move)


def _move_attribute(book: Book, part: str, name: str, move: AreaShift) -> None:
    root = parse(book.archive[part])
    for element in root.iter():
        if local(element) == name and (text := element.get("ref")):
            area = move.area(areas_of(text)[0])
            if area:
                element.set("ref", area.text)
    book.archive[part] = serialized(root)


def _moved_area(move: AreaShift) -> Area:
    last = move.at + abs(move.count) - 1
    return Area(move.at, 1, last, MOST_COLUMNS) if move.axis == "row" else Area(1, move.at, MOST_ROWS, last)
