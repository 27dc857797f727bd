"""Rows and columns of a sheet: insert, delete, merge, freeze, resize, hide."""

from __future__ import annotations

import unicodedata

from lxml import etree

from tablewright.domain.operations.structure import (
    DeleteColumns,
    DeleteRows,
    FreezePanes,
    Hide,
    InsertColumns,
    InsertRows,
    MergeCells,
    SetColumnWidth,
    SetRowHeight,
    UnmergeCells,
)
from tablewright.errors import InvalidInput
from tablewright.workbook.areas import Area, AreaShift, column_number
from tablewright.workbook.operations.conditions import matching_rows
from tablewright.workbook.operations.context import Handler, OperationContext
from tablewright.workbook.operations.rows import delete_rows_of
from tablewright.workbook.package.columns import set_columns
from tablewright.workbook.package.frames import freeze, set_row
from tablewright.workbook.package.sheet import ORDER, WorkbookSheet
from tablewright.workbook.package.shifts import shift
from tablewright.workbook.package.xml import child, main, placed

_WIDEST = 60


def insert_rows(step: OperationContext, operation: InsertRows) -> None:
    """Insert empty rows, formatted like the rows around them."""
    sheet = step.sheet(operation)
    shift(step.book, AreaShift(sheet=sheet.name, axis="row", at=operation.row, count=operation.count))


def delete_rows(step: OperationContext, operation: DeleteRows) -> None:
    """Delete rows by number, or the table's rows that match a filter."""
    sheet = step.sheet(operation)
    if (operation.row is None) == (operation.where is None):
        raise InvalidInput("row_or_where", field="row")
    if operation.where is not None:
        view = step.table(sheet, [test.column for test in operation.where.tests])
        rows = matching_rows(view, operation.where)
        delete_rows_of(step, view, rows)
        step.note("rows_deleted", count=len(rows))
    elif operation.row is not None:
        shift(step.book, AreaShift(sheet=sheet.name, axis="row", at=operation.row, count=-operation.count))


def insert_columns(step: OperationContext, operation: InsertColumns) -> None:
    """Insert empty columns."""
    sheet = step.sheet(operation)
    at = column_of(step, sheet, operation.before, "before")
    shift(step.book, AreaShift(sheet=sheet.name, axis="column", at=at, count=operation.count))


def delete_columns(step: OperationContext, operation: DeleteColumns) -> None:
    """Delete columns."""
    sheet = step.sheet(operation)
    columns = {column_of(step, sheet, name, "columns") for name in operation.columns}
    for column in sorted(columns, reverse=True):
        shift(step.book, AreaShift(sheet=sheet.name, axis="column", at=column, count=-1))


def merge_cells(step: OperationContext, operation: MergeCells) -> None:
    """Merge a range; only the content of the first cell is kept."""
    sheet, area = step.area(operation, operation.range)
    if area.one_cell:
        raise InvalidInput("range_too_small", field="range", range=area.text)
    for merge in sheet.merges():
        if merge.meets(area) and merge != area:
            raise InvalidInput("merged_in_range", sheet=sheet.name, range=merge.text)
    for row, cells in list(sheet.scan(area)):
        for column in cells:
            if (row, column) != (area.first_row, area.first_column):
                sheet.write(row, column, None)
    merges = placed(sheet.frame, "mergeCells", ORDER)
    if all(entry.get("ref") != area.text for entry in merges):
        etree.SubElement(merges, main("mergeCell"), ref=area.text)
    merges.set("count", str(len(merges)))
    sheet.changed = True
    step.touch(sheet.name, area)


def unmerge_cells(step: OperationContext, operation: UnmergeCells) -> None:
    """Split the merged areas that overlap a range."""
    sheet, area = step.area(operation, operation.range)
    merges = child(sheet.frame, "mergeCells")
    found = [merge for merge in sheet.merges() if merge.meets(area)]
    if merges is None or not found:
        raise InvalidInput("nothing_merged", field="range", range=area.text)
    texts = {merge.text for merge in found}
    for entry in list(merges):
        if entry.get("ref", "").replace("$", "") in texts:
            merges.remove(entry)
    merges.set("count", str(len(merges)))
    if len(merges) == 0:
        sheet.frame.remove(merges)
    sheet.changed = True
    step.touch(sheet.name, area)


def freeze_panes(step: OperationContext, operation: FreezePanes) -> None:
    """Freeze rows and columns so that they stay in view."""
    sheet, area = step.area(operation, operation.cell, "cell")
    freeze(sheet, area.first_row - 1, area.first_column - 1)
    step.touch(sheet.name, Area(area.first_row, area.first_column, area.first_row, area.first_column))


def set_column_width(step: OperationContext, operation: SetColumnWidth) -> None:
    """Set column widths, or fit them to the contents."""
    sheet = step.sheet(operation)
    for name in operation.columns:
        column = column_of(step, sheet, name, "columns")
        width = operation.width or _needed(sheet, column)
        set_columns(sheet, column, {"width": f"{width:g}", "customWidth": "1"})
        step.touch(sheet.name, Area(1, column, 1_048_576, column))


def set_row_height(step: OperationContext, operation: SetRowHeight) -> None:
    """Set row heights."""
    sheet = step.sheet(operation)
    for row in range(operation.row, operation.row + operation.count):
        set_row(sheet, row, {"ht": f"{operation.height:g}", "customHeight": "1"})
    step.touch(sheet.name, Area(operation.row, 1, operation.row + operation.count - 1, 16_384))


def hide(step: OperationContext, operation: Hide) -> None:
    """Hide or show rows, columns, or the sheet."""
    sheet = step.sheet(operation)
    flag = "1" if operation.hidden else None
    if operation.rows:
        _, area = step.area(operation, operation.rows, "rows")
        for row in range(area.first_row, area.last_row + 1):
            set_row(sheet, row, {"hidden": flag})
        step.touch(sheet.name, area)
    for name in operation.columns:
        column = column_of(step, sheet, name, "columns")
        set_columns(sheet, column, {"hidden": flag})
        step.touch(sheet.name, Area(1, column, 1_048_576, column))
    if not operation.rows and not operation.columns:
        step.book.set_state(sheet.name, "hidden" if operation.hidden else "visible")
        step.touch(sheet.name, Area(1, 1, 1, 1))


HANDLERS: dict[str, Handler] = {
    "insert_rows": insert_rows, "delete_rows": delete_rows, "insert_columns": insert_columns,
    "delete_columns": delete_columns, "merge_cells": merge_cells, "unmerge_cells": unmerge_cells,
    "freeze_panes": freeze_panes, "set_column_width": set_column_width, "set_row_height": set_row_height, "hide": hide,
}  # fmt: skip


def column_of(step: OperationContext, sheet: WorkbookSheet, name: str, field: str) -> int:
    """Return the number of a column: by a table's header, else by its letters. Errors: `InvalidInput`."""
    text = name.strip()
    try:
        view = step.table(sheet, [name])
    except InvalidInput:
        if text.isascii() and text.isalpha() and len(text) <= 3 and column_number(text) <= 16_384:
            return column_number(text)
        raise
    return view.column(name, field)


def _needed(sheet: WorkbookSheet, column: int) -> float:
    used = sheet.used() or Area(1, 1, 1, 1)
    longest = 0
    for _, cells in sheet.scan(Area(used.first_row, column, min(used.last_row, 10_000), column)):
        text = str(cells[column].shown) if column in cells else ""
        longest = max(
            longest,
            *(sum(1 + (unicodedata.east_asian_width(sign) in "WF") for sign in line) for line in text.split("\n")),
        )
    return min(max(longest + 2, 6), _WIDEST)
