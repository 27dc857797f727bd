"""Pivot: the values of a column as columns."""

from __future__ import annotations

from typing import Any

from tablewright.analyst.evaluating.conversion import dates_as_text
from tablewright.analyst.evaluating.grids import Grid
from tablewright.analyst.evaluating.moments import Moment
from tablewright.analyst.evaluating.statistics import total
from tablewright.analyst.evaluating.vectors import Stopped, Values, Vector, floated, vector
from tablewright.analyst.plan import Pivot

MOST_COLUMNS = 2_000


def pivot(relation: Pivot, below: Grid) -> Grid:
    """Return a row for each combination of the index columns and a column for each value; rows and columns are
    ordered by their keys, and those with a missing key are left out."""
    try:
        index = [below.column(name) for name in relation.index]
        across, values = below.column(relation.column), below.column(relation.value)
    except KeyError as error:
        raise Stopped("type") from error
    cells = _cells(index, across, values)
    rows = sorted({row for row, _ in cells}, key=lambda row: _key(row, index))
    heads = sorted({head for _, head in cells}, key=lambda head: _key((head,), [across]))
    if len(heads) > MOST_COLUMNS or len(heads) * len(rows) > 5_000_000:
        raise Stopped("too_large")
    add = total if values.is_number else _first
    columns: dict[str, Vector] = {
        name: vector([row[place] for row in rows], column.kind, unit=column.unit, missing=column.missing,
                     date_format=column.date_format, plain=True, order=column.order)
        for place, (name, column) in enumerate(zip(relation.index, index, strict=True))
    }  # fmt: skip
    labels = _labels(heads)
    for head, label in zip(heads, labels, strict=True):
        found = [add(cells[row, head]) if (row, head) in cells else None for row in rows]
        columns[label] = vector(floated(found), values.kind, unit=values.unit, plain=True)
    return Grid(rows=len(rows), columns=columns, known=frozenset(relation.index))


def _cells(index: list[Vector], across: Vector, values: Vector) -> dict[tuple[Any, Any], Values]:
    found: dict[tuple[Any, Any], Values] = {}
    rows = zip(*(column.values for column in index), strict=True)
    for row, head, value in zip(rows, across.values, values.values, strict=True):
        if None not in row and head is not None:
            own = found.setdefault((row, head), [])
            if value is not None:
                own.append(value)
    return found if values.is_number else {place: own for place, own in found.items() if own}


def _first(values: Values) -> Any:
    return values[0] if values else None


def _key(row: tuple[Any, ...], columns: list[Vector]) -> tuple[Any, ...]:
    pairs = zip(row, columns, strict=True)
    return tuple(value if column.order is None else column.order[value] for value, column in pairs)


def _labels(heads: Values) -> list[str]:
    if heads and isinstance(heads[0], Moment):
        return [text.replace(" ", "T") for text in dates_as_text(heads)]
    return [str(head) for head in heads]
