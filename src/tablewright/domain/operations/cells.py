"""Operations on the contents of cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tablewright.domain.operations.base import ColumnRef, Effect, FilledRange, NewHeader, Operation, RangeRef, RowFilter
from tablewright.domain.operations.roles import Role
from tablewright.domain.table import Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class SetValues(Operation):
    """Write constants into a range, row by row; null leaves a cell as it is. One value fills the whole range, or with
    `where` its cells in the table's rows for which that holds."""

    effect: ClassVar[Effect] = "values"
    range: FilledRange
    values: tuple[tuple[Cell, ...], ...]
    where: RowFilter | None = None
    function: Literal["set_values"] = "set_values"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFormula(Operation):
    """Write a formula into every cell of a range; its relative references are those of the first cell."""

    effect: ClassVar[Effect] = "values"
    range: FilledRange
    formula: Annotated[
        str, Field(description="As typed into the first cell, with the leading =", pattern="^="), Role.FORMULA
    ]
    function: Literal["set_formula"] = "set_formula"


@dataclass(frozen=True, slots=True, kw_only=True)
class AddColumn(Operation):
    """Append a column with a header to the sheet's table; each row gets `formula`, in which [Header] is that row's
    cell."""

    effect: ClassVar[Effect] = "values"
    header: NewHeader
    formula: Annotated[str, Field(description="For example =[Revenue]-[Cost]", pattern="^="), Role.FORMULA] | None = (
        None
    )
    after: ColumnRef | None = None
    function: Literal["add_column"] = "add_column"


@dataclass(frozen=True, slots=True, kw_only=True)
class FillDown(Operation):
    """Continue the first row of a range (values, formulas, formats) to its last row."""

    effect: ClassVar[Effect] = "values"
    range: Annotated[RangeRef, Role.FILLS]
    function: Literal["fill_down"] = "fill_down"


@dataclass(frozen=True, slots=True, kw_only=True)
class FindReplace(Operation):
    """Replace text within the constants of a range, or of the whole sheet."""

    effect: ClassVar[Effect] = "values"
    destructive: ClassVar[bool] = True
    find: Annotated[str, Field(min_length=1)]
    replace: Annotated[str, Field(min_length=0)]
    range: RangeRef | None = None
    column: ColumnRef | None = None
    match_case: bool = False
    whole_cell: bool = False
    function: Literal["find_replace"] = "find_replace"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clear(Operation):
    """Empty the cells of a range."""

    effect: ClassVar[Effect] = "values"
    destructive: ClassVar[bool] = True
    range: RangeRef
    what: Literal["contents", "formats", "all"] = "contents"
    function: Literal["clear"] = "clear"


CellOperation = SetValues | SetFormula | AddColumn | FillDown | FindReplace | Clear
