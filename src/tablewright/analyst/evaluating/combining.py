"""Join, Concat and Combine: relations with several sources."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tablewright.analyst.evaluating.arithmetic import quiet
from tablewright.analyst.evaluating.conversion import as_text
from tablewright.analyst.evaluating.expressions import Expressions
from tablewright.analyst.evaluating.grids import Grid, taken
from tablewright.analyst.evaluating.moments import DAY
from tablewright.analyst.evaluating.statistics import finite
from tablewright.analyst.evaluating.vectors import Stopped, Values, Vector, floated, vector
from tablewright.analyst.plan import Col, Combine, Concat, Join
from tablewright.analyst.writing.columns import RIGHT_SUFFIX

MOST_ROWS = 2_000_000
Make = Callable[[Grid], Expressions]

_COMBINED: dict[str, Callable[[Any, Any], Any]] = {
    "difference": lambda one, other: one - other,
    "absolute_difference": lambda one, other: abs(one - other),
    "sum": lambda one, other: one + other,
    "ratio": lambda one, other: quiet(one, other) if other else None,
    "percent": lambda one, other: one / other * 100 if other else None,
    "percent_change": lambda one, other: (other - one) / one * 100 if one else None,
}


def combine(relation: Combine, left: Grid, right: Grid, over: Make) -> Grid:
    """Return one number computed from two cells: missing if one is, or if it divides by zero."""
    (first, one), (second, other) = _cell(left, over), _cell(right, over)
    found = None
    if one is not None and other is not None:
        found = finite(_COMBINED[relation.op](one, other))
    if first.is_date and second.is_date:
        found = None if found is None else found // DAY
    elif first.is_date or second.is_date:
        raise Stopped("type")
    percent = relation.op in {"percent", "percent_change"}
    unit = "%" if percent else first.unit if relation.op != "ratio" else None
    adding = relation.op in {"difference", "absolute_difference", "sum"}
    whole = first.kind == second.kind == "integer" and adding
    return Grid(
        rows=1, columns={relation.name: vector([found], "integer" if whole else "number", unit=unit, plain=True)}
    )


def _cell(held: Grid, over: Make) -> tuple[Vector, Any]:
    name = next(iter(held.columns))
    column = over(held).measured(Col(name=name))
    found = next(iter(column.values), None)
    return (column if column.is_date or column.is_number else replace(column, kind="number")), found


def concat(_relation: Concat, parts: Sequence[Grid]) -> Grid:
    """Return the rows of the tables one below the other, with the column names of the first."""
    head = parts[0]
    rows = sum(part.rows for part in parts)
    if rows > MOST_ROWS:
        raise Stopped("too_large")
    renamed = [
        part if part.names == head.names or len(part.names) != len(head.names) else _renamed(part, head.names)
        for part in parts
    ]
    names = dict.fromkeys(name for part in renamed for name in part.names)
    columns: dict[str, Vector] = {}
    for name in names:
        pieces = [part.columns[name].values if name in part.columns else [None] * part.rows for part in renamed]
        values = _one_type([value for piece in pieces for value in piece])
        described = next(part.columns[name] for part in renamed if name in part.columns)
        columns[name] = replace(described, read=_reader(values), missing=True, plain=True)
    known = frozenset(head.names if head.known is None else head.known)
    return Grid(rows=rows, columns=columns, known=None if known == names.keys() else known)


def _renamed(part: Grid, names: Sequence[str]) -> Grid:
    return replace(part, columns=dict(zip(names, part.columns.values(), strict=True)), memo={})


def _reader(values: Values) -> Callable[[], Values]:
    return lambda: values


def _one_type(values: Values) -> Values:
    types = set(map(type, values)) - {type(None)}
    if types == {int, float}:
        return [float(value) if type(value) is int else value for value in values]
    return floated(values)


def join(relation: Join, left: Grid, right: Grid, over: Make) -> Grid:
    """Return the pairs of rows with equal keys; keys of different types are compared as text, and a missing key is
    equal to none."""
    for one, other in relation.on:
        left, right = _alike(left, right, one, other, over)
    ours = [left.column(one).values for one, _ in relation.on]
    theirs = [right.column(other).values for _, other in relation.on]
    dropped = [place for place, (one, other) in enumerate(relation.on) if _both_missing(left, right, one, other)]
    rows = _Rows(relation, ours, theirs, dropped if relation.how != "outer" else [])
    firsts, seconds = rows.matched()
    return _merged(relation, left, right, firsts, seconds)


def _both_missing(left: Grid, right: Grid, one: str, other: str) -> bool:
    return left.column(one).missing and right.column(other).missing


def _alike(left: Grid, right: Grid, one: str, other: str, over: Make) -> tuple[Grid, Grid]:
    """Return the tables with keys that can be compared: both as text, or both as dates."""
    try:
        first, second = left.column(one), right.column(other)
    except KeyError as error:
        raise Stopped("type") from error
    if first.is_number != second.is_number or "mixed" in {first.kind, second.kind}:
        return _with_text(left, one, over), _with_text(right, other, over)
    if first.is_date and second.is_date:
        if first.date_format == second.date_format:
            return left, right
        ours, theirs = over(left).dates(Col(name=one)), over(right).dates(Col(name=other))
        return left.with_columns({one: ours}), right.with_columns({other: theirs})
    if (first.is_date and first.date_format is None) != (second.is_date and second.date_format is None):
        raise Stopped("type")
    return left, right


def _with_text(grid: Grid, name: str, over: Make) -> Grid:
    found = over(grid).write(Col(name=name))
    texts = over(grid).texts(Col(name=name)) if found.is_date else found
    values = [None if value is None else value.strip() for value in as_text(texts.values)]
    return grid.with_columns({name: replace(found, read=_reader(values), kind="text", order=None)})


class _Rows:
    """Finds which rows of two tables belong together."""

    def __init__(self, relation: Join, ours: list[Values], theirs: list[Values], dropped: list[int]) -> None:
        self._how = relation.how
        self._ours = list(zip(*ours, strict=True))
        self._theirs = list(zip(*theirs, strict=True))
        self._dropped = dropped

    def matched(self) -> tuple[list[int | None], list[int | None]]:
        """Return the places of the left and of the right rows of each row of the result."""
        known: dict[Any, list[int]] = {}
        for place, key in enumerate(self._theirs):
            if not any(key[column] is None for column in self._dropped):
                known.setdefault(key, []).append(place)
        firsts: list[int | None] = []
        seconds: list[int | None] = []
        for place, key in enumerate(self._ours):
            found: Sequence[int | None] = known.get(key) or (() if self._how == "inner" else (None,))
            firsts += [place] * len(found)
            seconds += found
            if len(firsts) > MOST_ROWS:
                raise Stopped("too_large")
        if self._how != "outer":
            return firsts, seconds
        used = {place for place in seconds if place is not None}
        rest = [place for place in range(len(self._theirs)) if place not in used]
        return self._ordered(firsts + [None] * len(rest), [*seconds, *rest])

    def _ordered(
        self, firsts: list[int | None], seconds: list[int | None]
    ) -> tuple[list[int | None], list[int | None]]:
        """Return the rows of an outer join ordered by their keys, missing ones last."""

        def key(pair: tuple[int | None, int | None]) -> tuple[Any, ...]:
            row = self._ours[pair[0]] if pair[0] is not None else self._theirs[pair[1] or 0]
            return tuple((math.inf, 0) if value is None else (0, value) for value in row)

        pairs = sorted(zip(firsts, seconds, strict=True), key=key)
        return [first for first, _ in pairs], [second for _, second in pairs]


def _merged(
    relation: Join, left: Grid, right: Grid, firsts: list[int | None], seconds: list[int | None]
) -> Grid:  # fmt: skip
    shared = {one for one, other in relation.on if one == other}
    clash = (set(left.names) & set(right.names)) - shared
    nullable = relation.how != "inner"
    columns: dict[str, Vector] = {}
    for name, column in left.columns.items():
        found = taken(left.column(name), firsts)
        if name in shared and relation.how == "outer":
            found = _either(found, taken(right.column(name), seconds))
        columns[name] = found if nullable else replace(found, missing=column.missing)
    for name, column in right.columns.items():
        if name in shared:
            continue
        new = f"{name}{RIGHT_SUFFIX}" if name in clash else name
        if new in columns:
            raise Stopped("type")
        found = taken(right.column(name), seconds)
        columns[new] = found if nullable else replace(found, missing=column.missing)
    return Grid(rows=len(firsts), columns=columns)


def _either(one: Vector, other: Vector) -> Vector:
    pairs = zip(one.values, other.values, strict=True)
    return replace(one, read=_reader([first if first is not None else second for first, second in pairs]))
