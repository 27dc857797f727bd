"""Formulas, whole: what a cell computes, with the sign before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from tablewright.analyst.plan import Condition, Expr, Measure, Share, Shift
from tablewright.analyst.sheet_formulas.aggregates import Aggregates, Group
from tablewright.analyst.sheet_formulas.base import NoFormula, SheetTable, ValueKind, guarded
from tablewright.analyst.sheet_formulas.columns import rank, share, shift
from tablewright.analyst.sheet_formulas.expressions import Expressions
from tablewright.domain.language import Language

_T = TypeVar("_T")
_LONGEST = 8192
"""Characters that a formula may have."""


def formula(expr: Expr, table: SheetTable, row: int, *, language: Language = "en") -> str:
    """Return the formula of `expr` in a row of the table: `=C2*D2`; the empty text where the value is missing.

    `language` names weekdays. Errors: `NoFormula`.
    """
    return _whole(lambda: guarded(_rows(table, row, language).write(expr)))


def kind_of(expr: Expr, table: SheetTable) -> ValueKind:
    """Return the kind of the values of `expr`, by which cells are formatted. Errors: `NoFormula`."""
    return _deep(lambda: _rows(table, table.first_row, "en").write(expr)).kind


def condition(where: Condition, table: SheetTable, row: int, *, language: Language = "en") -> str:
    """Return the formula that is TRUE if `where` holds in a row of the table. Errors: `NoFormula`."""
    return _whole(lambda: _rows(table, row, language).test(where))


def aggregate(measure: Measure, table: SheetTable, groups: tuple[Group, ...] = ()) -> str:
    """Return the formula of an aggregate of the table's rows, of those that are in all `groups`; the empty text where
    there is none. Errors: `NoFormula`."""
    rows = Expressions(table=table, row=None)
    return _whole(lambda: guarded(Aggregates(table=table, many=rows).write(measure, groups)))


def column(relation: Share | Shift, table: SheetTable, row: int) -> str:
    """Return the formula of the column that a share, a change or a running sum adds, in a row. Errors: `NoFormula`."""
    rows = Expressions(table=table, row=row)
    return _whole(lambda: guarded(share(relation, rows) if isinstance(relation, Share) else shift(relation, rows)))


def place(of: str, table: SheetTable, row: int, *, within: tuple[str, ...] = (), descending: bool = True) -> str:
    """Return the formula of the rank of a number of a row, from 1, among those of its group. Errors: `NoFormula`."""
    rows = Expressions(table=table, row=row)
    return _whole(lambda: guarded(rank(of, rows, within=within, descending=descending)))


def _rows(table: SheetTable, row: int, language: Language) -> Expressions:
    return Expressions(table=table, row=row, language=language)


def _deep(make: Callable[[], _T]) -> _T:
    try:
        return make()
    except RecursionError as error:
        raise NoFormula("too much for one formula") from error


def _whole(make: Callable[[], str]) -> str:
    found = "=" + _deep(make)
    if len(found) > _LONGEST:
        raise NoFormula("too much for one formula")
    return found
