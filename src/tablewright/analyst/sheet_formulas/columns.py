"""Columns whose cells depend on other rows: shares, changes, running sums, ranks within groups."""

from __future__ import annotations

from dataclasses import replace

from tablewright.analyst.plan import Col, Share, Shift
from tablewright.analyst.sheet_formulas.base import (
    ADDED,
    MULTIPLIED,
    NoFormula,
    SheetColumn,
    Value,
    merged,
    value_kind,
)
from tablewright.analyst.sheet_formulas.criteria import equal
from tablewright.analyst.sheet_formulas.expressions import Expressions


def share(relation: Share, rows: Expressions) -> Value:
    """Return a row's part of the whole: `C2/SUM(C$2:C$50)`, or of the sum of its group."""
    value, area = rows.write(_number(relation.column, rows)), rows.area(Col(name=relation.column))
    whole = f"SUMIFS({area},{_same(relation.within, rows)})" if relation.within else f"SUM({area})"
    times = "*100" if relation.percent else ""
    return value.made(f"{value.code}/{whole}{times}", "number", MULTIPLIED)


def shift(relation: Shift, rows: Expressions) -> Value:
    """Return the change from the row `periods` before, or the sum up to this row."""
    if rows.row is None or rows.table.sheet is not None:
        raise NoFormula("changes of another sheet")
    value = rows.write(_number(relation.column, rows))
    column, table = _column(relation.column, rows), rows.table
    if relation.how == "cumulative":
        start = f"{column.letters}${table.first_row}"
        return value.made(f"SUM({start}:{value.code})", "number")
    earlier = rows.row - relation.periods
    if not table.first_row <= earlier <= table.last_row:
        return Value(code='""', kind="number", unsure=True)
    before = replace(rows, row=earlier).write(Col(name=relation.column))
    if relation.how == "difference":
        return merged(f"{value.code}-{before.code}", "number", ADDED, value, before)
    found = merged(f"({value.code}/{before.code}-1)*100", "number", MULTIPLIED, value, before)
    return replace(found, zeros=(before.code,))


def rank(of: str, rows: Expressions, *, within: tuple[str, ...], descending: bool) -> Value:
    """Return the place of a row by a number, from 1; equal ones share the better place."""
    value, area = rows.write(_number(of, rows)), rows.area(Col(name=of))
    if not within:
        return value.made(f"RANK({value.code},{area}{'' if descending else ',1'})", "number")
    sign = ">" if descending else "<"
    return value.made(f'COUNTIFS({_same(within, rows)},{area},"{sign}"&{value.code})+1', "number", ADDED)


def _number(name: str, rows: Expressions) -> Col:
    if value_kind(_column(name, rows)) != "number":
        raise NoFormula("shares and changes of other values than numbers")
    return Col(name=name)


def _column(name: str, rows: Expressions) -> SheetColumn:
    column = rows.table.column(name)
    if not isinstance(column, SheetColumn):
        raise NoFormula("whole columns of looked up values")
    return column


def _same(within: tuple[str, ...], rows: Expressions) -> str:
    """Return the criteria that hold in the rows of the same group."""
    pairs = list[str]()
    for name in within:
        column = _column(name, rows)
        if column.missing:
            raise NoFormula("groups without a name")
        pairs += equal(column, rows.table, rows.write(Col(name=name)).code)
    return ",".join(pairs)
