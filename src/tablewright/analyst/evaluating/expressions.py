"""The values of expressions over a table: the counterpart of `writing.expressions`, which writes their code."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tablewright.analyst.date_constants import is_date
from tablewright.analyst.evaluating.arithmetic import computed
from tablewright.analyst.evaluating.buckets import bucket
from tablewright.analyst.evaluating.conditions import Conditions
from tablewright.analyst.evaluating.conversion import as_text, dates_as_text, first_numbers, whole_numbers
from tablewright.analyst.evaluating.functions import function
from tablewright.analyst.evaluating.grids import Grid
from tablewright.analyst.evaluating.moments import DAY, dates_of, iso_micros, moment, reader, seconds_of
from tablewright.analyst.evaluating.statistics import statistic
from tablewright.analyst.evaluating.vectors import Stopped, Values, Vector, floated, unsupported, vector
from tablewright.analyst.plan import Bucket, Case, Col, Condition, Cut, Expr, Func, Lit, Math, Statistic
from tablewright.domain.dataset import ColumnKind
from tablewright.domain.language import Language

_AS_THEY_ARE = frozenset({"count", "count_distinct", "mode", "missing"})


class Expressions:
    """Computes expressions over `grid`, each only once; `language` names weekdays."""

    def __init__(self, grid: Grid, *, language: Language, check: Callable[[], None]) -> None:
        self.grid = grid
        self._language = language
        self._check = check
        self._conditions = Conditions(self)

    def write(self, expr: Expr) -> Vector:
        """Return the values of `expr`."""
        if isinstance(expr, Col):
            return self._column(expr.name)
        return self._once(f"w{expr!r}", lambda: self._written(expr))

    def where(self, condition: Condition) -> list[bool]:
        """Return for each row whether `condition` holds."""
        key = f"c{condition!r}"
        if key not in self.grid.memo:
            self._check()
            self.grid.memo[key] = self._conditions.write(condition)
        found: list[bool] = self.grid.memo[key]
        return found

    def numbers(self, expr: Expr) -> Vector:
        """Return `expr` as numbers: text is parsed, and what cannot be parsed is missing."""
        found = self.write(expr)
        if found.is_number or found.scalar:
            return found
        return self._once(f"n{expr!r}", lambda: self._as_numbers(found))

    def dates(self, expr: Expr) -> Vector:
        """Return `expr` as dates: text is parsed by its format, and what cannot be parsed is missing."""
        found = self.write(expr)
        if found.is_date and (found.date_format is None or found.scalar):
            return found
        return self._once(f"d{expr!r}", lambda: _as_dates(found))

    def texts(self, expr: Expr) -> Vector:
        """Return `expr` as text."""
        found = self.write(expr)
        if found.kind == "text" or found.scalar:
            return found
        return self._once(f"t{expr!r}", lambda: _as_texts(found))

    def series(self, found: Vector) -> Vector:
        """Return `found` as a cell per row; a constant is repeated."""
        if not found.scalar:
            return found
        value, rows = _scalar(found), self.grid.rows
        return replace(found, read=lambda: [value] * rows, scalar=False)

    def measured(self, expr: Expr) -> Vector:
        """Return `expr` in a form that has a mean and an order: dates stay dates, everything else becomes numbers."""
        return self.dates(expr) if self.write(expr).is_date else self.numbers(expr)

    def _once(self, key: str, make: Callable[[], Vector]) -> Vector:
        found = self.grid.memo.get(key)
        if not isinstance(found, Vector):
            self._check()
            found = self.grid.memo[key] = make()
        return found

    def _column(self, name: str) -> Vector:
        try:
            return self.grid.column(name)
        except KeyError as error:
            raise Stopped("type") from error

    def _written(self, expr: Expr) -> Vector:
        match expr:
            case Col():
                return self._column(expr.name)
            case Lit():
                return vector(expr.value, _kind(expr), scalar=True, clean=True, missing=False)
            case Bucket():
                return bucket(self.series(self.dates(expr.of)), expr.unit, self._language)
            case Math():
                return self._math(expr)
            case Func():
                return function(self, expr)
            case Cut():
                return self._cut(expr)
            case Statistic():
                return self._statistic(expr)
            case Case():
                return self._case(expr)

    def _as_numbers(self, found: Vector) -> Vector:
        if found.is_date:
            raise unsupported("dates_as_numbers")
        if found.kind == "time":
            return replace(found.but(seconds_of(found.values, found.date_format), "number"), unit="s")
        if found.kind == "mixed":
            return found.but(whole_numbers(found.values), "number")
        return found.but(first_numbers(found.values), "number")

    def _math(self, expr: Math) -> Vector:
        if self.write(expr.left).is_date or self.write(expr.right).is_date:
            return self._date_math(expr)
        left, right = self.numbers(expr.left), self.numbers(expr.right)
        unit = left.unit if expr.op in {"+", "-"} and left.unit == right.unit else None
        integer = left.kind == right.kind == "integer" and expr.op not in {"/", "**"}
        missing = left.missing or right.missing or expr.op in {"/", "%"}
        kind: ColumnKind = "integer" if integer else "number"
        one = left.value if left.scalar else left.values
        other = right.value if right.scalar else right.values
        guarded = expr.op in {"/", "%"} and not isinstance(expr.right, Lit)
        if guarded and isinstance(other, list):
            other = [None if value == 0 else value for value in other] if 0 in other else other
        if left.scalar and right.scalar:
            found = None if guarded and not other else computed(expr.op, [one], other)[0]
            return vector(found, kind, scalar=True, clean=True, unit=unit, missing=missing)
        return vector(computed(expr.op, one, other), kind, clean=True, unit=unit, missing=missing)

    def _date_math(self, expr: Math) -> Vector:
        left = self.dates(expr.left)
        if left.scalar:
            raise Stopped("type") if isinstance(left.value, str) else unsupported("date_constant")
        if self.write(expr.right).is_date or (isinstance(expr.right, Lit) and isinstance(expr.right.value, str)):
            right = self.dates(expr.right)
            if expr.op != "-":
                raise Stopped("type")
            apart = computed("-", left.values, _moment(right) if right.scalar else right.values)
            return left.but(floated([None if value is None else value // DAY for value in apart]), "integer")
        if expr.op not in {"+", "-"}:
            raise Stopped("type")
        days = self.numbers(expr.right)
        reach: Any = [None if day is None else int(day * DAY) for day in days.values] if not days.scalar else None
        if days.scalar and days.value is not None:
            reach = int(days.value * DAY)
        moved = computed(expr.op, left.values, reach)
        return left.but([moment(value) for value in moved], "datetime")

    def _cut(self, expr: Cut) -> Vector:
        if len(set(expr.labels)) < len(expr.labels) or len(expr.edges) != len(expr.labels) + 1:
            raise Stopped("type")
        edges, labels = expr.edges, expr.labels
        values = self.series(self.numbers(expr.of)).values
        places = [-1 if value is None else bisect_right(edges, value) - 1 for value in values]
        found = [labels[place] if 0 <= place < len(labels) else None for place in places]
        return vector(found, "text", clean=True, order={label: place for place, label in enumerate(labels)})

    def _statistic(self, expr: Statistic) -> Vector:
        of = self.series(self.write(expr.of) if expr.name in _AS_THEY_ARE else self.measured(expr.of))
        values = of.values
        if expr.where is not None:
            values = [value for value, mark in zip(values, self.where(expr.where), strict=True) if mark]
        found = statistic(expr.name, values, expr.argument, of.order)
        kind = of.kind if of.is_date or expr.name == "mode" else "number"
        return vector(found, kind, scalar=True, clean=True, unit=of.unit)

    def _case(self, expr: Case) -> Vector:
        tests = [self.where(condition) for condition, _ in expr.branches]
        values = [self.write(value) for _, value in expr.branches]
        otherwise = self.write(expr.otherwise)
        kinds = {one.kind for one in (*values, otherwise) if not (one.scalar and one.value is None)}
        kind: ColumnKind = kinds.pop() if len(kinds) == 1 else "number" if kinds <= {"number", "integer"} else "mixed"
        pieces = [self.series(one).values for one in (*values, otherwise)]
        if any(one.is_date and not one.scalar for one in (*values, otherwise)):
            raise unsupported("case_of_dates")
        return vector(_chosen(tests, pieces), kind, clean=True)


def _chosen(tests: list[list[bool]], pieces: list[Values]) -> Values:
    """Return for each row the cell of the first piece whose test holds, else of the last; numpy gives all one type."""
    types = {type(value) for piece in pieces for value in piece}
    numbers = types & {int, float, bool}
    if numbers and str in types and type(None) not in types:
        raise Stopped("type")
    found = list(pieces[-1])
    for test, piece in reversed(list(zip(tests, pieces, strict=False))):
        found = [one if mark else other for mark, one, other in zip(test, piece, found, strict=True)]
    if float in numbers and types <= {int, float, type(None)}:
        return [float(value) if type(value) is int else value for value in found]
    return found


def _scalar(found: Vector) -> Any:
    """Return a scalar as it stands in a column; dates are written as text."""
    return found.value


def _moment(found: Vector) -> int | None:
    value = found.value
    if isinstance(value, str):
        read = reader("")(value)
        if read is None:
            raise Stopped("type")
        return read
    return int(value) if value is not None else None


def _as_dates(found: Vector) -> Vector:
    if found.scalar:
        return found.but(moment(iso_micros(str(found.value))), "datetime")
    if found.date_format:
        return found.but(dates_of(found.values, found.date_format), "datetime")
    if found.is_number:
        texts = as_text([None if value is None else int(value) for value in found.values])
        texts = [None if value is None else str(int(float(value))) for value in texts]
    else:
        texts = as_text(found.values)
    return replace(found.but(dates_of(texts, ""), "datetime"), missing=True)


def _as_texts(found: Vector) -> Vector:
    dated = found.is_date and found.date_format is None
    values = dates_as_text(found.values) if dated else as_text(found.values)
    return found.but(values, "text", clean=found.is_number)


def _kind(lit: Lit) -> ColumnKind:
    if isinstance(lit.value, bool):
        return "boolean"
    if isinstance(lit.value, int):
        return "integer"
    if isinstance(lit.value, float):
        return "number"
    if isinstance(lit.value, str) and is_date(lit.value):
        return "date"
    return "text"
