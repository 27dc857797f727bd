"""What a part shows: its relation as a table, and its chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tablewright.analyst.evaluating.arithmetic import rounded
from tablewright.analyst.evaluating.grids import Grid
from tablewright.analyst.evaluating.moments import Moment, whole_days, written
from tablewright.analyst.evaluating.vectors import Stopped, Vector
from tablewright.analyst.plan import Drawing
from tablewright.domain.chart import Chart
from tablewright.domain.table import Cell, Table

CHART_POINTS = 10_000
SEEN_ROWS = 10_000
"""Rows by which it is told whether a column holds dates."""
_LARGEST = 2**63


def table_of(grid: Grid, decimals: int | None, most_rows: int) -> Table:
    """Return the first rows of a table as they are shown."""
    columns = _shown(grid, decimals, most_rows)
    rows: list[tuple[Cell, ...]] = list(zip(*columns, strict=True)) if columns else []
    return Table(columns=_unique(grid.names), rows=tuple(rows), total_rows=grid.rows)


def chart_of(drawing: Drawing, grid: Grid, decimals: int | None) -> Chart:
    """Return the chart of a table. Raises `Stopped` if the table has not its columns."""
    names = [drawing.x, drawing.y, *([drawing.series] if drawing.series else [])]
    if not {*names} <= {*grid.names}:
        raise Stopped("type")
    finished = _rounds(grid, decimals)
    cells = [tuple(_cells(grid.column(name), finished, decimals, CHART_POINTS)) for name in names]
    labels = dict(zip(("x", "y", "series"), names, strict=False))
    return Chart(
        kind=drawing.kind,
        x=cells[0],
        y=cells[1],
        series=cells[2] if drawing.series else None,
        labels={name: label for name, label in labels.items() if label},
        title=drawing.title,
    )


def _shown(grid: Grid, decimals: int | None, most_rows: int) -> list[list[Cell]]:
    finished = _rounds(grid, decimals)
    return [_cells(grid.column(name), finished, decimals, most_rows) for name in grid.names]


def _rounds(grid: Grid, decimals: int | None) -> bool:
    """Return whether numbers are rounded: those of a table that has a column of fractions."""
    return decimals is not None and any(column.kind == "number" for column in grid.described())


def _cells(column: Vector, finished: bool, decimals: int | None, most: int) -> list[Cell]:  # noqa: FBT001
    values = column.values
    if Moment in set(map(type, values[:SEEN_ROWS])):
        day = whole_days([value for value in values if isinstance(value, Moment)])
        return [written(value, day=day) if isinstance(value, Moment) else value for value in values[:most]]
    shown = values[:most]
    if column.kind == "integer" and column.missing and decimals is None:
        shown = [int(value) if isinstance(value, float) and value.is_integer() else value for value in shown]
    if finished and decimals is not None and column.order is None:
        shown = [rounded(value, decimals) if type(value) is float else value for value in shown]
    return [_cell(value) for value in shown]


def _cell(value: Any) -> Cell:
    if isinstance(value, float):
        return value if value - value == 0 else None
    if type(value) is int and not -_LARGEST <= value < _LARGEST:
        return str(value)
    cell: Cell = value
    return cell


def _unique(names: Sequence[str]) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    found: list[str] = []
    for name in names:
        count = seen[name] = seen.get(name, 0) + 1
        found.append(name if count == 1 else f"{name}.{count - 1}")
    return tuple(found)
