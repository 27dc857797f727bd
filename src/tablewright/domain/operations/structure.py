"""Operations on rows, columns and sheets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tablewright.domain.operations.base import (
    CellArea,
    ColumnRef,
    Effect,
    NewSheetName,
    Operation,
    RangeRef,
    RowFilter,
    SheetName,
)

RowNumber = Annotated[int, Field(ge=1, le=1_048_576, description="Row number as the sheet shows it, from 1")]
Count = Annotated[int, Field(ge=1, le=100_000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertRows(Operation):
    """Insert empty rows above `row`; formulas, tables, formats and charts move along."""

    effect: ClassVar[Effect] = "structure"
    row: RowNumber
    count: Count = 1
    function: Literal["insert_rows"] = "insert_rows"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteRows(Operation):
    """Delete rows by number, or the table's rows for which `where` holds."""

    effect: ClassVar[Effect] = "structure"
    destructive: ClassVar[bool] = True
    row: RowNumber | None = None
    count: Count = 1
    where: RowFilter | None = None
    function: Literal["delete_rows"] = "delete_rows"


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertColumns(Operation):
    """Insert empty columns before a column."""

    effect: ClassVar[Effect] = "structure"
    before: ColumnRef
    count: Count = 1
    function: Literal["insert_columns"] = "insert_columns"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteColumns(Operation):
    """Delete columns."""

    effect: ClassVar[Effect] = "structure"
    destructive: ClassVar[bool] = True
    columns: tuple[ColumnRef, ...]
    function: Literal["delete_columns"] = "delete_columns"


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveColumns(Operation):
    """Move columns of the sheet's table before or after another of its columns, in the order given; every reference to
    their cells follows."""

    effect: ClassVar[Effect] = "structure"
    columns: Annotated[tuple[ColumnRef, ...], Field(min_length=1)]
    before: ColumnRef | None = None
    after: ColumnRef | None = None
    function: Literal["move_columns"] = "move_columns"


@dataclass(frozen=True, slots=True, kw_only=True)
class AddSheet(Operation):
    """Add an empty sheet at the end, or before another."""

    effect: ClassVar[Effect] = "structure"
    name: NewSheetName
    before: SheetName | None = None
    function: Literal["add_sheet"] = "add_sheet"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteSheet(Operation):
    """Delete a sheet."""

    effect: ClassVar[Effect] = "structure"
    destructive: ClassVar[bool] = True
    function: Literal["delete_sheet"] = "delete_sheet"


@dataclass(frozen=True, slots=True, kw_only=True)
class RenameSheet(Operation):
    """Give a sheet another name; formulas that refer to it follow."""

    effect: ClassVar[Effect] = "structure"
    name: NewSheetName
    function: Literal["rename_sheet"] = "rename_sheet"


@dataclass(frozen=True, slots=True, kw_only=True)
class CopySheet(Operation):
    """Copy a sheet under another name."""

    effect: ClassVar[Effect] = "structure"
    name: NewSheetName
    function: Literal["copy_sheet"] = "copy_sheet"


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveSheet(Operation):
    """Move a sheet to a place among the others, from 1."""

    effect: ClassVar[Effect] = "structure"
    position: Annotated[int, Field(ge=1)]
    function: Literal["move_sheet"] = "move_sheet"


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeCells(Operation):
    """Merge a range; only its first cell's content is kept."""

    effect: ClassVar[Effect] = "structure"
    destructive: ClassVar[bool] = True
    range: RangeRef
    function: Literal["merge_cells"] = "merge_cells"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnmergeCells(Operation):
    """Take a merge apart."""

    effect: ClassVar[Effect] = "structure"
    range: RangeRef
    function: Literal["unmerge_cells"] = "unmerge_cells"


@dataclass(frozen=True, slots=True, kw_only=True)
class FreezePanes(Operation):
    """Keep the rows above and the columns left of a cell in sight; A1 thaws."""

    effect: ClassVar[Effect] = "format"
    cell: CellArea = "A2"
    function: Literal["freeze_panes"] = "freeze_panes"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetColumnWidth(Operation):
    """Set columns' width in characters; without `width`, what their contents need."""

    effect: ClassVar[Effect] = "format"
    columns: tuple[ColumnRef, ...]
    width: Annotated[float, Field(gt=0, le=255)] | None = None
    function: Literal["set_column_width"] = "set_column_width"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRowHeight(Operation):
    """Set rows' height in points."""

    effect: ClassVar[Effect] = "format"
    row: RowNumber
    count: Count = 1
    height: Annotated[float, Field(gt=0, le=409)]
    function: Literal["set_row_height"] = "set_row_height"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hide(Operation):
    """Hide or show rows, columns, or the whole sheet where neither is given."""

    effect: ClassVar[Effect] = "format"
    rows: CellArea | None = None
    columns: tuple[ColumnRef, ...] = ()
    hidden: bool = True
    function: Literal["hide"] = "hide"


StructureOperation = (
    InsertRows
    | DeleteRows
    | InsertColumns
    | DeleteColumns
    | MoveColumns
    | AddSheet
    | DeleteSheet
    | RenameSheet
    | CopySheet
    | MoveSheet
    | MergeCells
    | UnmergeCells
    | FreezePanes
    | SetColumnWidth
    | SetRowHeight
    | Hide
)
