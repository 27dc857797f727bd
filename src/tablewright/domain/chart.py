"""A chart as data; each renderer (page, terminal, workbook) converts it to its own form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tablewright.domain.table import Cell

ChartKind = Literal[
    "bar", "line", "area", "pie", "scatter", "histogram", "stacked bar", "grouping line", "grouping scatter"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A chart with one mark per position.

    `x[i]`, `y[i]` and, if there are several series, `series[i]` belong together.
    """

    kind: ChartKind
    x: tuple[Cell, ...]
    y: tuple[Cell, ...]
    series: tuple[Cell, ...] | None = None
    labels: dict[str, str] = field(default_factory=dict[str, str])
    """Axis titles, with the keys `x`, `y` and `series`."""
    title: str | None = None
