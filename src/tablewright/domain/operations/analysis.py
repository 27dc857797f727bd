"""Operations that only read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tablewright.domain.operations.base import ColumnRef, Effect, Operation
from tablewright.domain.operations.tables import Aggregation


@dataclass(frozen=True, slots=True, kw_only=True)
class Describe(Operation):
    """Count, mean, spread and extremes of number columns."""

    effect: ClassVar[Effect] = "read"
    columns: tuple[ColumnRef, ...] = ()
    function: Literal["describe"] = "describe"


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifyTop(Operation):
    """The rows with the largest (or smallest) values of a column, ties included."""

    effect: ClassVar[Effect] = "read"
    column: ColumnRef
    count: Annotated[int, Field(ge=1)] = 3
    largest: bool = True
    label: ColumnRef | None = None
    function: Literal["identify_top"] = "identify_top"


@dataclass(frozen=True, slots=True, kw_only=True)
class AggregateColumn(Operation):
    """One aggregate of a column, by groups where given."""

    effect: ClassVar[Effect] = "read"
    column: ColumnRef
    aggregation: Aggregation = "sum"
    groups: tuple[ColumnRef, ...] = ()
    function: Literal["aggregate"] = "aggregate"


@dataclass(frozen=True, slots=True, kw_only=True)
class FindOutliers(Operation):
    """Cells of a column far from the others."""

    effect: ClassVar[Effect] = "read"
    column: ColumnRef
    method: Literal["iqr", "zscore"] = "iqr"
    threshold: float | None = None
    function: Literal["find_outliers"] = "find_outliers"


@dataclass(frozen=True, slots=True, kw_only=True)
class FindMissing(Operation):
    """Empty cells by column."""

    effect: ClassVar[Effect] = "read"
    columns: tuple[ColumnRef, ...] = ()
    function: Literal["find_missing"] = "find_missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation(Operation):
    """Correlation between number columns."""

    effect: ClassVar[Effect] = "read"
    columns: tuple[ColumnRef, ...] = ()
    method: Literal["pearson", "spearman"] = "pearson"
    function: Literal["correlation"] = "correlation"


AnalysisOperation = Describe | IdentifyTop | AggregateColumn | FindOutliers | FindMissing | Correlation
