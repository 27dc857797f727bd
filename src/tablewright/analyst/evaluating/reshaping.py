"""The relations Derive, Project, Share, Shift, Fill and Pivot."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

from tablewright.analyst.evaluating.arithmetic import quiet
from tablewright.analyst.evaluating.expressions import Expressions
from tablewright.analyst.evaluating.grids import Grid, stored
from tablewright.analyst.evaluating.moments import DAY
from tablewright.analyst.evaluating.ordering import groups
from tablewright.analyst.evaluating.statistics import finite, modes, statistic, total
from tablewright.analyst.evaluating.vectors import Stopped, Values, Vector, floated, vector
from tablewright.analyst.plan import Col, Derive, Fill, Project, Share, Shift
from tablewright.domain.dataset import ColumnKind


def derive(relation: Derive, below: Grid, expressions: Expressions) -> Grid:
    """Return the table with further columns, all computed from the ones it had."""
    return below.with_columns({named.name: expressions.write(named.of) for named in relation.columns})


def project(relation: Project, below: Grid, expressions: Expressions) -> Grid:
    """Return only some values, without duplicate rows if they are to be distinct."""
    found = below.holding({named.name: expressions.write(named.of) for named in relation.columns})
    if not relation.distinct:
        return found
    values = [column.values for column in found.columns.values()]
    rows = values[0] if len(values) == 1 else [*zip(*values, strict=True)]
    first = dict(zip(reversed(rows), range(len(rows) - 1, -1, -1), strict=True))  # of equal ones the first comes last
    return found.picked(sorted(first.values()))


def share(relation: Share, below: Grid, expressions: Expressions) -> Grid:
    """Return the table with a column of parts of a whole."""
    column = expressions.numbers(Col(name=relation.column))
    values = column.values
    wholes: Values = [None] * below.rows
    if relation.within:
        for places in groups(below, relation.within):
            whole = total([values[place] for place in places if values[place] is not None])
            for place in places:
                wholes[place] = whole
    else:
        wholes = [total([value for value in values if value is not None])] * below.rows
    times = 100 if relation.percent else 1
    found = [quiet(value, whole) for value, whole in zip(values, wholes, strict=True)]
    parts = [None if part is None else part * times for part in found]
    return below.with_columns({relation.name: vector(parts, "number", unit="%" if relation.percent else None)})


def shift(relation: Shift, below: Grid, expressions: Expressions) -> Grid:
    """Return the table with the change from an earlier row, or the running sum, as a column."""
    column = expressions.measured(Col(name=relation.column))
    values = column.values
    if column.is_date and relation.how != "difference":
        raise Stopped("type")
    if relation.how == "cumulative":
        found = _running(values)
    else:
        earlier = _earlier(values, relation.periods)
        change = _growth if relation.how == "growth" else _difference
        found = [
            None if one is None or before is None else change(one, before)
            for one, before in zip(values, earlier, strict=True)
        ]
    if column.is_date:
        found = [None if value is None else value // DAY for value in found]
    unit = "%" if relation.how == "growth" else column.unit
    return below.with_columns({relation.name: vector(floated(found), "number", unit=unit)})


def _earlier(values: Values, periods: int) -> Values:
    if periods >= 0:
        return ([None] * periods + values)[: len(values)]
    return (values[-periods:] + [None] * -periods)[-len(values) :] if values else []


def _difference(one: Any, before: Any) -> Any:
    return finite(one - before)


def _growth(one: Any, before: Any) -> Any:
    found = quiet(one, before)
    return None if found is None or math.isinf(found) else (found - 1) * 100


def _running(values: Values) -> Values:
    so_far: Any = 0
    found: Values = []
    for value in values:
        if value is not None:
            so_far += value
        found.append(None if value is None else so_far)
    return floated(found)


def fill(relation: Fill, below: Grid, expressions: Expressions) -> Grid:
    """Return the table with the missing cells of a column replaced, or without their rows."""
    of = Col(name=relation.column)
    written = expressions.write(of)
    if relation.how == "drop":
        kept = below.kept([value is not None for value in written.values])
        columns = {**kept.columns, relation.column: replace(kept.columns[relation.column], missing=False)}
        return replace(kept, columns=columns)
    column = expressions.numbers(of) if relation.how in {"mean", "median", "interpolate"} else written
    found = replace(
        column, read=_reader(_filled(relation, column, below)), kind=_filled_kind(relation, written), missing=False,
        unit=written.unit, date_format=written.date_format,
    )  # fmt: skip
    return below.with_columns({relation.column: stored(found, below.rows)})


def _reader(values: Values) -> Any:
    return lambda: values


def _filled_kind(relation: Fill, column: Vector) -> ColumnKind:
    between = relation.how in {"mean", "median", "interpolate"}
    if column.kind == "integer" and (between or isinstance(relation.value, float)):
        return "number"
    return column.kind


def _filled(relation: Fill, column: Vector, below: Grid) -> Values:
    values = column.values
    if relation.how == "forward":
        return _forward(values)
    if relation.how == "backward":
        return _forward(values[::-1])[::-1]
    if relation.how == "interpolate":
        return _interpolated(values)
    if relation.how == "constant":
        constant = relation.value
        same = float(constant) if type(constant) is int and float in set(map(type, values)) else constant
        return [same if value is None else value for value in values]
    instead: Values = [None if relation.within and relation.how == "mode" else _middle(relation, column, values)] * len(
        values
    )
    for places in groups(below, relation.within) if relation.within else ():
        own = _middle(relation, column, [values[place] for place in places])
        for place in places:
            instead[place] = instead[place] if own is None else own
    return [other if value is None else value for value, other in zip(values, instead, strict=True)]


def _middle(relation: Fill, column: Vector, values: Values) -> Any:
    present = [value for value in values if value is not None]
    if relation.how == "mode":
        return next(iter(modes(present, column.order)), None)
    return statistic("median" if relation.how == "median" else "mean", present, None)


def _forward(values: Values) -> Values:
    last: Any = None
    found: Values = []
    for value in values:
        last = last if value is None else value
        found.append(last)
    return found


def _interpolated(values: Values) -> Values:
    found = _forward(values)
    places = [place for place, value in enumerate(values) if value is not None]
    for first, second in pairwise(places):
        step = (values[second] - values[first]) / (second - first)
        for place in range(first + 1, second):
            found[place] = values[first] + step * (place - first)
    return found
