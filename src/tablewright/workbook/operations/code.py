"""`run_python` steps: the code runs elsewhere; here it is checked, and the resulting frame is written."""

from __future__ import annotations

from tablewright.domain.operations.code import RunPython
from tablewright.domain.table import Cell
from tablewright.errors import InvalidInput
from tablewright.workbook.areas import MOST_ROWS, Area, parse_area
from tablewright.workbook.base import FrameBlock
from tablewright.workbook.operations.context import Handler, OperationContext
from tablewright.workbook.operations.sheets import sheet_or_new
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.styles import FormatChange


def judge(step: OperationContext, operation: RunPython) -> None:
    """Check what can be checked without running the code: syntax, sheet and ranges."""
    try:
        compile(operation.code, "<code>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        raise InvalidInput("code_invalid", field="code", cause=str(error)) from error
    sheet = step.sheet(operation)
    if operation.range:
        step.area(operation, operation.range)
    else:
        step.table(sheet)
    if operation.target:
        step.area(operation, operation.target, "target")


def run_python(step: OperationContext, operation: RunPython) -> None:
    """Refuse to run: the caller, who has a sandbox, runs the code and passes the resulting frame to `write_frame`."""
    judge(step, operation)
    raise InvalidInput("code_needs_sandbox", field="code")


def write_frame(
    step: OperationContext, frame: FrameBlock, sheet_name: str | None, at: str, overwrite: str | None
) -> None:
    """Write a frame with its headers. Errors: `InvalidInput` when it would cover filled cells outside `overwrite`."""
    sheet = sheet_or_new(step, sheet_name)
    try:
        _, place = parse_area(at)
        allowed = parse_area(overwrite)[1] if overwrite else None if place.one_cell else place
    except ValueError:
        raise InvalidInput("range_unreadable", field="target", range=at) from None
    rows: list[tuple[Cell, ...]] = [frame.columns, *frame.rows]
    last_row = place.first_row + len(rows) - 1
    if last_row > MOST_ROWS:
        raise InvalidInput("sheet_full", sheet=sheet.name)
    block = Area(place.first_row, place.first_column, last_row, place.first_column + max(len(frame.columns), 1) - 1)
    step.refuse_filled(sheet, block, allowed)
    if allowed is not None:
        _emptied(step, sheet, allowed)
    header = step.book.shared.styles.changed_by(0, FormatChange(bold=True))
    for row, values in enumerate(rows, place.first_row):
        for column, value in enumerate(values, place.first_column):
            if value is not None:
                style = header if row == place.first_row and not sheet.style(row, column) else None
                sheet.write(row, column, value, style, "constant")


HANDLERS: dict[str, Handler] = {"run_python": run_python}


def _emptied(step: OperationContext, sheet: WorkbookSheet, area: Area) -> None:
    for row, cells in list(sheet.scan(step.bounded(sheet, area))):
        for column in cells:
            sheet.write(row, column, None)
