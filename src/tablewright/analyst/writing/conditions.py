"""Conditions of the plan as boolean pandas code: text ignoring case and surrounding blanks, dates by day, missing
never equal."""

from __future__ import annotations

import re
from typing import Literal

from tablewright.analyst.date_constants import is_day, month_of, seconds_of, year_of
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
from tablewright.analyst.writing.buckets import weekday_number
from tablewright.analyst.writing.coded import Coded
from tablewright.analyst.writing.literals import is_atom, listed, literal, quoted
from tablewright.analyst.writing.operands import Operands
from tablewright.domain.table import Cell

Op = Literal["=", "!=", "<", "<=", ">", ">="]
_PYTHON: dict[Op, str] = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_MIRRORED: dict[Op, Op] = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Conditions:
    """Writes conditions over the table whose values `operands` writes."""

    def __init__(self, operands: Operands) -> None:
        self._operands = operands

    def write(self, condition: Condition) -> str:
        """Return the code of a condition, which evaluates to a boolean Series."""
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
                return f"{self._series(condition.of).bracketed}.isna()"
            case Not():
                return self._negated(condition.of)
            case AllOf():
                return " & ".join(self.operand(part) for part in condition.parts)
            case AnyOf():
                return " | ".join(self.operand(part) for part in condition.parts)

    def parts(self, condition: Condition) -> list[str]:
        """Return the operands of a conjunction, each bracketed as needed beside `&`."""
        parts = condition.parts if isinstance(condition, AllOf) else (condition,)
        if len(parts) == 1:
            return [self.write(parts[0])]
        return [self.operand(part) for part in parts]

    def operand(self, condition: Condition) -> str:
        """Return the code of a condition, bracketed as needed beside `&`, `|` and `~`."""
        code = self.write(condition)
        return code if is_atom(code) else f"({code})"

    def _negated(self, condition: Condition) -> str:
        if isinstance(condition, Missing):
            return f"{self._series(condition.of).bracketed}.notna()"
        present = [self._present(expr) for expr in _tested(condition)]
        return " & ".join([f"~{self.operand(condition)}", *filter(None, present)])

    def _series(self, expr: Expr) -> Coded:
        return self._operands.series(self._operands.write(expr))

    def _present(self, expr: Expr) -> str:
        coded = self._operands.write(expr)
        return "" if coded.scalar or not coded.missing else f"{coded.bracketed}.notna()"

    def _compare(self, compare: Compare) -> str:
        left, right, op = compare.left, compare.right, compare.op
        if isinstance(left, Lit) and not isinstance(right, Lit):
            left, right, op = right, left, _MIRRORED[op]
        if isinstance(right, Lit):
            return self._against(left, op, right.value)
        first, second = self._operands.write(left), self._operands.write(right)
        if first.is_date and second.is_date:
            first, second = self._operands.dates(left), self._operands.dates(right)
        elif first.is_number or second.is_number:
            first, second = self._operands.numbers(left), self._operands.numbers(right)
        else:
            first, second = self._folded(left, cased=True), self._folded(right, cased=True)
        first = first if not second.scalar else self._operands.series(first)
        code = f"{first.bracketed} {_PYTHON[op]} {second.bracketed}"
        both = " & ".join(filter(None, (self._present(left), self._present(right)))) if op == "!=" else ""
        return f"({code}) & {both}" if both else code

    def _against(self, expr: Expr, op: Op, value: Cell) -> str:
        if value is None:
            return f"{self._operands.write(expr).bracketed}.{'notna' if op == '!=' else 'isna'}()"
        coded, constant = self._comparable(expr, op, value)
        if isinstance(value, bool):
            same = (op == "=") == (constant == "True")
            return f"{coded.bracketed}.eq({same})" if not coded.scalar else f"{coded.code} == {same}"
        code = f"{coded.bracketed} {_PYTHON[op]} {constant}"
        present = self._present(expr) if op == "!=" else ""
        return f"({code}) & {present}" if present else code

    def _comparable(self, expr: Expr, op: Op, value: Cell) -> tuple[Coded, str]:
        """Return the code of `expr` as a Series and that of the constant, converted so that they can be compared."""
        left, constant = self._matched(expr, op, value)
        return self._operands.series(left), constant

    def _matched(self, expr: Expr, op: Op, value: Cell) -> tuple[Coded, str]:
        coded = self._operands.write(expr)
        if isinstance(value, bool):
            if coded.kind in {"boolean", "mixed"} or coded.scalar:
                return coded, repr(value)
            return self._folded(expr, cased=True), quoted(str(value).lower())
        if isinstance(expr, Bucket) and (number := bucket_unit_number(expr, value)) is not None:
            return self._bucket_number(expr), str(number)
        if coded.is_date:
            return self._date_against(expr, op, value)
        number_value = number_of(value)
        if coded.is_number and number_value is not None:
            return coded, literal(number_value)
        if not isinstance(value, str):
            return self._operands.numbers(expr), literal(value)
        if coded.kind == "time" and (passed := seconds_of(value)) is not None:
            return self._operands.numbers(expr), literal(passed)
        return self._text_against(expr, coded, value)

    def _text_against(self, expr: Expr, coded: Coded, value: str) -> tuple[Coded, str]:
        wanted = value.strip()
        cased = wanted.lower() != wanted.upper()
        folded = self._folded(expr, cased=cased)
        return folded, quoted(wanted if coded.clean else wanted.lower())

    def _folded(self, expr: Expr, *, cased: bool) -> Coded:
        coded = self._operands.texts(expr)
        if coded.scalar or coded.clean:
            return coded
        return coded.but(f"{coded.bracketed}.str.strip(){'.str.lower()' if cased else ''}", "text")

    def _bucket_number(self, bucket: Bucket) -> Coded:
        dates = self._operands.dates(bucket.of)
        attribute = {
            "weekday": "dayofweek", "month": "month", "month_of_year": "month", "quarter": "quarter", "year": "year",
            "hour": "hour", "week": "isocalendar().week",
        }.get(bucket.unit, "day")  # fmt: skip
        return dates.but(f"{dates.bracketed}.dt.{attribute}", "integer")

    def _date_against(self, expr: Expr, op: Op, value: Cell) -> tuple[Coded, str]:
        dates = self._operands.dates(expr)
        if (year := year_of(value)) is not None:
            return dates.but(f"{dates.bracketed}.dt.year", "integer"), literal(year)
        text = str(value).strip()
        if month := month_of(text):
            return dates.but(f'{dates.bracketed}.dt.strftime("%Y-%m")', "text"), quoted(month)
        by_day = dates.kind == "datetime" and is_day(text) and op in {"=", "!=", "<=", ">"}
        return (dates.but(f"{dates.bracketed}.dt.normalize()") if by_day else dates), quoted(text)

    def _one_of(self, of: Expr, values: tuple[Cell, ...]) -> str:
        given = [value for value in values if value is not None]
        pairs = [self._comparable(of, "=", value) for value in given]
        if not pairs:
            return f"{self._series(of).bracketed}.isna()"
        if isinstance(given[0], str) and not pairs[0][0].is_number and not pairs[0][0].is_date:
            return self._one_of_texts(of, [str(value) for value in given], missing=None in values)
        code = f"{pairs[0][0].bracketed}.isin([{', '.join(dict.fromkeys(constant for _, constant in pairs))}])"
        return code if None not in values else f"({code}) | {self._operands.write(of).bracketed}.isna()"

    def _one_of_texts(self, of: Expr, values: list[str], *, missing: bool) -> str:
        coded = self._operands.write(of)
        cased = any(value.lower() != value.upper() for value in values)
        wanted = [value.strip().lower() if cased and not coded.clean else value.strip() for value in values]
        code = f"{self._folded(of, cased=cased).bracketed}.isin({listed(dict.fromkeys(wanted))})"
        return f"{code} | {coded.bracketed}.isna()" if missing else code

    def _between(self, between: Between) -> str:
        low, high = between.low, between.high
        if low is None or high is None:
            if low is not None:
                return self._against(between.of, ">=", low)
            return self._against(between.of, "<" if between.high_open else "<=", high)
        first, low_code = self._comparable(between.of, ">=", low)
        second, high_code = self._comparable(between.of, "<" if between.high_open else "<=", high)
        if first.code == second.code:
            ends = ', inclusive="left"' if between.high_open else ""
            return f"{first.bracketed}.between({low_code}, {high_code}{ends})"
        return (
            f"({first.bracketed} >= {low_code}) & ({second.bracketed} {'<' if between.high_open else '<='} {high_code})"
        )

    def _matches(self, matches: Matches) -> str:
        text = self._operands.series(self._operands.texts(matches.of))
        wanted = matches.text.strip() or matches.text
        cased = wanted.lower() != wanted.upper()
        if matches.how == "contains":
            case = ", case=False" if cased else ""
            return f"{text.bracketed}.str.contains({quoted(wanted)}{case}, regex=False, na=False)"
        folded = self._folded(matches.of, cased=cased)
        method = "startswith" if matches.how == "starts" else "endswith"
        return f"{folded.bracketed}.str.{method}({quoted(wanted.lower())}, na=False)"


def number_of(value: Cell) -> float | None:
    """Return a constant as a number; None if it is none."""
    if isinstance(value, int | float):
        return value
    try:
        return float(str(value).replace(",", "").strip().rstrip("%"))
    except ValueError:
        return None


def bucket_unit_number(bucket: Bucket, value: Cell) -> int | None:
    """Return the number that `value` stands for in the bucket's unit (without a year); None if it is not one."""
    if bucket.unit == "weekday":
        return int(value) if isinstance(value, int | float) else weekday_number(str(value))
    if isinstance(value, int | float):
        return int(value)
    text = str(value).strip()
    if bucket.unit == "quarter" and (quarter := re.fullmatch(r"[Qq]?([1-4])", text)):
        return int(quarter[1])
    return int(text) if text.isdigit() and bucket.unit != "month" else None


def _tested(condition: Condition) -> tuple[Expr, ...]:
    """Return the expressions that must be present for the negated condition to hold."""
    if isinstance(condition, Compare):
        return tuple(side for side in (condition.left, condition.right) if isinstance(side, Col))
    if isinstance(condition, OneOf | Between | Matches):
        return (condition.of,)
    return ()
