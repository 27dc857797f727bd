"""Conditions of the plan: text ignoring case and surrounding blanks, dates by day, missing never equal.

A condition that is null does not hold. Where it stands below `not`, it is made false there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from functools import reduce
from typing import Literal

from sqlglot import exp

from tablewright.analyst.date_constants import is_day, month_of, year_of
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
from tablewright.analyst.sql.dates import bucket_number, constant, day_of, formatted, moment_of, part
from tablewright.analyst.sql.operands import Operands, SqlValue, double
from tablewright.analyst.sql.rows import Unwritable, number
from tablewright.analyst.sql.texts import containing, ending, folded, is_writable, lowered, starting
from tablewright.analyst.writing.conditions import bucket_unit_number, number_of
from tablewright.domain.table import Cell

Op = Literal["=", "!=", "<", "<=", ">", ">="]
_NODES: dict[Op, type[exp.Binary]] = {
    "=": exp.EQ, "!=": exp.NEQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE,
}  # fmt: skip
_MIRRORED: dict[Op, Op] = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?")


class Conditions:
    """Writes conditions over the rows whose values `operands` writes."""

    def __init__(self, operands: Operands) -> None:
        self._operands = operands
        self._dialect = operands.dialect

    def write(self, condition: Condition) -> exp.Expr:
        """Return a condition. Raises `Unwritable`."""
        match condition:
            case Compare():
                return self._compare(condition)
            case OneOf():
                return self._one_of(condition)
            case Between():
                return self._between(condition)
            case Matches():
                return self._matches(condition)
            case Missing():
                return _is_null(self._operands.write(condition.of))
            case Not():
                return self._negated(condition.of)
            case AllOf():
                return exp.paren(reduce(_and, map(self.write, condition.parts)))
            case AnyOf():
                return exp.paren(reduce(_or, map(self.write, condition.parts)))

    def _negated(self, condition: Condition) -> exp.Expr:
        if isinstance(condition, Missing):
            return _is_there(self._operands.write(condition.of))
        written: exp.Expr = exp.Not(this=exp.Coalesce(this=self.write(condition), expressions=[exp.false()]))
        return reduce(_and, [_is_there(self._operands.write(of)) for of in _tested(condition)], written)

    def _compare(self, compare: Compare) -> exp.Expr:
        left, right, op = compare.left, compare.right, compare.op
        if isinstance(left, Lit) and not isinstance(right, Lit):
            left, right, op = right, left, _MIRRORED[op]
        if isinstance(right, Lit):
            return self._against(left, op, right.value)
        first, second = self._operands.write(left), self._operands.write(right)
        if first.is_number and second.is_number:
            return _NODES[op](this=_plain(first), expression=_plain(second))
        if first.kind == second.kind and first.is_date:
            return _NODES[op](this=first.of.copy(), expression=second.of.copy())
        raise Unwritable("compare")

    def _against(self, expr: Expr, op: Op, value: Cell) -> exp.Expr:
        if value is None:
            return (_is_there if op == "!=" else _is_null)(self._operands.write(expr))
        left, right = self._matched(expr, op, value)
        return _NODES[op](this=left, expression=right)

    def _matched(self, expr: Expr, op: Op, value: Cell) -> tuple[exp.Expr, exp.Expr]:
        """Return `expr` and the constant in a form in which they can be compared."""
        written = self._operands.write(expr)
        if isinstance(value, bool):
            if written.kind != "boolean" or op not in {"=", "!="}:
                raise Unwritable("compare with a truth value")
            return written.of.copy(), exp.true() if value else exp.false()
        if isinstance(expr, Bucket) and (place := bucket_unit_number(expr, value)) is not None:
            return bucket_number(self._dates(expr.of), expr.unit, self._dialect).of, number(place)
        if written.is_date:
            return self._date_against(written, op, value)
        wanted = number_of(value)
        if written.is_number and written.kind != "boolean" and wanted is not None:
            return written.of.copy(), number(wanted)
        if not isinstance(value, str) or written.kind != "text":
            raise Unwritable("compare")
        return self._text_against(written, op, value)

    def _text_against(self, written: SqlValue, op: Op, value: str) -> tuple[exp.Expr, exp.Expr]:
        if op not in {"=", "!="}:
            raise Unwritable("order of texts")
        wanted = value.strip()
        if written.clean:
            return written.of.copy(), exp.Literal.string(wanted)
        if not is_writable(wanted):
            raise Unwritable("letters")
        return folded(written.of, self._dialect, cased=_cased(wanted)), exp.Literal.string(wanted.lower())

    def _dates(self, expr: Expr) -> SqlValue:
        written = self._operands.write(expr)
        if not written.is_date:
            raise Unwritable("dates")
        return written

    def _date_against(self, date: SqlValue, op: Op, value: Cell) -> tuple[exp.Expr, exp.Expr]:
        if (year := year_of(value)) is not None:
            return part(date, "YEAR", self._dialect), number(year)
        text = str(value).strip()
        if month := month_of(text):
            return formatted(date, "month", self._dialect), exp.Literal.string(month)
        if not (is_day(text) or _MOMENT.fullmatch(text)) or not _exists(text):
            raise Unwritable("date")
        if is_day(text) and date.kind == "datetime" and op in {"=", "!=", "<=", ">"}:
            return day_of(date, self._dialect), constant(text, "date", self._dialect)
        if is_day(text):
            return date.of.copy(), constant(text, date.kind, self._dialect)
        return moment_of(date, self._dialect), constant(text.replace("T", " "), "datetime", self._dialect)

    def _one_of(self, one_of: OneOf) -> exp.Expr:
        written = self._operands.write(one_of.of)
        given = [value for value in one_of.values if value is not None]
        if not given:
            return _is_null(written)
        if written.kind == "text" and not isinstance(one_of.of, Bucket):
            code: exp.Expr = self._one_of_texts(written, given)
        else:
            code = exp.paren(reduce(_or, [self._against(one_of.of, "=", value) for value in given]))
        return code if None not in one_of.values else exp.paren(_or(code, _is_null(written)))

    def _one_of_texts(self, written: SqlValue, given: Sequence[Cell]) -> exp.Expr:
        wanted = [str(value).strip() for value in given]
        cased = any(map(_cased, wanted))
        if not all(isinstance(value, str) for value in given) or not all(map(is_writable, wanted)):
            raise Unwritable("letters")
        if written.clean:
            of = written.of.copy()
        else:
            of = folded(written.of, self._dialect, cased=cased)
            wanted = [word.lower() if cased else word for word in wanted]
        return exp.In(this=of, expressions=[exp.Literal.string(word) for word in dict.fromkeys(wanted)])

    def _between(self, between: Between) -> exp.Expr:
        upper: Op = "<" if between.high_open else "<="
        if between.low is None or between.high is None:
            if between.low is not None:
                return self._against(between.of, ">=", between.low)
            return self._against(between.of, upper, between.high)
        low, high = self._against(between.of, ">=", between.low), self._against(between.of, upper, between.high)
        return exp.paren(_and(low, high))

    def _matches(self, matches: Matches) -> exp.Expr:
        written = self._operands.write(matches.of)
        wanted = matches.text.strip() or matches.text
        if written.kind != "text" or not is_writable(wanted) or not wanted:
            raise Unwritable("matches")
        cased = _cased(wanted)
        if matches.how == "contains":
            return containing(lowered(written.of) if cased else written.of.copy(), wanted.lower() if cased else wanted)
        if written.clean:
            raise Unwritable("matches")
        of = folded(written.of, self._dialect, cased=cased)
        write = starting if matches.how == "starts" else ending
        return write(of, wanted.lower(), self._dialect)


def _plain(value: SqlValue) -> exp.Expr:
    return double(value) if value.kind == "boolean" else value.of.copy()


def _cased(text: str) -> bool:
    return text.lower() != text.upper()


def _exists(text: str) -> bool:
    """Return whether there is such a moment."""
    try:
        datetime.fromisoformat(text)  # a table's dates have no zone
    except ValueError:
        return False
    return True


def _is_null(value: SqlValue) -> exp.Expr:
    return exp.Is(this=value.of.copy(), expression=exp.Null())


def _is_there(value: SqlValue) -> exp.Expr:
    return exp.Not(this=_is_null(value))


def _and(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    return exp.And(this=left, expression=right)


def _or(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    return exp.Or(this=left, expression=right)


def _tested(condition: Condition) -> tuple[Expr, ...]:
    """Return the expressions that must be there for the negated condition to hold."""
    if isinstance(condition, Compare):
        return tuple(side for side in (condition.left, condition.right) if isinstance(side, Col))
    if isinstance(condition, OneOf | Between | Matches):
        return (condition.of,)
    return ()
