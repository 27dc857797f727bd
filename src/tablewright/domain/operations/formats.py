"""Operations on how cells look, and on what may be typed into them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tablewright.domain.operations.base import (
    CellArea,
    Color,
    ColumnRef,
    Comparison,
    Effect,
    Operation,
    RangeRef,
    RowFilter,
)
from tablewright.domain.table import Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class SetNumberFormat(Operation):
    """Set how numbers and dates of a range show."""

    effect: ClassVar[Effect] = "format"
    range: RangeRef
    format: Annotated[str, Field(description="An Excel number format such as #,##0.00 or yyyy-mm-dd", min_length=1)]
    function: Literal["set_number_format"] = "set_number_format"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFont(Operation):
    """Set the font of a range, or of its cells in the table's rows for which `where` holds; what is null stays."""

    effect: ClassVar[Effect] = "format"
    range: RangeRef
    bold: bool | None = None
    italic: bool | None = None
    underline: bool | None = None
    size: Annotated[float, Field(gt=0, le=409)] | None = None
    name: str | None = None
    color: Color | None = None
    where: RowFilter | None = None
    function: Literal["set_font"] = "set_font"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFill(Operation):
    """Set the background of a range; null removes it."""

    effect: ClassVar[Effect] = "format"
    range: RangeRef
    color: Color | None = None
    function: Literal["set_fill"] = "set_fill"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetBorders(Operation):
    """Draw lines around or within a range."""

    effect: ClassVar[Effect] = "format"
    range: RangeRef
    style: Literal["thin", "medium", "thick", "double", "dashed", "none"] = "thin"
    where: Literal["all", "outline", "bottom", "top"] = "all"
    color: Color = "000000"
    function: Literal["set_borders"] = "set_borders"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAlignment(Operation):
    """Align the contents of a range; what is null stays."""

    effect: ClassVar[Effect] = "format"
    range: RangeRef
    horizontal: Literal["left", "center", "right", "justify"] | None = None
    vertical: Literal["top", "center", "bottom"] | None = None
    wrap: bool | None = None
    function: Literal["set_alignment"] = "set_alignment"


@dataclass(frozen=True, slots=True, kw_only=True)
class HighlightCells(Operation):
    """Fill a range, or the table's rows for which `where` holds, or those with the largest values of `top_column`."""

    effect: ClassVar[Effect] = "format"
    range: RangeRef | None = None
    where: RowFilter | None = None
    top_column: ColumnRef | None = None
    top_count: Annotated[int, Field(ge=1)] = 3
    top_from: Annotated[int, Field(ge=1, description="First place to fill; 2 with top_count 2 is the second alone")] = 1
    largest: bool = True
    whole_row: bool = True
    color: Color = "FFFF00"
    function: Literal["highlight_cells"] = "highlight_cells"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionalFormat(Operation):
    """A format that follows the values: a colour scale, data bars, icons, or a rule with a fill."""

    effect: ClassVar[Effect] = "format"
    range: RangeRef
    kind: Literal["color_scale", "data_bar", "icon_set", "rule", "duplicates", "top"]
    op: Comparison | None = None
    value: Cell = None
    count: Annotated[int, Field(ge=1)] = 10
    colors: tuple[Color, ...] = ()
    function: Literal["conditional_format"] = "conditional_format"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetDataValidation(Operation):
    """Bound what may be typed into a range."""

    effect: ClassVar[Effect] = "format"
    range: RangeRef
    kind: Literal["list", "whole", "decimal", "date", "text_length"]
    options: tuple[str, ...] = ()
    minimum: Cell = None
    maximum: Cell = None
    message: str | None = None
    function: Literal["set_data_validation"] = "set_data_validation"


@dataclass(frozen=True, slots=True, kw_only=True)
class AddComment(Operation):
    """Attach a note to a cell, or to those of its column in the table's rows for which `where` holds."""

    effect: ClassVar[Effect] = "format"
    cell: CellArea
    text: Annotated[str, Field(min_length=1)]
    where: RowFilter | None = None
    author: str = "Tablewright"
    function: Literal["add_comment"] = "add_comment"


FormatOperation = (
    SetNumberFormat
    | SetFont
    | SetFill
    | SetBorders
    | SetAlignment
    | HighlightCells
    | ConditionalFormat
    | SetDataValidation
    | AddComment
)
