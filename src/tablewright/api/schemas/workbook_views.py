"""Sheets over HTTP, as a person sees them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from tablewright.api.schemas.native import WireModel
from tablewright.workbook.areas import MOST_COLUMNS, MOST_ROWS
from tablewright.workbook.views import ColumnTest, SheetLayout, SheetWindow


class LayoutOut(WireModel):
    """A sheet without its cells, at a version."""

    version: int
    layout: SheetLayout


class WindowOut(WireModel):
    """Cells of a sheet, at a version. Of each cell: column, value, number of its look, formula."""

    version: int
    window: SheetWindow


class ViewWanted(WireModel):
    """A view of the rows from `first_row` on: those that pass all `tests`, sorted by the column `sort`."""

    first_row: Annotated[int, Field(ge=1, le=MOST_ROWS)]
    sort: Annotated[int, Field(ge=1, le=MOST_COLUMNS)] | None = None
    descending: bool = False
    tests: Annotated[list[ColumnTest], Field(max_length=50, default_factory=list[ColumnTest])]
