"""Rows of a table: sort, filter, remove duplicates, transpose."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from tablewright.domain.operations.tables import AutoFilter, FilterRows, RemoveDuplicates, SortKey, SortRows, Transpose
from tablewright.domain.table import Cell
from tablewright.errors import InvalidInput
from tablewright.workbook.areas import Area, AreaShift, runs_of
from tablewright.workbook.operations.conditions import matching_rows
from tablewright.workbook.operations.context import Handler, OperationContext
from tablewright.workbook.operations.sheets import sheet_or_new
from tablewright.workbook.package.moves import move_rows
from tablewright.workbook.package.names import set_name
from tablewright.workbook.package.sheet import ORDER, WorkbookSheet
from tablewright.workbook.package.shifts import shift
from tablewright.workbook.package.table_view import TableView
from tablewright.workbook.package.tables import tables_of
from tablewright.workbook.package.xml import child, placed
from tablewright.workbook.values import EMPTY, CellData

_HIDDEN = re.compile(rb'\s*\bhidden="[^"]*"')


def sort_rows(step: OperationContext, operation: SortRows) -> None:
    """Sort rows in Excel's order: numbers, texts, booleans, errors. Empty cells come last in either direction."""
    sheet = step.sheet(operation)
    within = None
    if operation.range:
        sheet, within = step.area(operation, operation.range)
    view = step.table(sheet, [key.column for key in operation.by], within)
    body = view.body
    for merge in sheet.merges():
        if merge.meets(body) and not merge.one_cell:
            raise InvalidInput("merged_in_range", sheet=sheet.name, range=merge.text)
    for array in sheet.arrays:
        if array.meets(body):
            raise InvalidInput("part_of_array", sheet=sheet.name, cell=array.text, range=array.text)
    keys = [(view.column(key.column, "by"), key) for key in operation.by]
    rows = list(range(body.first_row, body.last_row + 1))
    for column, key in reversed(keys):
        values = {
            row: cells.get(column, EMPTY)
            for row, cells in sheet.scan(Area(body.first_row, column, body.last_row, column))
        }
        filled = [row for row in rows if not values.get(row, EMPTY).empty]
        empty = [row for row in rows if values.get(row, EMPTY).empty]
        filled.sort(key=partial(_rank_of, values), reverse=key.descending)
        rows = [*_listed(filled, values, key), *empty]
    move_rows(step.book, sheet, body, rows)


def filter_rows(step: OperationContext, operation: FilterRows) -> None:
    """Add filter buttons to the header and hide the rows that do not match the filter."""
    sheet = step.sheet(operation)
    view = step.table(sheet, [test.column for test in operation.where.tests])
    kept = set(matching_rows(view, operation.where))
    first, last = view.rows
    for row in range(first, last + 1):
        opened = sheet.rows.row(row)
        opened.attributes = _HIDDEN.sub(b"", opened.attributes) + (b"" if row in kept else b' hidden="1"')
    _buttons(step, view)
    sheet.changed = True
    step.touch(sheet.name, view.body)
    step.note("rows_shown", shown=len(kept), of=last - first + 1)


def auto_filter(step: OperationContext, operation: AutoFilter) -> None:
    """Add filter buttons to the header."""
    sheet, within = step.area(operation, operation.range) if operation.range else (step.sheet(operation), None)
    _buttons(step, step.table(sheet, (), within))


def remove_duplicates(step: OperationContext, operation: RemoveDuplicates) -> None:
    """Delete rows that repeat an earlier one in the given columns."""
    sheet = step.sheet(operation)
    view = step.table(sheet, operation.columns)
    columns = [view.column(name, "columns") for name in operation.columns] or [
        column.index for column in view.region.columns
    ]
    first, last = view.rows
    found = dict(sheet.scan(view.body))
    seen: set[tuple[Any, ...]] = set()
    gone: list[int] = []
    order = range(first, last + 1) if operation.keep == "first" else range(last, first - 1, -1)
    for row in order:
        cells = found.get(row, {})
        key = tuple(_compared(cells.get(column, EMPTY)) for column in columns)
        if key in seen:
            gone.append(row)
        seen.add(key)
    delete_rows_of(step, view, gone)
    step.note("rows_deleted", count=len(gone))


