"""Aggregate: a single value, a single row, or one row per group."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tablewright.analyst.evaluating.expressions import Expressions
from tablewright.analyst.evaluating.grids import Grid
from tablewright.analyst.evaluating.moments import moment
from tablewright.analyst.evaluating.statistics import duration, modes, of_present, statistic
from tablewright.analyst.evaluating.vectors import Order, Values, Vector, floated, vector
from tablewright.analyst.plan import Aggregate, Measure, Named
from tablewright.analyst.writing.columns import Column
from tablewright.analyst.writing.results import result_column
from tablewright.analyst.writing.statistics import UNTYPED

_IMMEDIATE = frozenset({"missing", "missing_percent"})
_OF_VALUES = frozenset({"min", "max", "mode", "first", "last"})


def aggregate(relation: Aggregate, below: Grid, expressions: Expressions) -> Grid:
    """Return one row per group, or a single row without groups; the most frequent values may be several."""
    if relation.groups:
        return _grouped(relation, below, expressions)
    if len(relation.measures) == 1 and relation.measures[0].function == "mode" and relation.measures[0].of is not None:
        measure = relation.measures[0]
        of = _measured(expressions, measure)
        found = modes([value for value in _restricted(of.values, measure, expressions) if value is not None], of.order)
        return _made([(of.described(measure.name), found, of.order)], len(found))
    cells: list[tuple[Column, Values, Order | None]] = []
    for measure in relation.measures:
        aggregated, value = _whole(measure, below, expressions)
        cells.append((result_column(measure, aggregated), [value], _order(measure, aggregated)))
    return _made(cells, 1)


def _measured(expressions: Expressions, measure: Measure) -> Vector:
    """Return the cells that a measure aggregates. Raises TypeError for a measure of rows."""
    if measure.of is None:
        raise TypeError("rows are not a column")
    written = expressions.write(measure.of)
    as_it_is = measure.function in {"min", "max"} and written.kind in {"text", "time"}
    return expressions.series(written if measure.function in UNTYPED or as_it_is else expressions.measured(measure.of))


def _restricted(values: Values, measure: Measure, expressions: Expressions) -> Values:
    if measure.where is None:
        return values
    marks = expressions.where(measure.where)
    return [value for value, mark in zip(values, marks, strict=True) if mark]


def _whole(measure: Measure, below: Grid, expressions: Expressions) -> tuple[Vector | None, Any]:
    if measure.of is None:
        return None, below.rows if measure.where is None else sum(expressions.where(measure.where))
    of = _measured(expressions, measure)
    found = statistic(measure.function, _restricted(of.values, measure, expressions), measure.argument, of.order)
    return of, _finished(measure, of, found)


def _finished(measure: Measure, of: Vector, found: Any) -> Any:
    """Return a result as it is held: dates as whole microseconds, the reach between two dates as text."""
    if not of.is_date or found is None or measure.function in {"count", "count_distinct", *_IMMEDIATE}:
        return found
    if measure.function == "range":
        return duration(found)
    if measure.function in {"sum", "std", "var", "skew", "kurtosis"}:
        raise TypeError("dates have no sum")
    return moment(found) if of.date_format is None else found


def _order(measure: Measure, of: Vector | None) -> Order | None:
    return None if of is None or measure.function not in _OF_VALUES else of.order


def _made(columns: Iterable[tuple[Column, Values, Order | None]], rows: int) -> Grid:
    made = {
        column.name: vector(
            values, column.kind, unit=column.unit, missing=column.missing, date_format=column.date_format, plain=True,
            order=order,
        )
        for column, values, order in columns
    }  # fmt: skip
    return Grid(rows=rows, columns=made)


def _grouped(relation: Aggregate, below: Grid, expressions: Expressions) -> Grid:
    keys = [expressions.series(expressions.write(group.of)) for group in relation.groups]
    if not relation.measures:
        return _distinct(relation.groups, keys, below, keep_missing=relation.keep_missing)
    memo, key_of = below.memo, f"g{relation.keep_missing}{[group.of for group in relation.groups]!r}"
    if key_of not in memo:
        memo[key_of] = _numbered(keys, keep_missing=relation.keep_missing)
    numbers, firsts = memo[key_of]
    arranged = _arranged(keys, firsts)
    columns: list[tuple[Column, Values, Order | None]] = []
    for group, key in zip(relation.groups, keys, strict=True):
        values = key.values
        columns.append((key.described(group.name), [values[firsts[number]] for number in arranged], key.order))
    for measure in relation.measures:
        of = None if measure.of is None else _measured(expressions, measure)
        found = _per_group(measure, of, numbers, len(firsts), expressions)
        column = result_column(measure, of)
        columns.append((column, floated([found[number] for number in arranged]), _order(measure, of)))
    return _made(columns, len(arranged))


def _distinct(groups: tuple[Named, ...], keys: list[Vector], below: Grid, *, keep_missing: bool) -> Grid:
    rows = zip(*(key.values for key in keys), strict=True) if below.rows else iter(())
    found = [row for row in dict.fromkeys(rows) if keep_missing or None not in row]
    values = [list(one) for one in zip(*found, strict=True)] if found else [[] for _ in keys]
    columns = zip(groups, keys, values, strict=True)
    return _made(((key.described(group.name), own, key.order) for group, key, own in columns), len(found))


def _numbered(keys: list[Vector], *, keep_missing: bool) -> tuple[list[int], list[int]]:
    """Return the number of each row's group (-1: none), and the first row of each group."""
    rows: Iterable[Any] = keys[0].values if len(keys) == 1 else zip(*(key.values for key in keys), strict=True)
    known: dict[Any, int] = {}
    firsts: list[int] = []
    numbers: list[int] = []
    single = len(keys) == 1
    for place, row in enumerate(rows):
        number = known.get(row)
        if number is None:
            if not keep_missing and (row is None if single else None in row):
                known[row] = number = -1
            else:
                known[row] = number = len(firsts)
                firsts.append(place)
        numbers.append(number)
    return numbers, firsts


