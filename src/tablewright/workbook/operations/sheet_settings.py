"""Settings of a sheet as a whole: tab colour, page setup, protection."""

from __future__ import annotations

from tablewright.domain.operations.sheets import ProtectSheet, SetPageSetup, SetTabColor
from tablewright.errors import InvalidInput
from tablewright.workbook.areas import MOST_COLUMNS, Area
from tablewright.workbook.operations.context import Handler, OperationContext
from tablewright.workbook.operations.formats import color_of
from tablewright.workbook.package.names import set_name
from tablewright.workbook.package.sheet_settings import protect, set_page, set_tab_color
from tablewright.workbook.package.styles import FormatChange

_CORNER = Area(1, 1, 1, 1)


def tab_color(step: OperationContext, operation: SetTabColor) -> None:
    """Colour the tab of a sheet."""
    sheet = step.sheet(operation)
    set_tab_color(sheet, color_of(operation.color, "color") if operation.color is not None else None)
    step.touch(sheet.name, _CORNER)


def page_setup(step: OperationContext, operation: SetPageSetup) -> None:
    """Set how a sheet is printed."""
    sheet = step.sheet(operation)
    if operation.orientation is None and operation.pages_wide is None and operation.repeat_rows is None:
        raise InvalidInput("page_setup_empty", field="orientation")
    if operation.orientation is not None or operation.pages_wide is not None:
        set_page(sheet, operation.orientation, operation.pages_wide)
    if operation.repeat_rows is not None:
        _, area = step.area(operation, operation.repeat_rows, "repeat_rows")
        rows = Area(area.first_row, 1, area.last_row, MOST_COLUMNS)
        set_name(step.book, "_xlnm.Print_Titles", sheet, rows)
    step.touch(sheet.name, _CORNER)


def protect_sheet(step: OperationContext, operation: ProtectSheet) -> None:
    """Protect a sheet but for the data of some columns, or end its protection."""
    sheet = step.sheet(operation)
    if operation.unlocked:
        view = step.table(sheet, operation.unlocked)
        first, last = view.rows
        for name in operation.unlocked:
            column = view.column(name, "unlocked")
            sheet.restyle(Area(first, column, last, column), FormatChange(locked=False))
    protect(sheet, protected=operation.protected)
    step.touch(sheet.name, _CORNER)


HANDLERS: dict[str, Handler] = {
    "set_tab_color": tab_color, "set_page_setup": page_setup, "protect_sheet": protect_sheet,
}  # fmt: skip