def delete_rows_of(step: OperationContext, view: TableView, rows: list[int]) -> None:
    """Delete rows of a table, as whole rows of the sheet, from the bottom up.

    Errors: `InvalidInput` when another table lies beside it in one of those rows.
    """
    sheet = view.sheet
    area = view.region.area
    for row in rows:
        opened = sheet.rows.peek(row)
        beside = [at for at, cell in opened.cells.items() if cell.body and not area.holds(row, at)] if opened else []
        if beside:
            raise InvalidInput("table_beside", sheet=sheet.name, row=row)
    for first, last in reversed(runs_of(sorted(rows))):
        shift(step.book, AreaShift(sheet=sheet.name, axis="row", at=first, count=first - last - 1))


def transpose(step: OperationContext, operation: Transpose) -> None:
    """Write a range transposed: values and formats only, since formulas would refer to the wrong cells."""
    sheet, area = step.area(operation, operation.range)
    area = step.bounded(sheet, area)
    target = sheet_or_new(step, operation.target_sheet) if operation.target_sheet else sheet
    _, at = step.area(operation, operation.target, "target")
    block = Area(at.first_row, at.first_column, at.first_row + area.width - 1, at.first_column + area.height - 1)
    if target is sheet and block.meets(area):
        raise InvalidInput("target_meets_range", field="target", range=area.text, target=block.text)
    step.refuse_filled(target, block, allowed=at if not at.one_cell else None)
    for row, cells in list(sheet.scan(area)):
        for column, cell in cells.items():
            target.write(
                block.first_row + column - area.first_column,
                block.first_column + row - area.first_row,
                cell.value,
                cell.style,
                "exact",
            )


HANDLERS: dict[str, Handler] = {
    "sort_rows": sort_rows, "filter_rows": filter_rows, "auto_filter": auto_filter,
    "remove_duplicates": remove_duplicates,
    "transpose": transpose,
}  # fmt: skip


def _listed(rows: list[int], values: dict[int, CellData], key: SortKey) -> list[int]:
    """Return sorted rows with the values that a key lists in its order before the others."""
    places = {_compared(CellData(value)): place for place, value in reversed(list(enumerate(key.order)))}
    if not places:
        return rows
    found = {row: places.get(_compared(values[row])) for row in rows}
    first = [row for row in rows if found[row] is not None]
    first.sort(key=lambda row: found[row] or 0, reverse=key.descending)
    return [*first, *(row for row in rows if found[row] is None)]


def _rank_of(values: dict[int, CellData], row: int) -> tuple[int, float, str]:
    return _rank(values[row])


def _rank(cell: CellData) -> tuple[int, float, str]:
    value = cell.value
    if cell.error:
        return (3, 0, "")
    if isinstance(value, bool):
        return (2, float(value), "")
    if isinstance(value, int | float):
        return (0, float(value), "")
    return (1, 0, str(value or "").casefold())


def _compared(cell: CellData) -> Cell:
    value: Cell = cell.value
    return value.strip().casefold() if isinstance(value, str) else value


def _buttons(step: OperationContext, view: TableView) -> None:
    sheet, region = view.sheet, view.region
    if region.table is not None or region.header is None:
        return
    area = Area(region.header[1], region.area.first_column, (region.data or region.header)[1], region.area.last_column)
    if any(table.area.meets(area) for table in tables_of(step.book, sheet)):
        return
    _set_filter(step, sheet, area)


def _set_filter(step: OperationContext, sheet: WorkbookSheet, area: Area) -> None:
    if (old := child(sheet.frame, "autoFilter")) is not None:
        if old.get("ref") == area.text:
            return
        sheet.frame.remove(old)
    placed(sheet.frame, "autoFilter", ORDER).set("ref", area.text)
    sheet.changed = True
    set_name(step.book, "_xlnm._FilterDatabase", sheet, area, hidden=True)
    step.touch(sheet.name, Area(area.first_row, area.first_column, area.first_row, area.last_column))
