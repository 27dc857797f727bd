"""How cells look: number formats, fonts, fills, borders, alignment, highlights."""

from __future__ import annotations

from collections.abc import Iterable

from tablewright.domain.operations.base import Operation
from tablewright.domain.operations.formats import (
    HighlightCells,
    SetAlignment,
    SetBorders,
    SetFill,
    SetFont,
    SetNumberFormat,
)
from tablewright.errors import InvalidInput
from tablewright.workbook.areas import Area
from tablewright.workbook.operations.conditions import matching_rows, rows_within
from tablewright.workbook.operations.context import Handler, OperationContext
from tablewright.workbook.package.styles import FormatChange, rgb
from tablewright.workbook.package.table_view import TableView
from tablewright.workbook.values import CellData

_SIDES = ("left", "right", "top", "bottom")


def set_number_format(step: OperationContext, operation: SetNumberFormat) -> None:
    """Set how numbers and dates are displayed."""
    _restyle(step, operation, operation.range, FormatChange(number_format=operation.format))


def set_font(step: OperationContext, operation: SetFont) -> None:
    """Set font attributes; those that are null stay as they are."""
    change = FormatChange(
        bold=operation.bold, italic=operation.italic, underline=operation.underline, size=operation.size,
        font_name=operation.name, color=color_of(operation.color, "color") if operation.color else None,
    )  # fmt: skip
    if change == FormatChange():
        raise InvalidInput("nothing_to_change")
    if operation.where is None:
        _restyle(step, operation, operation.range, change)
        return
    sheet, area = step.area(operation, operation.range)
    area = step.bounded(sheet, area)
    for row in rows_within(step, sheet, area, operation.where):
        sheet.restyle(Area(row, area.first_column, row, area.last_column), change)


def set_fill(step: OperationContext, operation: SetFill) -> None:
    """Set or remove the background colour."""
    color = color_of(operation.color, "color") if operation.color else ""
    _restyle(step, operation, operation.range, FormatChange(fill=color))


def set_alignment(step: OperationContext, operation: SetAlignment) -> None:
    """Set the alignment; attributes that are null stay as they are."""
    change = FormatChange(horizontal=operation.horizontal, vertical=operation.vertical, wrap=operation.wrap)
    if change == FormatChange():
        raise InvalidInput("nothing_to_change")
    _restyle(step, operation, operation.range, change)


def set_borders(step: OperationContext, operation: SetBorders) -> None:
    """Draw lines: around each cell, around the range, or along its top or bottom."""
    sheet, area = step.area(operation, operation.range)
    area = step.bounded(sheet, area)
    color = color_of(operation.color, "color")

    def lined(part: Area, sides: Iterable[str]) -> None:
        lines = tuple((side, operation.style) for side in sides)
        sheet.restyle(part, FormatChange(borders=lines, border_color=color))

    if operation.where == "all":
        lined(area, _SIDES)
        return
    edges = {
        "top": Area(area.first_row, area.first_column, area.first_row, area.last_column),
        "bottom": Area(area.last_row, area.first_column, area.last_row, area.last_column),
        "left": Area(area.first_row, area.first_column, area.last_row, area.first_column),
        "right": Area(area.first_row, area.last_column, area.last_row, area.last_column),
    }
    for side in _SIDES if operation.where == "outline" else (operation.where,):
        lined(edges[side], (side,))


def highlight_cells(step: OperationContext, operation: HighlightCells) -> None:
    """Highlight a range, the rows that match a filter, or the rows with the largest values."""
    color = color_of(operation.color, "color")
    fill = FormatChange(fill=color)
    if operation.where is None and operation.top_column is None:
        if operation.range is None:
            raise InvalidInput("nothing_to_highlight", field="range")
        _restyle(step, operation, operation.range, fill)
        return
    sheet, within = step.area(operation, operation.range) if operation.range else (step.sheet(operation), None)
    names = [test.column for test in operation.where.tests] if operation.where else []
    names += [operation.top_column] if operation.top_column else []
    view = step.table(sheet, names, None)
    rows = matching_rows(view, operation.where) if operation.where else list(range(view.rows[0], view.rows[1] + 1))
    if operation.top_column:
        column = view.column(operation.top_column, "top_column")
        best = top_rows(view, column, operation.top_count, largest=operation.largest, among=rows)
        before = operation.top_from - 1
        better = top_rows(view, column, before, largest=operation.largest, among=rows) if before else []
        rows = [row for row in best if row not in better]
    columns = _columns(view, operation, names, within)
    for row in rows:
        for column in columns:
            sheet.restyle(Area(row, column, row, column), fill)
    asked = operation.top_count - operation.top_from + 1
    if operation.top_column and len(rows) > asked:
        step.note("rows_highlighted_ties", count=len(rows), asked=asked, column=operation.top_column)
    else:
        step.note("rows_highlighted", count=len(rows))


HANDLERS: dict[str, Handler] = {
    "set_number_format": set_number_format, "set_font": set_font, "set_fill": set_fill, "set_borders": set_borders,
    "set_alignment": set_alignment, "highlight_cells": highlight_cells,
}  # fmt: skip


def color_of(text: str, field: str) -> str:
    """Return a colour as RRGGBB. Errors: `InvalidInput` for an unknown one."""
    found = rgb(text)
    if found is None:
        raise InvalidInput("color_unknown", field=field, color=text)
    return found


def top_rows(view: TableView, column: int, count: int, *, largest: bool, among: Iterable[int]) -> list[int]:
    """Return the rows with the largest (smallest) numbers of a column, including ties with the last one."""
    first, last = view.rows
    wanted = set(among)
    found = [
        (row, number)
        for row, cells in view.sheet.scan(Area(first, column, last, column))
        if row in wanted and column in cells and (number := number_of(cells[column])) is not None
    ]
    found.sort(key=lambda entry: entry[1], reverse=largest)
    if not found:
        raise InvalidInput("no_numbers", field="column", column=view.header(column))
    bound = found[min(count, len(found)) - 1][1]
    return [row for row, number in found if (number >= bound if largest else number <= bound)]


def number_of(cell: CellData) -> float | None:
    """Return a cell's number, or None if it holds anything else."""
    value = cell.value
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _restyle(step: OperationContext, operation: Operation, text: str, change: FormatChange) -> None:
    sheet, area = step.area(operation, text)
    sheet.restyle(step.bounded(sheet, area), change)


def _columns(view: TableView, operation: HighlightCells, names: list[str], within: Area | None) -> list[int]:
    whole = [column.index for column in view.region.columns]
    if within is not None:
        return [column for column in whole if within.first_column <= column <= within.last_column]
    return whole if operation.whole_row else [view.column(names[-1])]
