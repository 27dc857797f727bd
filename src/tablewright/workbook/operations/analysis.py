"""Read-only operations; their result is a small table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean, median, pstdev, quantiles, stdev

from tablewright.domain.operations.analysis import (
    AggregateColumn,
    Correlation,
    Describe,
    FindMissing,
    FindOutliers,
    IdentifyTop,
)
from tablewright.domain.operations.tables import Aggregation
from tablewright.domain.table import Cell, Table
from tablewright.errors import InvalidInput
from tablewright.workbook.areas import Area, cell_name, letters
from tablewright.workbook.operations.context import Handler, OperationContext
from tablewright.workbook.operations.formats import number_of, top_rows
from tablewright.workbook.package.kinds import column_kinds
from tablewright.workbook.package.table_view import TableView
from tablewright.workbook.values import EMPTY, CellData

_MOST_ROWS = 200


def describe(step: OperationContext, operation: Describe) -> None:
    """Report count, mean, spread and extremes of number columns."""
    view = step.table(step.sheet(operation), operation.columns)
    rows: list[tuple[Cell, ...]] = []
    for column in _number_columns(view, operation.columns):
        numbers = _numbers(view, column)
        if numbers:
            low, middle, high = quantiles(numbers, n=4, method="inclusive") if len(numbers) > 1 else (numbers[0],) * 3
            spread = stdev(numbers) if len(numbers) > 1 else None
            rows.append(
                (
                    view.header(column),
                    len(numbers),
                    fmean(numbers),
                    spread,
                    min(numbers),
                    low,
                    middle,
                    high,
                    max(numbers),
                )
            )
    columns = ("column", "count", "mean", "std", "min", "25%", "50%", "75%", "max")
    step.result = Table(columns=columns, rows=tuple(rows), total_rows=len(rows))


def identify_top(step: OperationContext, operation: IdentifyTop) -> None:
    """List the rows with the largest or smallest values, including ties."""
    names = [operation.column, *([operation.label] if operation.label else [])]
    view = step.table(step.sheet(operation), names)
    column = view.column(operation.column)
    first, last = view.rows
    rows = top_rows(view, column, operation.count, largest=operation.largest, among=range(first, last + 1))
    shown = [entry.index for entry in view.region.columns]
    if operation.label:
        shown = [view.column(operation.label, "label"), column]
    found = [(row, *(view.sheet.read(row, at).shown for at in shown)) for row in rows[:_MOST_ROWS]]
    headers = ("row", *(view.header(at) for at in shown))
    step.result = Table(columns=headers, rows=tuple(found), total_rows=len(rows))


def aggregate(step: OperationContext, operation: AggregateColumn) -> None:
    """Compute one aggregate of a column, per group if grouping columns are given."""
    view = step.table(step.sheet(operation), [operation.column, *operation.groups])
    column = view.column(operation.column)
    groups = [view.column(name, "groups") for name in operation.groups]
    found: dict[tuple[Cell, ...], list[CellData]] = defaultdict(list)
    for _, cells in view.sheet.scan(view.body):
        key = tuple(cells.get(at, EMPTY).shown for at in groups)
        if column in cells:
            found[key].append(cells[column])
    rows = tuple((*key, aggregated(operation.aggregation, cells)) for key, cells in found.items())
    headers = (*(view.header(at) for at in groups), f"{operation.aggregation} {view.header(column)}")
    step.result = Table(columns=headers, rows=rows[:_MOST_ROWS], total_rows=len(rows))


def find_outliers(step: OperationContext, operation: FindOutliers) -> None:
    """List cells far from the others: by default beyond 1.5 interquartile ranges, or beyond 3 standard deviations."""
    view = step.table(step.sheet(operation), [operation.column])
    column = view.column(operation.column)
    cells = _numbered(view, column)
    numbers = [number for _, number in cells]
    if len(numbers) < 4:
        raise InvalidInput("too_few_numbers", field="column", column=view.header(column))
    if operation.method == "iqr":
        low, _, high = quantiles(numbers, n=4, method="inclusive")
        reach = (1.5 if operation.threshold is None else operation.threshold) * (high - low)
        bounds = (low - reach, high + reach)
    else:
        reach = (3.0 if operation.threshold is None else operation.threshold) * pstdev(numbers)
        bounds = (fmean(numbers) - reach, fmean(numbers) + reach)
    found = [(cell_name(row, column), number) for row, number in cells if not bounds[0] <= number <= bounds[1]]
    step.result = Table(columns=("cell", view.header(column)), rows=tuple(found[:_MOST_ROWS]), total_rows=len(found))


def find_missing(step: OperationContext, operation: FindMissing) -> None:
    """Count the empty cells of each column and name the first ones."""
    view = step.table(step.sheet(operation), operation.columns)
    columns = [view.column(name, "columns") for name in operation.columns] or [
        entry.index for entry in view.region.columns
    ]
    first, last = view.rows
    filled: dict[int, set[int]] = {column: set() for column in columns}
    for row, cells in view.sheet.scan(view.body):
        for column in columns:
            cell = cells.get(column, EMPTY)
            if not cell.empty and str(cell.value or cell.formula or "0").strip():
                filled[column].add(row)
    rows: list[tuple[Cell, ...]] = []
    for column in columns:
        gaps = [row for row in range(first, last + 1) if row not in filled[column]]
        shown = ", ".join(cell_name(row, column) for row in gaps[:10]) + (", …" if len(gaps) > 10 else "")
        rows.append((view.header(column), letters(column), len(gaps), shown))
    step.result = Table(columns=("column", "letters", "missing", "cells"), rows=tuple(rows), total_rows=len(rows))


def correlation(step: OperationContext, operation: Correlation) -> None:
    """Correlate number columns, over the rows in which both have a number."""
    view = step.table(step.sheet(operation), operation.columns)
    columns = _number_columns(view, operation.columns)
    found = {column: dict(_numbered(view, column)) for column in columns}
    rows = tuple(
        (
            view.header(one),
            *(_correlated(found[one], found[other], ranked=operation.method == "spearman") for other in columns),
        )
        for one in columns
    )
    step.result = Table(columns=("column", *(view.header(at) for at in columns)), rows=rows, total_rows=len(rows))


HANDLERS: dict[str, Handler] = {
    "describe": describe, "identify_top": identify_top, "aggregate": aggregate, "find_outliers": find_outliers,
    "find_missing": find_missing, "correlation": correlation,
}  # fmt: skip


def aggregated(kind: Aggregation, cells: Sequence[CellData]) -> Cell:
    """Return an aggregate of cells, or None where it is undefined."""
    values = [cell.value for cell in cells if cell.value is not None]
    numbers = [number for cell in cells if (number := number_of(cell)) is not None]
    if kind == "count":
        return len(values)
    if kind == "count_distinct":
        return len(set(values))
    if kind == "sum":
        return sum(numbers)
    if not numbers:
        return None
    match kind:
        case "mean":
            return fmean(numbers)
        case "min":
            return min(numbers)
        case "max":
            return max(numbers)
        case "median":
            return median(numbers)
        case "std":
            return stdev(numbers) if len(numbers) > 1 else None


def _number_columns(view: TableView, names: Sequence[str]) -> list[int]:
    if names:
        return [view.column(name, "columns") for name in names]
    found = [column for column, kind in column_kinds(view).items() if kind == "number"]
    if not found:
        raise InvalidInput("no_number_columns", sheet=view.sheet.name)
    return found


def _numbered(view: TableView, column: int) -> list[tuple[int, float]]:
    first, last = view.rows
    return [
        (row, number)
        for row, cells in view.sheet.scan(Area(first, column, last, column))
        if column in cells and (number := number_of(cells[column])) is not None
    ]


def _numbers(view: TableView, column: int) -> list[float]:
    return [number for _, number in _numbered(view, column)]


def _correlated(one: dict[int, float], other: dict[int, float], *, ranked: bool) -> float | None:
    rows = [row for row in one if row in other]
    left, right = [one[row] for row in rows], [other[row] for row in rows]
    if ranked:
        left, right = _ranks(left), _ranks(right)
    if len(rows) < 2 or not (pstdev(left) and pstdev(right)):
        return None
    middle_left, middle_right = fmean(left), fmean(right)
    joint = fmean((x - middle_left) * (y - middle_right) for x, y in zip(left, right, strict=True))
    return joint / (pstdev(left) * pstdev(right))


def _ranks(values: list[float]) -> list[float]:
    """Return ranks from 1; equal values share the mean of their ranks."""
    places: dict[float, list[int]] = defaultdict(list)
    for place, value in enumerate(sorted(values), 1):
        places[value].append(place)
    return [fmean(places[value]) for value in values]
