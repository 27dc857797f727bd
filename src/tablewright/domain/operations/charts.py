"""Operations on native charts of the workbook."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tablewright.domain.operations.base import CellArea, ColumnRef, Effect, Operation, RangeRef

ChartType = Literal["bar", "column", "line", "area", "pie", "doughnut", "scatter", "combo", "histogram"]
ChartName = Annotated[str, Field(description="Name of the chart; the newest of the sheet when left out")]


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateChart(Operation):
    """Draw a native chart over a range, or over columns of the table by their headers."""

    effect: ClassVar[Effect] = "chart"
    chart: ClassVar[Literal["creates", "changes"] | None] = "creates"
    type: ChartType = "column"
    data_range: RangeRef | None = None
    category: ColumnRef | None = None
    values: tuple[ColumnRef, ...] = ()
    line_values: tuple[ColumnRef, ...] = ()
    title: str | None = None
    anchor: CellArea | None = None
    stacked: bool = False
    name: ChartName | None = None
    function: Literal["create_chart"] = "create_chart"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetChartTitle(Operation):
    """Set a chart's title."""

    effect: ClassVar[Effect] = "chart"
    chart: ClassVar[Literal["creates", "changes"] | None] = "changes"
    title: Annotated[str, Field(min_length=0)]
    name: ChartName | None = None
    function: Literal["set_chart_title"] = "set_chart_title"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetChartAxes(Operation):
    """Set titles and bounds of a chart's axes; what is null stays."""

    effect: ClassVar[Effect] = "chart"
    chart: ClassVar[Literal["creates", "changes"] | None] = "changes"
    x_title: str | None = None
    y_title: str | None = None
    y_minimum: float | None = None
    y_maximum: float | None = None
    name: ChartName | None = None
    function: Literal["set_chart_axes"] = "set_chart_axes"


@dataclass(frozen=True, slots=True, kw_only=True)
class SetChartStyle(Operation):
    """Set a chart's style, legend, labels and size; what is null stays."""

    effect: ClassVar[Effect] = "chart"
    chart: ClassVar[Literal["creates", "changes"] | None] = "changes"
    style: Annotated[int, Field(ge=1, le=48)] | None = None
    legend: Literal["right", "left", "top", "bottom", "none"] | None = None
    data_labels: bool | None = None
    width_cm: Annotated[float, Field(gt=1, le=100)] | None = None
    height_cm: Annotated[float, Field(gt=1, le=100)] | None = None
    name: ChartName | None = None
    function: Literal["set_chart_style"] = "set_chart_style"


ChartOperation = CreateChart | SetChartTitle | SetChartAxes | SetChartStyle
