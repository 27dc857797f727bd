"""Expressions of the plan over the columns of some rows."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from tablewright.analyst.date_constants import is_date
from tablewright.analyst.plan import Bucket, Case, Col, Condition, Cut, Expr, Func, Lit, Math, Statistic
from tablewright.analyst.sql.aggregates import aggregated
from tablewright.analyst.sql.conditions import Conditions
from tablewright.analyst.sql.dates import bucket
from tablewright.analyst.sql.functions import function
from tablewright.analyst.sql.operands import SqlValue, double, whole
from tablewright.analyst.sql.rows import Rows, Scribe, SqlColumn, Unwritable, number, scalar
from tablewright.domain.dataset import ColumnKind
from tablewright.domain.table import Cell

_OPERATORS: dict[str, type[exp.Binary]] = {"+": exp.Add, "-": exp.Sub, "*": exp.Mul}


class Values:
    """Implements `Operands` over `rows`."""

    def __init__(self, rows: Rows, scribe: Scribe) -> None:
        self.rows = rows
        self.dialect = scribe.dialect
        self._scribe = scribe
        self._conditions = Conditions(self)

    def write(self, expr: Expr) -> SqlValue:
        """Return an expression, written. Raises `Unwritable`."""
        match expr:
            case Col():
                return self._column(expr.name)
            case Lit():
                return _literal(expr.value)
            case Bucket():
                date = self.write(expr.of)
                if not date.is_date:
                    raise Unwritable("dates")
                return bucket(date, expr.unit, self.dialect)
            case Math():
                return self._math(expr)
            case Func():
                return function(self, expr, self._scribe)
            case Cut():
                raise Unwritable("cut")
            case Statistic():
                return self._statistic(expr)
            case Case():
                return self._case(expr)

    def numbers(self, expr: Expr) -> SqlValue:
        """Return an expression as numbers. Raises `Unwritable` for what are none."""
        written = self.write(expr)
        if not written.is_number:
            raise Unwritable("numbers")
        return written

    def test(self, condition: Condition) -> exp.Expr:
        """Return a condition, written."""
        return self._conditions.write(condition)

    def named(self, name: str, expr: Expr) -> SqlColumn:
        """Return the column that has an expression under a name."""
        if isinstance(expr, Col) and (column := self.rows.column(expr.name)).kind == "mixed":
            return replace(column, name=name)
        written = self.write(expr)
        return SqlColumn(name=name, kind=written.kind, of=written.of, missing=written.missing, clean=written.clean)

    def _column(self, name: str) -> SqlValue:
        column = self.rows.column(name)
        if column.kind in {"mixed", "time", "empty"}:
            raise Unwritable(f"column {name}")
        return SqlValue(of=column.of.copy(), kind=column.kind, missing=column.missing, clean=column.clean)

    def _math(self, expr: Math) -> SqlValue:
        left, right = self.numbers(expr.left), self.numbers(expr.right)
        missing = left.missing or right.missing
        constant = left.constant and right.constant
        integer = left.kind == right.kind == "integer"
        if expr.op in _OPERATORS:
            first, second = (whole(left), whole(right)) if integer else (double(left), double(right))
            of: exp.Expr = exp.paren(_OPERATORS[expr.op](this=first, expression=second))
            return SqlValue(of=of, kind="integer" if integer else "number", missing=missing, constant=constant)
        if expr.op != "/" or (isinstance(expr.right, Lit) and not expr.right.value):
            raise Unwritable(f"operator {expr.op}")
        below = double(right)
        if not isinstance(expr.right, Lit):
            below = exp.Nullif(this=below, expression=exp.Literal.number(0))
        of = exp.paren(exp.Div(this=double(left), expression=below, typed=False, safe=False))
        return SqlValue(of=of, kind="number", constant=constant)

    def _statistic(self, expr: Statistic) -> SqlValue:
        """Return one statistic of all rows, from a subquery."""
        rows = self._scribe.closed(self.rows)
        values = Values(rows, self._scribe)
        where = None if expr.where is None else values.test(expr.where)
        made = aggregated(expr.name, values.write(expr.of), where, expr.argument, self.dialect)
        of = scalar(rows.base.select(made.of))
        return SqlValue(of=of, kind=made.kind, constant=True)

    def _case(self, expr: Case) -> SqlValue:
        written = [self.write(value) for _, value in expr.branches]
        otherwise = self.write(expr.otherwise)
        given = [value for value in (*written, otherwise) if value.kind != "empty"]
        kinds = {value.kind for value in given}
        if not kinds or (len(kinds) > 1 and not kinds <= {"integer", "number"}):
            raise Unwritable("kinds")
        kind: ColumnKind = kinds.pop() if len(kinds) == 1 else "number"
        branches = [
            exp.If(this=self.test(condition), true=_of_kind(value, kind))
            for (condition, _), value in zip(expr.branches, written, strict=True)
        ]
        missing = any(value.missing for value in (*written, otherwise))
        return SqlValue(
            of=exp.Case(ifs=branches, default=_of_kind(otherwise, kind)), kind=kind, missing=missing, clean=True
        )


def _of_kind(value: SqlValue, kind: ColumnKind) -> exp.Expr:
    return double(value) if kind == "number" and value.kind == "integer" else value.of.copy()


def _literal(value: Cell) -> SqlValue:
    if value is None:
        return SqlValue(of=exp.Null(), kind="empty", constant=True)
    if isinstance(value, bool):
        return SqlValue(of=exp.true() if value else exp.false(), kind="boolean", missing=False, constant=True)
    if isinstance(value, int):
        return SqlValue(of=number(value), kind="integer", missing=False, constant=True)
    if isinstance(value, float):
        return SqlValue(
            of=exp.cast(number(value), exp.DataType.Type.DOUBLE), kind="number", missing=False, constant=True
        )
    if is_date(value):
        raise Unwritable("date")
    return SqlValue(of=exp.Literal.string(value), kind="text", missing=False, clean=True, constant=True)
