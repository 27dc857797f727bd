"""Operations on a sheet as a whole: its tab, its printed pages, its protection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tablewright.domain.operations.base import CellArea, Color, ColumnRef, Effect, Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTabColor(Operation):
    """Colour a sheet's tab; null removes the colour."""

    effect: ClassVar[Effect] = "format"
    color: Color | None = None
    function: Literal["set_tab_color"] = "set_tab_color"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPageSetup(Operation):
    """Set how a sheet is printed; what is null stays."""

    effect: ClassVar[Effect] = "format"
    orientation: Literal["landscape", "portrait"] | None = None
    pages_wide: Annotated[int, Field(ge=1, le=100, description="Shrink the sheet to so many pages in width")] | None = (
        None
    )
    repeat_rows: Annotated[CellArea, Field(description="Rows at the top of every page, such as 1:1")] | None = None
    function: Literal["set_page_setup"] = "set_page_setup"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectSheet(Operation):
    """Protect a sheet against changes, without a password, but for the data of `unlocked` columns of its table; or end
    its protection."""

    effect: ClassVar[Effect] = "format"
    protected: bool = True
    unlocked: tuple[ColumnRef, ...] = ()
    function: Literal["protect_sheet"] = "protect_sheet"


SheetOperation = SetTabColor | SetPageSetup | ProtectSheet
