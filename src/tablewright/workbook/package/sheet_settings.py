"""Settings of a sheet as a whole: the colour of its tab, its printed pages, its protection."""

from __future__ import annotations

from tablewright.errors import InvalidInput
from tablewright.workbook.package.sheet import ORDER, WorkbookSheet
from tablewright.workbook.package.xml import child, placed

_PROPERTIES = ("tabColor", "outlinePr", "pageSetUpPr")
_PASSWORDS = ("password", "hashValue")


def set_tab_color(sheet: WorkbookSheet, color: str | None) -> None:
    """Colour the tab of a sheet as RRGGBB; None removes the colour."""
    properties = placed(sheet.frame, "sheetPr", ORDER)
    if (old := child(properties, "tabColor")) is not None:
        properties.remove(old)
    if color is not None:
        placed(properties, "tabColor", _PROPERTIES).set("rgb", f"FF{color}")
    sheet.changed = True


def set_page(sheet: WorkbookSheet, orientation: str | None, pages_wide: int | None) -> None:
    """Set the orientation of printed pages and how many of them lie side by side; what is None stays.

    The height of what is shrunk to a width is as it comes.
    """
    page = placed(sheet.frame, "pageSetup", ORDER)
    if orientation is not None:
        page.set("orientation", orientation)
    if pages_wide is not None:
        properties = placed(sheet.frame, "sheetPr", ORDER)
        placed(properties, "pageSetUpPr", _PROPERTIES).set("fitToPage", "1")
        page.set("fitToWidth", str(pages_wide))
        page.set("fitToHeight", "0")
    sheet.changed = True


def protect(sheet: WorkbookSheet, *, protected: bool) -> None:
    """Protect a sheet, or end its protection. Errors: `InvalidInput` when that needs a password."""
    found = child(sheet.frame, "sheetProtection")
    if not protected and found is not None:
        if any(found.get(name) for name in _PASSWORDS):
            raise InvalidInput("sheet_password", field="sheet", sheet=sheet.name)
        sheet.frame.remove(found)
    elif protected:
        made = placed(sheet.frame, "sheetProtection", ORDER)
        for name in ("sheet", "objects", "scenarios"):
            made.set(name, "1")
    sheet.changed = True
