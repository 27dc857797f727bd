"""Columns of a table in another order."""

from __future__ import annotations

from tablewright.domain.operations.structure import MoveColumns
from tablewright.errors import InvalidInput
from tablewright.workbook.areas import MOST_ROWS, Area, parse_area
from tablewright.workbook.column_order import ColumnOrder, order_of
from tablewright.workbook.operations.context import Handler, OperationContext
from tablewright.workbook.package.column_moves import reorder_columns
from tablewright.workbook.package.names import names_of
from tablewright.workbook.package.regions import find_regions
from tablewright.workbook.package.table_view import TableView


def move_columns(step: OperationContext, operation: MoveColumns) -> None:
    """Move columns of a table before or after another; what stands above and below the table stays, but for formulas
    directly under it."""
    sheet = step.sheet(operation)
    beside = operation.before or operation.after
    if beside is None or (operation.before and operation.after):
        raise InvalidInput("before_or_after", field="before")
    view = step.table(sheet, [*operation.columns, beside])
    moved = list(dict.fromkeys(view.column(name, "columns") for name in operation.columns))
    target = view.column(beside, "before" if operation.before else "after")
    if target in moved:
        raise InvalidInput("beside_itself", field="before" if operation.before else "after", column=beside)
    area = view.region.area
    columns = range(area.first_column, area.last_column + 1)
    places = order_of(columns, moved, target if operation.before else target + 1)
    if not places:
        step.note("columns_there")
        return
    reorder_columns(step.book, sheet, _order(step, view, places))


HANDLERS: dict[str, Handler] = {"move_columns": move_columns}


def _order(step: OperationContext, view: TableView, places: dict[int, int]) -> ColumnOrder:
    """Return the order with the band of rows that moves: the table, the empty rows around it, and rows under it that
    hold formulas or more of its data; the whole columns where nothing else is in them."""
    sheet, area = view.sheet, view.region.area
    low, high = min(places), max(places)
    rest = _rest(step, view)
    above = below = 0
    filled: set[int] = set()
    for number, cells in sheet.scan(Area(1, low, MOST_ROWS, high)):
        if area.first_row <= number <= area.last_row or not cells:
            continue
        if number < area.first_row:
            above = number
        elif below or not (any(one.holds(number, low) for one in rest) or any(cell.formula for cell in cells.values())):
            below = below or number
        else:
            continue
        filled |= cells.keys()
    for merge in sheet.merges():
        if not (merge.last_column < low or merge.first_column > high):
            above = max(above, merge.last_row) if merge.last_row < area.first_row else above
            below = min(below or MOST_ROWS, merge.first_row) if merge.first_row > area.last_row else below
    first, last = above + 1, below - 1 if below else MOST_ROWS
    order = ColumnOrder(sheet=sheet.name, first_row=first, last_row=last, places=places, filled=frozenset(filled))
    return ColumnOrder(
        sheet=sheet.name, first_row=first, last_row=last, places=places, filled=order.filled,
        named=_named(step, view, order),
    )  # fmt: skip


def _rest(step: OperationContext, view: TableView) -> list[Area]:
    """Return the rows below empty ones that have no header of their own: they are rows of the table."""
    area = view.region.area
    below = [one for one in find_regions(step.book, view.sheet) if one.area.first_row > area.last_row]
    return [
        Area(one.area.first_row, area.first_column, one.area.last_row, area.last_column)
        for one in below
        if one.header is None
        and one.table is None
        and one.area.width > 1
        and area.first_column <= one.area.first_column
        and one.area.last_column <= area.last_column
    ]


def _named(step: OperationContext, view: TableView, order: ColumnOrder) -> frozenset[str]:
    """Return the names of what has its columns in another order afterwards."""
    found = {view.region.table.name.casefold()} if view.region.table is not None else set[str]()
    for name, meaning in names_of(step.book):
        try:
            home, area = parse_area(meaning)
        except ValueError:
            continue
        if (home or "").casefold() == order.sheet.casefold() and not order.keeps_order(area):
            found.add(name.casefold())
    return frozenset(found)
