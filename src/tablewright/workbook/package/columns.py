"""Widths, visibility and styles of columns, which a sheet stores for spans of columns."""

from __future__ import annotations

from copy import deepcopy

from tablewright.workbook.column_order import ColumnOrder
from tablewright.workbook.package.sheet import ORDER, WorkbookSheet
from tablewright.workbook.package.xml import Element, children, main, placed


def set_columns(sheet: WorkbookSheet, column: int, attributes: dict[str, str | None]) -> None:
    """Set attributes of one column, splitting the span that contains it; None removes an attribute."""
    columns = placed(sheet.frame, "cols", ORDER)
    entry = _alone(columns, column)
    for name, value in attributes.items():
        if value is None:
            entry.attrib.pop(name, None)
        else:
            entry.set(name, value)
    if entry.get("width") is None:
        entry.set("width", "9.140625")
    sheet.changed = True


def reorder_widths(sheet: WorkbookSheet, order: ColumnOrder) -> None:
    """Let widths, visibility and styles follow columns that are put in another order."""
    columns = sheet.columns()
    if columns is None:
        return
    known = {source: _of(columns, source) for source in order.places}
    changed = {to: known[source] for source, to in order.places.items() if known[source] != known[to]}
    for to, attributes in changed.items():
        entry = _alone(columns, to)
        if attributes is None:
            columns.remove(entry)
            continue
        entry.attrib.clear()
        for name, value in {"min": str(to), "max": str(to), **attributes}.items():
            entry.set(name, value)
    if len(columns) == 0:
        sheet.frame.remove(columns)
    sheet.changed |= bool(changed)


def _of(columns: Element, column: int) -> dict[str, str] | None:
    """Return a column's attributes without its place, or None if it has none."""
    for entry in children(columns, "col"):
        if int(entry.get("min", "1")) <= column <= int(entry.get("max", "1")):
            return {name: value for name, value in entry.attrib.items() if name not in {"min", "max"}}
    return None


def _alone(columns: Element, column: int) -> Element:
    """Return an entry for this column alone, created or split off its span."""
    for entry in children(columns, "col"):
        first, last = int(entry.get("min", "1")), int(entry.get("max", "1"))
        if first <= column <= last:
            for low, high, place in ((first, column - 1, 0), (column + 1, last, 1)):
                if low <= high:
                    rest = deepcopy(entry)
                    rest.set("min", str(low))
                    rest.set("max", str(high))
                    columns.insert(list(columns).index(entry) + place, rest)
            entry.set("min", str(column))
            entry.set("max", str(column))
            return entry
    made = columns.makeelement(main("col"), {"min": str(column), "max": str(column)})
    before = [entry for entry in columns if int(entry.get("min", "1")) < column]
    columns.insert(len(before), made)
    return made
