"""Statistical procedures: the commonest of those that `writing.procedures` writes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from tablewright.analyst.evaluating.correlation import METHODS, coefficient
from tablewright.analyst.evaluating.expressions import Expressions
from tablewright.analyst.evaluating.grids import Grid, grid, stored
from tablewright.analyst.evaluating.statistics import deviation, mean, quantile
from tablewright.analyst.evaluating.vectors import Stopped, Values, Vector, unsupported, vector
from tablewright.analyst.plan import Col, Compare, Lit, Procedure
from tablewright.analyst.writing.columns import Column
from tablewright.domain.dataset import ColumnKind


def procedure(relation: Procedure, below: Grid, expressions: Expressions) -> Grid:
    """Return the table of a procedure. Raises `Stopped` for those that are not computed here."""
    make = _PROCEDURES.get(relation.name)
    if make is None:
        raise unsupported(f"procedure:{relation.name}")
    return make(relation, below, expressions)


def _column(name: str, kind: ColumnKind, *, missing: bool = True) -> Column:
    return Column(name=name, kind=kind, missing=missing)


def _number_columns(below: Grid, *, but: Sequence[str] = ()) -> tuple[str, ...]:
    return tuple(column.name for column in below.described() if column.is_number and column.name not in but)


def _numeric(below: Grid, expressions: Expressions, names: Iterable[str]) -> Grid:
    """Return the table with some columns as numbers."""
    odd = [name for name in names if not expressions.write(Col(name=name)).is_number]
    if not odd:
        return below
    found = {name: expressions.numbers(Col(name=name)) for name in odd}
    return below.with_columns({name: replace(column, kind="number") for name, column in found.items()})


def _present(values: Values) -> Values:
    return [value for value in values if value is not None]


def describe(relation: Procedure, below: Grid, expressions: Expressions) -> Grid:
    """Return a row per column with its count, mean, standard deviation, extremes and quartiles."""
    names = relation.columns or _number_columns(below)
    if not names:
        raise Stopped("type")
    table = _numeric(below, expressions, names)
    found: list[list[Any]] = []
    for name in names:
        values = _present(table.column(name).values)
        if values and isinstance(values[0], bool | str):
            raise unsupported("describe")
        quarters = [quantile(values, share) for share in (0.25, 0.5, 0.75)]
        low, high = min(values, default=None), max(values, default=None)
        found.append([name, float(len(values)), mean(values), deviation(values), low, *quarters, high])
    kinds: tuple[tuple[str, ColumnKind], ...] = (
        ("column", "text"), ("count", "number"), ("mean", "number"), ("std", "number"), ("min", "number"),
        ("25%", "number"), ("50%", "number"), ("75%", "number"), ("max", "number"),
    )  # fmt: skip
    columns = [_column(name, kind) for name, kind in kinds]
    return grid(((column, [_float(row[place]) for row in found]) for place, column in enumerate(columns)), len(found))


def _float(value: Any) -> Any:
    return float(value) if isinstance(value, int) else value


def columns_of(_relation: Procedure, below: Grid, _expressions: Expressions) -> Grid:
    """Return a row per column with its number of filled cells and of distinct values."""
    filled = [_present(column.values) for column in below.columns.values()]
    columns: list[tuple[Column, Values]] = [
        (_column("column", "text"), list(below.columns)),
        (_column("filled", "integer", missing=False), [len(values) for values in filled]),
        (_column("distinct", "integer", missing=False), [len(set(values)) for values in filled]),
    ]
    return grid(columns, len(filled))


def missing(relation: Procedure, below: Grid, _expressions: Expressions) -> Grid:
    """Return a row per column with its number of empty cells and their share of the rows."""
    names = relation.columns or below.names
    counts = [below.column(name).values.count(None) for name in names]
    shares = [count / max(below.rows, 1) * 100 for count in counts]
    columns: list[tuple[Column, Values]] = [
        (_column("column", "text"), list(names)),
        (_column("missing", "integer", missing=False), counts),
        (Column(name="percent", kind="number", unit="%"), shares),
    ]
    return grid(columns, len(names))


def duplicates(relation: Procedure, below: Grid, _expressions: Expressions) -> Grid:
    """Return the number of rows that repeat an earlier one."""
    names = relation.columns or below.names
    rows = list(zip(*(below.column(name).values for name in names), strict=True))
    return grid([(_column("count", "integer"), [len(rows) - len(set(rows))])], 1)


def _pair(below: Grid, one: str, other: str) -> tuple[Values, Values]:
    rows = zip(below.column(one).values, below.column(other).values, strict=True)
    kept = [row for row in rows if None not in row]
    return [row[0] for row in kept], [row[1] for row in kept]


def _method(relation: Procedure) -> str:
    method = str(relation.options.get("method") or "pearson")
    if method not in METHODS:
        raise unsupported(f"correlation:{method}")
    return method


def correlation(relation: Procedure, below: Grid, expressions: Expressions) -> Grid:
    """Return the coefficient of two columns, its p-value, and the number of rows that have both."""
    one, other = relation.columns[:2]
    first, second = _pair(_numeric(below, expressions, (one, other)), one, other)
    found, p_value = coefficient(first, second, _method(relation))
    columns: list[tuple[Column, Values]] = [
        (_column("correlation", "number"), [found]),
        (_column("p_value", "number"), [p_value]),
        (_column("count", "integer", missing=False), [len(first)]),
    ]
    return grid(columns, 1)


def correlations(relation: Procedure, below: Grid, expressions: Expressions) -> Grid:
    """Return the coefficients of the first column with each of the others."""
    target = relation.columns[0]
    others = relation.columns[1:] or _number_columns(below, but=(target,))
    return _all_of("column", relation, below, expressions, [(name, target, name) for name in others])


def correlation_pairs(relation: Procedure, below: Grid, expressions: Expressions) -> Grid:
    """Return the coefficients of every pair of columns, strongest first."""
    names = relation.columns or _number_columns(below)
    pairs = [(f"{one}, {other}", one, other) for one, other in combinations(names, 2)]
    return _all_of("pair", relation, below, expressions, pairs)


def _all_of(
    head: str, relation: Procedure, below: Grid, expressions: Expressions, pairs: list[tuple[str, str, str]]
) -> Grid:
    table = _numeric(below, expressions, dict.fromkeys(name for _, *names in pairs for name in names))
    method = _method(relation)
    found: list[tuple[str, float | None, float | None]] = []
    for label, one, other in pairs:
        first, second = _pair(table, one, other)
        if len(first) > 2:
            found.append((label, *coefficient(first, second, method)))
    found.sort(key=lambda row: (row[1] is None, -abs(row[1] or 0)))
    columns: list[tuple[Column, Values]] = [
        (_column(head, "text"), [row[0] for row in found]),
        (_column("correlation", "number"), [row[1] for row in found]),
        (_column("p_value", "number"), [row[2] for row in found]),
    ]
    return grid(columns, len(found))


def _bounds(relation: Procedure, values: Values) -> tuple[Any, Any]:
    present, options = _present(values), relation.options
    if options.get("method") == "zscore":
        middle, ddof = mean(present), options.get("ddof") or 0
        spread = deviation(present, 0 if ddof == 0 else None)
        reach = None if spread is None else _number(options.get("threshold") or 3) * spread
        return (None, None) if middle is None or reach is None else (middle - reach, middle + reach)
    low, high = quantile(present, 0.25), quantile(present, 0.75)
    if low is None:
        return None, None
    reach = _number(options.get("factor") or 1.5) * (high - low)
    return low - reach, high + reach


def _number(value: Any) -> float:
    if not isinstance(value, int | float):
        raise Stopped("type")
    return value


def outliers(relation: Procedure, below: Grid, expressions: Expressions) -> Grid:
    """Return the rows outside the bounds (or within them), preceded by their position in the table as loaded."""
    table = _numeric(below, expressions, relation.columns[:1])
    values = table.column(relation.columns[0]).values
    low, high = _bounds(relation, values)
    inliers = relation.options.get("keep") == "inliers"
    if low is None:
        marks = [False] * len(values)
    else:
        marks = [value is not None and (low <= value <= high) == inliers for value in values]
    kept = table.kept(marks)
    place = "row"
    while place in table.names:
        place += "_"
    places = kept.places or vector([], "integer")
    numbered: dict[str, Vector] = {place: stored(replace(places, missing=False), kept.rows), **kept.columns}
    return replace(kept, columns=numbered, known=None, places=None, memo={})


def outlier_bounds(relation: Procedure, _below: Grid, expressions: Expressions) -> Grid:
    """Return the lowest and highest values that are not outliers."""
    low, high = _bounds(relation, expressions.numbers(Col(name=relation.columns[0])).values)
    return grid([(_column("lower", "number"), [low]), (_column("upper", "number"), [high])], 1)


def neighbour(relation: Procedure, below: Grid, expressions: Expressions) -> Grid:
    """Return the row some places after the last row with a value, or before the first one."""
    offset = relation.options.get("offset")
    steps = int(offset) if isinstance(offset, int | float) else 1
    wanted = Compare(op="=", left=Col(name=relation.columns[0]), right=Lit(value=relation.options.get("value")))
    places = [place for place, mark in enumerate(expressions.where(wanted)) if mark]
    place = (places[-1 if steps > 0 else 0] + steps) if places else -1
    return below.picked([place] if 0 <= place < below.rows else [])


def longest_run(relation: Procedure, _below: Grid, expressions: Expressions) -> Grid:
    """Return the largest number of consecutive rows in which a column is above zero."""
    longest = length = 0
    for value in expressions.series(expressions.numbers(Col(name=relation.columns[0]))).values:
        length = length + 1 if value is not None and value > 0 else 0
        longest = max(longest, length)
    return grid([(_column("count", "integer"), [longest])], 1)


_PROCEDURES: dict[str, Callable[[Procedure, Grid, Expressions], Grid]] = {
    "describe": describe,
    "columns": columns_of,
    "missing": missing,
    "duplicates": duplicates,
    "correlation": correlation,
    "correlations": correlations,
    "correlation_pairs": correlation_pairs,
    "outliers": outliers,
    "outlier_bounds": outlier_bounds,
    "neighbour": neighbour,
    "longest_run": longest_run,
}
