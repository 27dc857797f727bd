"""Operations on a sheet's table: its rows and columns as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tablewright.domain.operations.base import (
    ColumnRef,
    Effect,
    FilledRange,
    NewHeader,
    NewSheetName,
    Operation,
    RangeRef,
    RowFilter,
    SheetName,
)
from tablewright.domain.operations.roles import Role
from tablewright.domain.table import Cell

Aggregation = Literal["sum", "mean", "count", "count_distinct", "min", "max", "median", "std"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SortKey:
    """One column to sort by; with `order` its values come as listed there, and others after them in the usual order."""

    column: ColumnRef
    descending: bool = False
    order: Annotated[tuple[Cell, ...], Field(description="Values in the order wanted, such as Low, Medium, High")] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SortRows(Operation):
    """Sort the table's rows (or a range's, without its header), stably."""

    effect: ClassVar[Effect] = "values"
    by: Annotated[tuple[SortKey, ...], Field(min_length=1)]
    range: RangeRef | None = None
    function: Literal["sort_rows"] = "sort_rows"


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterRows(Operation):
    """Hide the table's rows for which `where` does not hold, as a filter of the program would."""

    effect: ClassVar[Effect] = "format"
    where: RowFilter
    function: Literal["filter_rows"] = "filter_rows"


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoFilter(Operation):
    """Put filter buttons on the header."""

    effect: ClassVar[Effect] = "format"
    range: RangeRef | None = None
    function: Literal["auto_filter"] = "auto_filter"


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveDuplicates(Operation):
    """Delete rows that repeat an earlier one in the given columns, or in all."""

    effect: ClassVar[Effect] = "structure"
    destructive: ClassVar[bool] = True
    columns: tuple[ColumnRef, ...] = ()
    keep: Literal["first", "last"] = "first"
    function: Literal["remove_duplicates"] = "remove_duplicates"


@dataclass(frozen=True, slots=True, kw_only=True)
class FillMissing(Operation):
    """Fill a column's empty cells."""

    effect: ClassVar[Effect] = "values"
    column: ColumnRef
    how: Literal["constant", "mean", "median", "mode", "previous", "next"] = "constant"
    value: Cell = None
    function: Literal["fill_missing"] = "fill_missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitColumn(Operation):
    """Split a column's texts at a separator into new columns to its right."""

    effect: ClassVar[Effect] = "structure"
    column: ColumnRef
    separator: Annotated[str, Field(min_length=1)]
    headers: tuple[NewHeader, ...]
    function: Literal["split_column"] = "split_column"


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinColumns(Operation):
    """Append a column that joins others' texts, or insert it after another."""

    effect: ClassVar[Effect] = "values"
    columns: Annotated[tuple[ColumnRef, ...], Field(min_length=2)]
    separator: str = " "
    header: NewHeader
    after: ColumnRef | None = None
    function: Literal["join_columns"] = "join_columns"


@dataclass(frozen=True, slots=True, kw_only=True)
class Transpose(Operation):
    """Write a range turned by its diagonal, beginning at `target`; `target_sheet` is added if there is none."""

    effect: ClassVar[Effect] = "values"
    range: RangeRef
    target: FilledRange
    target_sheet: NewSheetName | None = None
    function: Literal["transpose"] = "transpose"


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryMeasure:
    """An aggregate of a column; `count` needs none."""

    aggregation: Aggregation
    column: ColumnRef | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarizeRows(Operation):
    """Write a summary by groups to a new sheet, with formulas over the table; `across` spreads one column's values over
    columns."""

    effect: ClassVar[Effect] = "structure"
    groups: Annotated[tuple[ColumnRef, ...], Field(min_length=0)]
    measures: Annotated[tuple[SummaryMeasure, ...], Field(min_length=1)]
    across: ColumnRef | None = None
    target_sheet: NewSheetName | None = None
    function: Literal["summarize"] = "summarize"


@dataclass(frozen=True, slots=True, kw_only=True)
class LookupJoin(Operation):
    """Append columns looked up in another sheet's table by a key, as formulas, or insert them after another column;
    `headers` are what they are called here, if not as there."""

    effect: ClassVar[Effect] = "values"
    key: ColumnRef
    from_sheet: SheetName
    from_key: ColumnRef
    columns: Annotated[tuple[ColumnRef, ...], Field(min_length=1), Role.CREATES]
    headers: tuple[NewHeader, ...] = ()
    after: ColumnRef | None = None
    function: Literal["lookup_join"] = "lookup_join"


@dataclass(frozen=True, slots=True, kw_only=True)
class DefineName(Operation):
    """Name a range."""

    effect: ClassVar[Effect] = "structure"
    name: Annotated[str, Field(pattern=r"^[^\W\d][\w.]*$"), Role.CREATES]
    range: RangeRef
    function: Literal["define_name"] = "define_name"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateTable(Operation):
    """Make a range a table of the program, with its header."""

    effect: ClassVar[Effect] = "format"
    range: RangeRef | None = None
    name: Annotated[str, Role.CREATES] | None = None
    style: str = "TableStyleMedium2"
    function: Literal["create_table"] = "create_table"


TableOperation = (
    SortRows
    | FilterRows
    | AutoFilter
    | RemoveDuplicates
    | FillMissing
    | SplitColumn
    | JoinColumns
    | Transpose
    | SummarizeRows
    | LookupJoin
    | DefineName
    | CreateTable
)
