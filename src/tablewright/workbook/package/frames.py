"""Settings around a sheet's cells: frozen panes, row attributes."""

from __future__ import annotations

import re

from lxml import etree

from tablewright.workbook.areas import cell_name
from tablewright.workbook.package.sheet import ORDER, WorkbookSheet
from tablewright.workbook.package.xml import child, children, main, placed


def freeze(sheet: WorkbookSheet, rows: int, columns: int) -> None:
    """Freeze the first rows and columns; zero of both removes the freeze."""
    views = placed(sheet.frame, "sheetViews", ORDER)
    view = child(views, "sheetView")
    if view is None:
        view = etree.SubElement(views, main("sheetView"), workbookViewId="0")
    for name in ("pane", "selection"):
        for old in children(view, name):
            view.remove(old)
    sheet.changed = True
    if not rows and not columns:
        return
    pane = view.makeelement(main("pane"), {})
    if columns:
        pane.set("xSplit", str(columns))
    if rows:
        pane.set("ySplit", str(rows))
    active = "bottomRight" if rows and columns else "bottomLeft" if rows else "topRight"
    pane.set("topLeftCell", cell_name(rows + 1, columns + 1))
    pane.set("activePane", active)
    pane.set("state", "frozen")
    view.insert(0, pane)
    view.insert(1, view.makeelement(main("selection"), {"pane": active}))


def set_row(sheet: WorkbookSheet, row: int, attributes: dict[str, str | None]) -> None:
    """Set attributes of a row; None removes an attribute."""
    opened = sheet.rows.row(row)
    for name, value in attributes.items():
        kept = re.sub(rb'\s*\b%s="[^"]*"' % name.encode(), b"", opened.attributes)
        opened.attributes = kept + (b' %s="%s"' % (name.encode(), value.encode()) if value is not None else b"")
    sheet.changed = True
