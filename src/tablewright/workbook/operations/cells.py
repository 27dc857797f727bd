"""Operations on cells: write constants and formulas, fill, replace, clear."""

from __future__ import annotations

import re

from tablewright.domain.operations.base import RowFilter
from tablewright.domain.operations.cells import AddColumn, Clear, FillDown, FindReplace, SetFormula, SetValues
from tablewright.domain.table import Cell
from tablewright.errors import InvalidInput
from tablewright.workbook.areas import MOST_ROWS, Area
from tablewright.workbook.formulas import translated
from tablewright.workbook.operations.columns import append_column
from tablewright.workbook.operations.conditions import rows_within
from tablewright.workbook.operations.context import Handler, OperationContext
from tablewright.workbook.operations.templates import row_formula
from tablewright.workbook.package.fills import fill_formula
from tablewright.workbook.package.parsing import check_formula
from tablewright.workbook.package.sheet import Reading, WorkbookSheet
from tablewright.workbook.package.tables import rename_column
from tablewright.workbook.values import serial


def set_values(step: OperationContext, operation: SetValues) -> None:
    """Write constants.

    If the range is a single cell, a larger block starts there and its other cells must be empty.
    """
    sheet, area = step.area(operation, operation.range)
    rows = operation.values
    if not rows or not any(rows):
        raise InvalidInput("values_missing", field="values")
    if operation.where is not None:
        _write_where(step, sheet, area, operation, operation.where)
        return
    if len(rows) == 1 and len(rows[0]) == 1:
        area = step.bounded(sheet, area)
        block = Area(area.first_row, area.first_column, area.last_row, area.last_column)
        _write_block(step, sheet, block, lambda _row, _column: rows[0][0])
        return
    width = max(len(row) for row in rows)
    block = Area(
        area.first_row, area.first_column, area.first_row + len(rows) - 1, area.first_column + width - 1
    )  # fmt: skip
    if block.last_row > MOST_ROWS:
        raise InvalidInput("sheet_full", sheet=sheet.name)
    if not area.one_cell and not block.within(area):
        raise InvalidInput("values_beyond_range", field="values", range=area.text, needed=block.text)
    step.refuse_filled(sheet, block, allowed=area)
    _write_block(step, sheet, block, lambda row, column: rows[row][column] if column < len(rows[row]) else None)


def set_formula(step: OperationContext, operation: SetFormula) -> None:
    """Write a formula as if it were typed into the first cell and filled over the rest."""
    check_formula(operation.formula)
    sheet, area = step.area(operation, operation.range)
    area = step.bounded(sheet, area)
    rows = range(area.first_row, area.last_row + 1)
    for column in range(area.first_column, area.last_column + 1):
        fill_formula(sheet, column, rows, translated(operation.formula, 0, column - area.first_column))


def add_column(step: OperationContext, operation: AddColumn) -> None:
    """Append a column to the table, or insert it after another; a formula is written in every row."""
    sheet = step.sheet(operation)
    wanted = _named_columns(operation.formula)
    view = step.table(sheet, [*wanted, *([operation.after] if operation.after else [])])
    place = view.column(operation.after, "after") if operation.after else None
    formula = row_formula(operation.formula, view) if operation.formula else None
    if formula is not None:
        check_formula(formula)
    append_column(step, view, operation.header, formula, after=place)


def fill_down(step: OperationContext, operation: FillDown) -> None:
    """Continue the first row of a range downwards; formulas are adjusted and formats are copied."""
    sheet, area = step.area(operation, operation.range)
    area = step.bounded(sheet, area)
    if area.height < 2:
        raise InvalidInput("range_too_small", field="range", range=area.text)
    for column in range(area.first_column, area.last_column + 1):
        source = sheet.read(area.first_row, column)
        content: Cell = source.formula if source.formula is not None else source.value
        for row in range(area.first_row + 1, area.last_row + 1):
            moved = (
                translated(content, row - area.first_row, 0)
                if source.formula is not None and isinstance(content, str)
                else content
            )
            sheet.write(row, column, moved, source.style, "typed" if source.formula is not None else "exact")


