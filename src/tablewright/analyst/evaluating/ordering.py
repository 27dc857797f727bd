"""The relations Sort, Top and Position."""

from __future__ import annotations

from typing import Literal

from tablewright.analyst.evaluating.conversion import whole_numbers
from tablewright.analyst.evaluating.expressions import Expressions
from tablewright.analyst.evaluating.grids import Grid
from tablewright.analyst.evaluating.moments import dates_of, seconds_of
from tablewright.analyst.evaluating.ranks import arranged, ranks
from tablewright.analyst.evaluating.vectors import Order, Stopped, Values, Vector
from tablewright.analyst.plan import Aggregate, Col, Position, Sort, Top

Method = Literal["min", "dense", "first"]


def sort(relation: Sort, below: Grid) -> Grid:
    """Return the rows in order: stable, missing values last, text columns of dates as dates."""
    indexes = list(range(below.rows))
    for name, descending in reversed(relation.keys):
        column = _existing(below, name)
        values = _comparable(column)
        order = column.order
        present = [index for index in indexes if values[index] is not None]
        missing = [index for index in indexes if values[index] is None]
        if order is None:
            present.sort(key=values.__getitem__, reverse=descending)
        else:
            present.sort(key=[0 if value is None else order[value] for value in values].__getitem__, reverse=descending)
        indexes = present + missing
    return below.picked(indexes)


def _existing(below: Grid, name: str) -> Vector:
    try:
        return below.column(name)
    except KeyError as error:
        raise Stopped("type") from error


def _comparable(column: Vector) -> Values:
    values = column.values
    if column.is_date:
        return values if column.date_format is None else dates_of(values, column.date_format)
    if column.kind == "time":
        return seconds_of(values, column.date_format)
    return whole_numbers(values) if column.kind == "mixed" else values


def top(relation: Top, below: Grid, expressions: Expressions) -> Grid:
    """Return the first rows by a column, including ties with the last, or ranks counted on distinct values."""
    column = _existing(below, relation.by)
    of = Col(name=relation.by)
    by = expressions.write(of) if column.kind == "text" else expressions.measured(of)
    values, descending = by.values, relation.descending
    if relation.within or relation.offset:
        return _by_rank(relation, below, by)
    if relation.count == 1 and relation.ties and by.kind != "text":
        best = (max if descending else min)((value for value in values if value is not None), default=None)
        return below.kept([value is not None and value == best for value in values])
    if not by.plain or by.kind in {"text", "boolean"}:
        return _by_rank(relation, below, by)
    return below.picked(_largest(relation, values, dropped=column.missing and not _is_sum(relation)))


def _largest(relation: Top, values: Values, *, dropped: bool) -> list[int]:
    places = arranged(values, descending=relation.descending)
    count = relation.count
    if count < len(places) and relation.ties and count > 0:
        last = values[places[count - 1]]
        while count < len(places) and values[places[count]] == last:
            count += 1
    found = places[:count]
    if dropped or len(found) == count:
        return found
    return found + [place for place, value in enumerate(values) if value is None][: count - len(found)]


def _is_sum(relation: Top) -> bool:
    below = relation.source
    measures = below.measures if isinstance(below, Aggregate) else ()
    return any(measure.name == relation.by and measure.function == "sum" for measure in measures)


def _by_rank(relation: Top, below: Grid, by: Vector) -> Grid:
    method: Method = "dense" if relation.offset else "min" if relation.ties else "first"
    found = _ranked(below, relation, by.values, by.order, method)
    first, last = (relation.offset + 1 if relation.offset else 0), relation.offset + relation.count
    indexes = [place for place, rank in enumerate(found) if rank is not None and first <= rank <= last]
    if last > 1 and not relation.within:
        indexes.sort(key=found.__getitem__)
    return below.picked(indexes)


def _ranked(below: Grid, relation: Top, values: Values, order: Order | None, method: Method) -> Values:
    descending = relation.descending
    if not relation.within:
        return ranks(values, method=method, descending=descending, order=order)
    found: Values = [None] * len(values)
    for places in groups(below, relation.within):
        own = ranks([values[place] for place in places], method=method, descending=descending, order=order)
        for place, rank in zip(places, own, strict=True):
            found[place] = rank
    return found


def groups(below: Grid, within: tuple[str, ...]) -> list[list[int]]:
    """Return the places of the rows of each group; rows with a missing key are in none."""
    keys = list(zip(*(_existing(below, name).values for name in within), strict=True))
    found: dict[object, list[int]] = {}
    for place, key in enumerate(keys):
        if None not in key:
            found.setdefault(key, []).append(place)
    return list(found.values())


def position(relation: Position, below: Grid) -> Grid:
    """Return the rows at a position."""
    count, offset = relation.count, relation.offset
    places = list(range(below.rows))
    if count >= 0:
        return below.picked(places[offset : offset + count])
    return below.picked(places[count - offset : -offset] if offset else places[count:])
