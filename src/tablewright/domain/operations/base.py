"""What every workbook operation is: typed parameters, an effect, and whether it destroys something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from tablewright.domain.operations.roles import Role
from tablewright.domain.table import Cell

Effect = Literal["read", "values", "structure", "format", "chart"]
"""What an operation changes; `dataScope` of a round and the kinds of undo follow from it."""

SheetName = Annotated[str, Field(description="Name of the sheet; the first visible one when left out"), Role.REFERS]
NewSheetName = Annotated[str, Field(description="Name of a new sheet"), Role.CREATES]
CellArea = Annotated[str, Field(description="A range in A1 style, such as B2:D10, B:B or C7", min_length=1)]
RangeRef = Annotated[CellArea, Role.REFERS, Role.READS]
FilledRange = Annotated[CellArea, Role.REFERS, Role.FILLS]
ColumnRef = Annotated[
    str, Field(description="A column of the sheet's table, by its header or its letter", min_length=1), Role.REFERS
]
NewHeader = Annotated[str, Role.CREATES]
Color = Annotated[str, Field(description="RGB as RRGGBB, or a plain name such as yellow or 黄色", min_length=1)]
Comparison = Literal["=", "!=", "<", "<=", ">", ">=", "contains", "starts", "ends", "missing", "present"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowTest:
    """A condition on one column of a row: against a value, or against another column of the same row."""

    column: ColumnRef
    op: Comparison
    value: Cell = None
    than: (
        Annotated[str, Field(description="Another column to compare with, in place of a value"), Role.REFERS] | None
    ) = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFilter:
    """Rows for which all (or any) of the tests hold."""

    tests: tuple[RowTest, ...]
    match: Literal["all", "any"] = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """Base of all operations; `function` names it on every wire. A parameter that no field takes is an error."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    effect: ClassVar[Effect]
    destructive: ClassVar[bool] = False
    """Removes or replaces what a person may still need: never done without their consent."""

    chart: ClassVar[Literal["creates", "changes"] | None] = None
    """What it does to a chart of the workbook."""

    sheet: SheetName | None = None