def find_replace(step: OperationContext, operation: FindReplace) -> None:
    """Replace text within constants. A number whose text changes becomes whatever the new text reads as."""
    sheet, area = _searched(step, operation)
    pattern = re.compile(re.escape(operation.find), 0 if operation.match_case else re.IGNORECASE)
    changed = 0
    for row, cells in list(sheet.scan(area)):
        for column, cell in cells.items():
            if cell.formula is not None or cell.value is None or isinstance(cell.value, bool):
                continue
            text = str(cell.shown)
            if not (pattern.fullmatch(text) if operation.whole_cell else pattern.search(text)):
                continue
            new = pattern.sub(lambda _match: operation.replace, text)
            if isinstance(cell.value, str):
                sheet.write(row, column, new or None, None, "exact")
            else:
                sheet.write(row, column, _read(new))
            if new and isinstance(cell.value, str):
                rename_column(step.book, sheet, row, column, new)
            changed += 1
    if not changed:
        step.note("nothing_found", text=operation.find)


def clear(step: OperationContext, operation: Clear) -> None:
    """Clear the contents of cells, their formats, or both."""
    sheet, area = step.area(operation, operation.range)
    numbers = [number for number, _ in sheet.rows.between(area.first_row, area.last_row)]
    for row in numbers:
        for column in sorted(sheet.rows.row(row).cells):
            if area.first_column <= column <= area.last_column:
                if operation.what != "formats":
                    sheet.write(row, column, None)
                if operation.what != "contents":
                    sheet.set_style(row, column, 0)
    step.touch(sheet.name, area)


HANDLERS: dict[str, Handler] = {
    "set_values": set_values, "set_formula": set_formula, "add_column": add_column, "fill_down": fill_down,
    "find_replace": find_replace, "clear": clear,
}  # fmt: skip


def _write_where(
    step: OperationContext, sheet: WorkbookSheet, area: Area, operation: SetValues, where: RowFilter
) -> None:
    """Write one value into the cells of an area whose rows match a filter."""
    if [len(row) for row in operation.values] != [1]:
        raise InvalidInput("values_beyond_range", field="values", range=area.text, needed=area.text)
    rows = rows_within(step, sheet, area, where)
    for row in rows:
        for column in range(area.first_column, area.last_column + 1):
            sheet.write(row, column, operation.values[0][0], None, _reading(sheet, row, column))
    step.note("rows_written", count=len(rows))


def _write_block(step: OperationContext, sheet: WorkbookSheet, block: Area, content: object) -> None:
    assert callable(content)
    for row in range(block.first_row, block.last_row + 1):
        for column in range(block.first_column, block.last_column + 1):
            value = content(row - block.first_row, column - block.first_column)
            if value is not None:
                style = _style_above(sheet, row, column)
                sheet.write(row, column, value, style, _reading(sheet, row, column))
                if isinstance(value, str):
                    rename_column(step.book, sheet, row, column, value)


def _reading(sheet: WorkbookSheet, row: int, column: int) -> Reading:
    """Return how to interpret a new text: a date below dates that are kept as text stays text too."""
    above = sheet.read(row - 1, column).value if row > 1 else None
    return "exact" if isinstance(above, str) and serial(above) is not None else "typed"


def _style_above(sheet: WorkbookSheet, row: int, column: int) -> int | None:
    """Return the format that a new cell at the end of a column continues: that of the two cells above it if
    they agree."""
    if sheet.style(row, column) or row < 3:
        return None
    above, further = sheet.read(row - 1, column), sheet.read(row - 2, column)
    return above.style if not above.empty and above.style == further.style and above.style else None


def _named_columns(formula: str | None) -> list[str]:
    return re.findall(r"\[@?([^\[\]]+)\]", formula or "")


def _searched(step: OperationContext, operation: FindReplace) -> tuple[WorkbookSheet, Area]:
    if operation.range:
        return step.area(operation, operation.range)
    sheet = step.sheet(operation)
    if operation.column:
        view = step.table(sheet, [operation.column])
        first, last = view.rows
        column = view.column(operation.column)
        return sheet, Area(first, column, last, column)
    return sheet, sheet.used() or Area(1, 1, 1, 1)


def _read(text: str) -> Cell:
    stripped = text.strip()
    if not stripped:
        return None
    try:
        return int(stripped)
    except ValueError:
        pass
    try:
        return float(stripped)
    except ValueError:
        return text
