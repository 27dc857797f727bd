"""A value as it is being written, and what the writers of its parts ask of each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from sqlglot import exp

from tablewright.analyst.plan import Condition, Expr
from tablewright.domain.dataset import ColumnKind

NUMERIC: frozenset[ColumnKind] = frozenset({"number", "integer", "boolean"})
DATED: frozenset[ColumnKind] = frozenset({"date", "datetime"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlValue:
    """An expression of the plan, written; `constant` if it is the same in every row."""

    of: exp.Expr
    kind: ColumnKind
    missing: bool = True
    clean: bool = False
    constant: bool = False

    @property
    def is_number(self) -> bool:
        return self.kind in NUMERIC

    @property
    def is_date(self) -> bool:
        return self.kind in DATED

    def but(self, of: exp.Expr, kind: ColumnKind | None = None, *, missing: bool | None = None) -> SqlValue:
        """Return a value made from this one."""
        kept = self.missing if missing is None else missing
        return replace(self, of=of, kind=kind or self.kind, clean=True, missing=kept)


class Operands(Protocol):
    """Writes expressions and conditions over the same rows."""

    dialect: str

    def write(self, expr: Expr) -> SqlValue:
        """Return an expression, written."""
        ...

    def numbers(self, expr: Expr) -> SqlValue:
        """Return it as numbers. Raises `Unwritable` for what are none."""
        ...

    def test(self, condition: Condition) -> exp.Expr:
        """Return a condition, written; where it is null it does not hold."""
        ...


def double(value: SqlValue) -> exp.Expr:
    """Return numbers as floating-point numbers, as pandas divides and averages them."""
    if value.kind == "number":
        return value.of.copy()
    return exp.cast(whole(value) if value.kind == "boolean" else value.of.copy(), exp.DataType.Type.DOUBLE)


def whole(value: SqlValue) -> exp.Expr:
    """Return whole numbers with 64 bits; truth values become 0 and 1."""
    if value.kind == "boolean":
        return exp.Case(
            ifs=[
                exp.If(this=value.of.copy(), true=exp.Literal.number(1)),
                exp.If(this=exp.Not(this=exp.paren(value.of.copy())), true=exp.Literal.number(0)),
            ]
        )
    return exp.cast(value.of.copy(), exp.DataType.Type.BIGINT) if value.kind == "integer" else value.of.copy()
