"""The conditions of a filter, which a file stores by the place of their columns."""

from __future__ import annotations

from tablewright.workbook.areas import areas_of
from tablewright.workbook.column_order import ColumnOrder
from tablewright.workbook.package.xml import Element, children


def reorder_filter(buttons: Element, order: ColumnOrder) -> None:
    """Let each condition of a filter stay with its column; call it before the filter's own area is changed."""
    area = areas_of(buttons.get("ref", "A1"))[0]
    first = (order.areas(area) or [area])[0].first_column
    columns = children(buttons, "filterColumn")
    for entry in columns:
        at = order.place(area.first_row, area.first_column + int(entry.get("colId", "0")))[1]
        entry.set("colId", str(at - first))
    for place, entry in enumerate(sorted(columns, key=lambda entry: int(entry.get("colId", "0")))):
        buttons.insert(place, entry)