def _arranged(keys: list[Vector], firsts: list[int]) -> list[int]:
    """Return the numbers of the groups, ordered by their keys; missing keys come last."""
    arranged = list(range(len(firsts)))
    for key in reversed(keys):
        values, order = key.values, key.order
        own = [values[first] for first in firsts]
        present = [number for number in arranged if own[number] is not None]
        missing = [number for number in arranged if own[number] is None]
        _sorted(present, own if order is None else [None if one is None else order[one] for one in own])
        arranged = present + missing
    return arranged


def _sorted(numbers: list[int], keys: Values) -> None:
    try:
        numbers.sort(key=keys.__getitem__)
    except TypeError:  # numbers come before texts
        numbers.sort(key=lambda number: (isinstance(keys[number], str), keys[number]))


def _per_group(
    measure: Measure, of: Vector | None, numbers: list[int], count: int, expressions: Expressions
) -> list[Any]:
    """Return a measure's result for each group."""
    marks = None if measure.where is None else expressions.where(measure.where)
    if of is None:
        return _counted(numbers, count, marks)
    values = of.values
    if marks is not None:
        values = floated([value if mark else None for value, mark in zip(values, marks, strict=True)])
    if measure.function in _IMMEDIATE:
        missing = _counted(numbers, count, [value is None for value in values])
        if measure.function == "missing":
            return list(missing)
        sizes = _counted(numbers, count, None)
        return [one * 100 / size for one, size in zip(missing, sizes, strict=True)]
    if measure.function == "count":
        return _counted(numbers, count, [value is not None for value in values])
    cells: list[Values] = [[] for _ in range(count)]
    for number, value in zip(numbers, values, strict=True):
        if value is not None and number >= 0:
            cells[number].append(value)
    return [_finished(measure, of, of_present(measure.function, one, measure.argument, of.order)) for one in cells]


def _counted(numbers: list[int], count: int, marks: list[bool] | None) -> list[int]:
    """Return how many rows (those with marks) each group has."""
    found = [0] * (count + 1)  # the last counts the rows of no group, whose number is -1
    if marks is None:
        for number in numbers:
            found[number] += 1
    else:
        for number, mark in zip(numbers, marks, strict=True):
            if mark:
                found[number] += 1
    return found[:count]
