"""Expressions as formulas of one row or, for aggregates, of all rows at once."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from tablewright.analyst.plan import Bucket, Case, Col, Condition, Cut, Expr, Func, Lit, Math, Statistic
from tablewright.analyst.sheet_formulas.aggregates import Aggregates
from tablewright.analyst.sheet_formulas.base import (
    ADDED,
    ATOM,
    MULTIPLIED,
    RAISED,
    Lookup,
    NoFormula,
    SheetColumn,
    SheetTable,
    Value,
    ValueKind,
    guarded,
    merged,
    value_kind,
)
from tablewright.analyst.sheet_formulas.buckets import bucket
from tablewright.analyst.sheet_formulas.conditions import Conditions
from tablewright.analyst.sheet_formulas.functions import function
from tablewright.analyst.sheet_formulas.literals import literal, moment, number, text
from tablewright.analyst.sheet_formulas.lookups import looked_up
from tablewright.domain.language import Language

_DATES = frozenset({"date", "datetime"})
_LEVELS = {"+": ADDED, "-": ADDED, "*": MULTIPLIED, "/": MULTIPLIED, "**": RAISED}
_LEAST, _GREATEST = -1e307, 1e307


@dataclass(frozen=True, slots=True, kw_only=True)
class Expressions:
    """Writes expressions over `table`: of its `row` or, where that is None, of all rows at once, as SUMPRODUCT takes
    them; there only arithmetic and comparisons are written. `language` names weekdays."""

    table: SheetTable
    row: int | None
    language: Language = "en"

    @property
    def many(self) -> bool:
        return self.row is None

    def write(self, expr: Expr) -> Value:
        """Return the value of `expr`. Errors: `NoFormula`."""
        match expr:
            case Col():
                return self._column(expr.name)
            case Lit():
                return literal(expr.value)
            case Math():
                return self._math(expr)
            case Func():
                return function(self, expr, self.row or 0)
            case Statistic():
                return self._statistic(expr)
            case Bucket() | Cut() | Case() if self.many:
                raise NoFormula(f"{type(expr).__name__} of many rows")
            case Bucket():
                return bucket(self.write(expr.of), expr.unit, self.language)
            case Cut():
                return self._cut(expr)
            case Case():
                return self._case(expr)

    def test(self, condition: Condition) -> str:
        """Return the test of a condition. Errors: `NoFormula`."""
        return Conditions(self).write(condition)

    def column(self, expr: Expr) -> SheetColumn | None:
        """Return the column that an expression is, if it is one of this table."""
        found = self.table.column(expr.name) if isinstance(expr, Col) else None
        return found if isinstance(found, SheetColumn) else None

    def area(self, expr: Expr) -> str:
        """Return all cells of the column that an expression is. Errors: `NoFormula`."""
        column = self.column(expr)
        if column is None:
            raise NoFormula("a whole column of computed values")
        return self.table.area(column)

    def _column(self, name: str) -> Value:
        column = self.table.column(name)
        if isinstance(column, Lookup):
            if self.row is None:
                raise NoFormula("many values looked up")
            return looked_up(column, self.table, self.row)
        code = self.table.area(column) if self.row is None else self.table.cell(column, self.row)
        return Value(
            code=code,
            kind=value_kind(column),
            missing=(code,) if column.missing else (),
            reference=True,
            blanks=column.blanks,
        )

    def _math(self, expr: Math) -> Value:
        left, right = self.write(expr.left), self.write(expr.right)
        if left.kind in _DATES or right.kind in _DATES:
            return self._date_math(expr, left, right)
        for side in (left, right):
            if side.kind not in {"number", "boolean", "nothing"}:
                raise NoFormula("arithmetic on texts")
        if expr.op == "%":
            found = merged(f"MOD({left.code},{right.code})", "number", ATOM, left, right)
            return self._divided(found, expr.right, right)
        level, sign = _LEVELS[expr.op], "^" if expr.op == "**" else expr.op
        first = left.at(level + (expr.op == "**"))
        second = right.at(level + (expr.op in {"-", "/", "**"}))
        found = merged(f"{first}{sign}{second}", "number", level, left, right)
        if left.kind == "nothing" or right.kind == "nothing":
            return literal(None)
        if expr.op == "/":
            return self._divided(found, expr.right, right)
        whole = isinstance(expr.right, Lit) and isinstance(expr.right.value, int) and expr.right.value >= 0
        return replace(found, fails=True) if expr.op == "**" and not whole else found

    def _divided(self, found: Value, divisor: Expr, value: Value) -> Value:
        if isinstance(divisor, Lit):
            if not divisor.value:
                raise NoFormula("division by zero")
            return found
        if isinstance(divisor, Statistic):
            return found  # a share of nothing is an error to be seen
        if value.reference:
            return replace(found, zeros=(*found.zeros, value.code))
        return replace(found, fails=True)

    def _date_math(self, expr: Math, left: Value, right: Value) -> Value:
        if isinstance(expr.right, Lit) and isinstance(expr.right.value, str):
            day = moment(expr.right.value)
            right = Value(code=day, kind="date", level=ADDED if "+" in day else ATOM)
        if left.kind not in _DATES or expr.op not in {"+", "-"} or self.many:
            raise NoFormula("arithmetic on dates")
        if right.kind in _DATES:
            if expr.op != "-":
                raise NoFormula("dates added")
            days = f"{left.at(ADDED)}-{right.at(ADDED + 1)}"
            if left.kind == right.kind == "date":
                return merged(days, "number", ADDED, left, right)
            return merged(f"INT({days})", "number", ATOM, left, right)
        if right.kind != "number":
            raise NoFormula("arithmetic on dates")
        return merged(f"{left.at(ADDED)}{expr.op}{right.at(ADDED + 1)}", left.kind, ADDED, left, right)

    def _statistic(self, expr: Statistic) -> Value:
        rows = Expressions(table=self.table, row=None, language=self.language)
        found = Aggregates(table=self.table, many=rows).write(expr)
        return replace(found, fails=False) if self.many else found

    def _cut(self, expr: Cut) -> Value:
        if len(expr.edges) != len(expr.labels) + 1 or list(expr.edges) != sorted(set(expr.edges)):
            raise NoFormula("intervals that are not in order")
        value = self.write(expr.of)
        if value.kind != "number":
            raise NoFormula("intervals of other values than numbers")
        low, high = expr.edges[0], expr.edges[-1]
        edges = ",".join(number(_LEAST if math.isinf(edge) else edge) for edge in expr.edges[:-1])
        labels = ",".join(text(label) for label in expr.labels)
        code = f"LOOKUP({value.code},{{{edges}}},{{{labels}}})"
        outside = [
            *([] if math.isinf(low) else [f"{value.at(ADDED)}<{number(low)}"]),
            *([] if math.isinf(high) else [f"{value.at(ADDED)}>={number(high)}"]),
        ]
        if outside:
            test = outside[0] if len(outside) == 1 else f"OR({','.join(outside)})"
            code = f'IF({test},"",{code})'
        return value.made(code, "text")

    def _case(self, expr: Case) -> Value:
        values = [*(value for _, value in expr.branches), expr.otherwise]
        written = [self.write(value) for value in values]
        code = guarded(written[-1])
        for (condition, _), value in reversed(list(zip(expr.branches, written, strict=False))):
            code = f"IF({self.test(condition)},{guarded(value)},{code})"
        kinds: set[ValueKind] = {value.kind for value in written if value.kind != "nothing"}
        if len(kinds) > 1:
            raise NoFormula("branches of different kinds")
        kind = kinds.pop() if kinds else "nothing"
        empty = kind != "text" and any(value.may_be_missing for value in written)
        return Value(code=code, kind=kind, unsure=empty)
