"""Conditions over a table: the counterpart of `writing.conditions`, which writes their code."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from tablewright.analyst.date_constants import is_day, month_of, seconds_of, year_of
from tablewright.analyst.evaluating.buckets import bucket_numbers
from tablewright.analyst.evaluating.grids import Grid
from tablewright.analyst.evaluating.moments import DAY, Moment, in_days, reader
from tablewright.analyst.evaluating.vectors import Stopped, Values, Vector
from tablewright.analyst.plan import (
    AllOf,
    AnyOf,
    Between,
    Bucket,
    Col,
    Compare,
    Condition,
    Expr,
    Lit,
    Matches,
    Missing,
    Not,
    OneOf,
)
from tablewright.analyst.writing.conditions import bucket_unit_number, number_of
from tablewright.domain.table import Cell

Marks = list[bool]
_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_MIRRORED: dict[str, Any] = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Operands(Protocol):
    """Computes the values that a condition tests."""

    grid: Grid

    def write(self, expr: Expr) -> Vector: ...
    def numbers(self, expr: Expr) -> Vector: ...
    def dates(self, expr: Expr) -> Vector: ...
    def texts(self, expr: Expr) -> Vector: ...
    def series(self, found: Vector) -> Vector: ...
    def where(self, condition: Condition) -> Marks: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    """Cells, and the constant that they are compared with, both in one form."""

    of: Vector
    constant: Any
    form: str


class Conditions:
    """Tests conditions on each row of the table whose values `operands` computes."""

    def __init__(self, operands: Operands) -> None:
        self._operands = operands

    def write(self, condition: Condition) -> Marks:
        """Return for each row whether `condition` holds."""
        match condition:
            case Compare():
                return self._compare(condition)
            case OneOf():
                return self._one_of(condition.of, condition.values)
            case Between():
                return self._between(condition)
            case Matches():
                return self._matches(condition)
            case Missing():
                return _absent(self._series(condition.of).values)
            case Not():
                return self._negated(condition.of)
            case AllOf():
                return _all([self._operands.where(part) for part in condition.parts])
            case AnyOf():
                parts = [self._operands.where(part) for part in condition.parts]
                return [any(row) for row in zip(*parts, strict=True)]

    def _series(self, expr: Expr) -> Vector:
        return self._operands.series(self._operands.write(expr))

    def _negated(self, condition: Condition) -> Marks:
        if isinstance(condition, Missing):
            return _present(self._series(condition.of).values)
        marks = [not mark for mark in self._operands.where(condition)]
        return _all([marks, *self._filled(_tested(condition))])

    def _filled(self, exprs: Iterable[Expr]) -> list[Marks]:
        """Return where each of the values is present, of those that may be missing."""
        found = [self._operands.write(expr) for expr in exprs]
        return [_present(one.values) for one in found if not one.scalar and one.missing]

    def _compare(self, compare: Compare) -> Marks:
        left, right, op = compare.left, compare.right, compare.op
        if isinstance(left, Lit) and not isinstance(right, Lit):
            left, right, op = right, left, _MIRRORED[op]
        if isinstance(right, Lit):
            return self._against(left, op, right.value)
        operands = self._operands
        first, second = operands.write(left), operands.write(right)
        if first.is_date and second.is_date:
            first, second = operands.dates(left), operands.dates(right)
        elif first.is_number or second.is_number:
            first, second = operands.numbers(left), operands.numbers(right)
        else:
            first, second = self._folded(left, cased=True), self._folded(right, cased=True)
        if first.scalar and second.scalar:
            first = operands.series(first)
        marks = _related(op, first, second)
        return _all([marks, *self._filled((left, right))]) if op == "!=" else marks

    def _against(self, expr: Expr, op: str, value: Cell) -> Marks:
        if value is None:
            values = self._operands.write(expr).values
            return _present(values) if op == "!=" else _absent(values)
        pair = self._comparable(expr, op, value)
        if isinstance(value, bool):
            same = (op == "=") == (pair.form == "boolean" and pair.constant is True)
            return [one is not None and not isinstance(one, str) and one == same for one in pair.of.values]
        marks = _related(op, pair.of, pair.constant)
        return _all([marks, *self._filled((expr,))]) if op == "!=" else marks

    def _comparable(self, expr: Expr, op: str, value: Cell) -> _Pair:
        pair = self._matched(expr, op, value)
        return _Pair(of=self._operands.series(pair.of), constant=pair.constant, form=pair.form)

    def _matched(self, expr: Expr, op: str, value: Cell) -> _Pair:
        found = self._operands.write(expr)
        if isinstance(value, bool):
            if found.kind in {"boolean", "mixed"} or found.scalar:
                return _Pair(of=found, constant=value, form="boolean")
            return _Pair(of=self._folded(expr, cased=True), constant=str(value).lower(), form="text")
        if isinstance(expr, Bucket) and (number := bucket_unit_number(expr, value)) is not None:
            return _Pair(of=bucket_numbers(self._operands.dates(expr.of), expr.unit), constant=number, form="bucket")
        if found.is_date:
            return self._date_against(expr, op, value)
        number_value = number_of(value)
        if found.is_number and number_value is not None:
            return _Pair(of=found, constant=number_value, form="number")
        if not isinstance(value, str):
            return _Pair(of=self._operands.numbers(expr), constant=value, form="number")
        if found.kind == "time" and (passed := seconds_of(value)) is not None:
            return _Pair(of=self._operands.numbers(expr), constant=passed, form="number")
        wanted = value.strip()
        folded = self._folded(expr, cased=wanted.lower() != wanted.upper())
        return _Pair(of=folded, constant=wanted if found.clean else wanted.lower(), form=f"text{id(folded)}")

    def _folded(self, expr: Expr, *, cased: bool) -> Vector:
        found = self._operands.texts(expr)
        if found.scalar or found.clean:
            return found
        memo, key = self._operands.grid.memo, f"f{cased}{expr!r}"
        if key not in memo:
            memo[key] = found.but(_fold(found.values, cased=cased), "text")
        kept: Vector = memo[key]
        return kept

    def _date_against(self, expr: Expr, op: str, value: Cell) -> _Pair:
        dates = self._operands.series(self._operands.dates(expr))
        if (year := year_of(value)) is not None:
            return _Pair(of=dates.but(in_days(dates.values, lambda day: day.year), "integer"), constant=year, form="Y")
        text = str(value).strip()
        if month := month_of(text):
            months = in_days(dates.values, lambda day: f"{day.year:04}-{day.month:02}")
            return _Pair(of=dates.but(months, "text"), constant=month, form="M")
        if dates.kind == "datetime" and is_day(text) and op in {"=", "!=", "<=", ">"}:
            whole = [None if one is None else Moment(one - one % DAY) for one in dates.values]
            return _Pair(of=dates.but(whole), constant=_moment(text, op), form="D")
        return _Pair(of=dates, constant=_moment(text, op), form="T")

    def _one_of(self, of: Expr, values: tuple[Cell, ...]) -> Marks:
        given = [value for value in values if value is not None]
        pairs = [self._comparable(of, "=", value) for value in given]
        if not pairs:
            return _absent(self._series(of).values)
        if isinstance(given[0], str) and not pairs[0].of.is_number and not pairs[0].of.is_date:
            marks = self._one_of_texts(of, [str(value) for value in given])
        else:
            wanted = {pair.constant for pair in pairs}
            marks = [one is not None and one in wanted for one in pairs[0].of.values]
        if None not in values:
            return marks
        return [mark or one is None for mark, one in zip(marks, self._series(of).values, strict=True)]

    def _one_of_texts(self, of: Expr, values: list[str]) -> Marks:
        clean = self._operands.write(of).clean
        cased = any(value.lower() != value.upper() for value in values)
        wanted = {value.strip().lower() if cased and not clean else value.strip() for value in values}
        return [one in wanted for one in self._operands.series(self._folded(of, cased=cased)).values]

    def _between(self, between: Between) -> Marks:
        low, high = between.low, between.high
        below = "<" if between.high_open else "<="
        if low is None or high is None:
            if low is not None:
                return self._against(between.of, ">=", low)
            return self._against(between.of, below, high)
        first, second = self._comparable(between.of, ">=", low), self._comparable(between.of, below, high)
        return _all([_related(">=", first.of, first.constant), _related(below, second.of, second.constant)])

    def _matches(self, matches: Matches) -> Marks:
        wanted = matches.text.strip() or matches.text
        cased = wanted.lower() != wanted.upper()
        if matches.how == "contains":
            texts = self._operands.series(self._operands.texts(matches.of)).values
            part = wanted.lower() if cased else wanted
            known = {text: isinstance(text, str) and part in (text.lower() if cased else text) for text in set(texts)}
            return [known[text] for text in texts]
        folded = self._operands.series(self._folded(matches.of, cased=cased)).values
        part, method = wanted.lower(), str.startswith if matches.how == "starts" else str.endswith
        return [isinstance(text, str) and method(text, part) for text in folded]


def _related(op: str, first: Vector, second: Any) -> Marks:
    """Return where `first op second` holds: cells with cells, or with one value. Missing ones are unequal to all."""
    relate = _OPERATORS[op]
    unequal = op == "!="
    if not isinstance(second, Vector):
        return _with_one(relate, first.values, second, unequal=unequal)
    if second.scalar:
        return _with_one(relate, first.values, second.value, unequal=unequal)
    if first.scalar:
        one = first.value
        return [unequal if one is None or other is None else relate(one, other) for other in second.values]
    pairs = zip(first.values, second.values, strict=True)
    return [unequal if one is None or other is None else relate(one, other) for one, other in pairs]


def _with_one(relate: Callable[[Any, Any], bool], values: Values, one: Any, *, unequal: bool) -> Marks:
    if one is None:
        return [unequal] * len(values)
    if relate is operator.eq:
        return [value == one for value in values]
    if relate is operator.ne:
        return [value != one for value in values]
    return [value is not None and relate(value, one) for value in values]


def _fold(values: Values, *, cased: bool) -> Values:
    def fold(value: Any) -> Any:
        if not isinstance(value, str):
            return None
        return value.strip().lower() if cased else value.strip()

    known = {value: fold(value) for value in set(values)}
    return [known[value] for value in values]


def _moment(text: str, op: str) -> int | None:
    found = reader("")(text)
    if found is None and op not in {"=", "!="}:
        raise Stopped("type")
    return found


def _absent(values: Values) -> Marks:
    return [value is None for value in values]


def _present(values: Values) -> Marks:
    return [value is not None for value in values]


def _all(parts: list[Marks]) -> Marks:
    if len(parts) == 1:
        return parts[0]
    return [all(row) for row in zip(*parts, strict=True)]


def _tested(condition: Condition) -> tuple[Expr, ...]:
    """Return the expressions that must be present for the negated condition to hold."""
    if isinstance(condition, Compare):
        return tuple(side for side in (condition.left, condition.right) if isinstance(side, Col))
    if isinstance(condition, OneOf | Between | Matches):
        return (condition.of,)
    return ()
