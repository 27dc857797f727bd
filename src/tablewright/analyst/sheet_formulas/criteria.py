"""Conditions as pairs of an area and a criterion, for SUMIFS and its like."""

from __future__ import annotations

import re

from tablewright.analyst.plan import (
    AllOf,
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
from tablewright.analyst.sheet_formulas.base import NoFormula, SheetColumn, SheetTable
from tablewright.analyst.sheet_formulas.literals import moment, number, span, text
from tablewright.analyst.writing.conditions import number_of
from tablewright.domain.table import Cell

Criterion = tuple[str, str]
"""The area, and the criterion that its cells meet, as they stand in the formula."""
_SIGNS = {"=": "", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_MIRRORED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NUMBERS = frozenset({"number", "integer"})
_DATES = frozenset({"date", "datetime"})


def criteria(condition: Condition, table: SheetTable) -> list[Criterion]:
    """Return the pairs that together mean `condition`. Errors: `NoFormula` for what they cannot say."""
    match condition:
        case AllOf():
            return [pair for part in condition.parts for pair in criteria(part, table)]
        case Compare():
            return _compare(condition, table)
        case Between():
            return _between(condition, table)
        case Matches():
            return _matches(condition, table)
        case Missing():
            return [(_area(condition.of, table), text(""))]
        case OneOf() if len(condition.values) == 1:
            return _against(condition.of, "=", condition.values[0], table)
        case Not():
            return _negated(condition.of, table)
        case _:
            raise NoFormula("one of several criteria")


def equal(column: SheetColumn, table: SheetTable, cell: str) -> Criterion:
    """Return the pair for cells that are equal to another cell."""
    if column.blanks:
        raise NoFormula("texts with blanks")
    return table.area(column), cell


def _negated(condition: Condition, table: SheetTable) -> list[Criterion]:
    match condition:
        case Missing():
            return [(_area(condition.of, table), text("<>"))]
        case Compare() if condition.op == "=":
            return criteria(Compare(op="!=", left=condition.left, right=condition.right), table)
        case OneOf() if None not in condition.values:
            pairs = [pair for value in condition.values for pair in _against(condition.of, "!=", value, table)]
            return list(dict.fromkeys(pairs))
        case Matches():
            return [(_area(condition.of, table), text("<>" + _pattern(condition))), *_present(condition.of, table)]
        case _:
            raise NoFormula("the opposite of several criteria")


def _column(expr: Expr, table: SheetTable) -> SheetColumn:
    column = table.column(expr.name) if isinstance(expr, Col) else None
    if not isinstance(column, SheetColumn):
        raise NoFormula("criteria on computed values")
    return column


def _area(expr: Expr, table: SheetTable) -> str:
    return table.area(_column(expr, table))


def _present(expr: Expr, table: SheetTable) -> list[Criterion]:
    column = _column(expr, table)
    return [(table.area(column), text("<>"))] if column.missing else []


def _compare(compare: Compare, table: SheetTable) -> list[Criterion]:
    if isinstance(compare.right, Lit):
        return _against(compare.left, compare.op, compare.right.value, table)
    if isinstance(compare.left, Lit):
        return _against(compare.right, _MIRRORED[compare.op], compare.left.value, table)
    raise NoFormula("criteria on two columns")


def _against(expr: Expr, op: str, value: Cell, table: SheetTable) -> list[Criterion]:
    if value is None:
        return [(_area(expr, table), text("<>" if op == "!=" else ""))]
    if isinstance(expr, Bucket) and expr.unit in {"year", "month", "day", "year_month_day"}:
        return _bucketed(expr, op, value, table)
    column = _column(expr, table)
    if column.kind in _DATES:
        return _dated(column, op, value, table)
    if column.kind in _NUMBERS:
        wanted = number_of(value)
        if wanted is None or isinstance(value, bool):
            raise NoFormula("numbers compared with text")
        code = number(wanted)
        pair = (table.area(column), code if op == "=" else text(_SIGNS[op] + code))
        return [pair, *(_present(expr, table) if op == "!=" else [])]
    if column.kind != "text" or not isinstance(value, str) or op not in {"=", "!="} or column.blanks:
        raise NoFormula("criteria on these values")
    pair = (table.area(column), text(_exactly(value.strip(), negated=op == "!=")))
    return [pair, *(_present(expr, table) if op == "!=" else [])]


def _exactly(value: str, *, negated: bool) -> str:
    """Return the criterion of a text; a sign before it keeps it from being read as an operator."""
    escaped = "".join(f"~{char}" if char in "*?~" else char for char in value)
    if negated:
        return f"<>{escaped}"
    if value and re.fullmatch(r"[\d.,:;/%+\-()$¥￥€£eE\s]+", value):
        raise NoFormula("texts that read as numbers, as criteria")
    return f"={escaped}" if value[:1] in {"<", ">", "="} or not value else escaped


def _bucketed(expr: Bucket, op: str, value: Cell, table: SheetTable) -> list[Criterion]:
    column = _column(expr.of, table)
    if column.kind not in _DATES or op not in {"=", "<", "<=", ">", ">="}:
        raise NoFormula("criteria on parts of dates")
    year = isinstance(value, int | float) or (isinstance(value, str) and value.strip().isdigit())
    if year != (expr.unit == "year"):
        raise NoFormula("criteria on parts of dates")
    return _dated(column, op, value, table)


def _dated(column: SheetColumn, op: str, value: Cell, table: SheetTable) -> list[Criterion]:
    area, whole = table.area(column), span(value)
    if whole is None:
        edge = moment(value)
        if op == "!=":
            raise NoFormula("criteria on other moments")
        return [(area, edge if op == "=" else f"{text(op)}&{_sum(edge)}")]
    start, end = whole
    if op == "=":
        if column.kind == "date" and end == f"{start}+1":
            return [(area, start)]
        return [(area, f'">="&{start}'), (area, f'"<"&{_sum(end)}')]
    if op == "!=":
        raise NoFormula("criteria on other days")
    sign, edge = {"<": ("<", start), "<=": ("<", end), ">": (">=", end), ">=": (">=", start)}[op]
    if column.kind == "date" and end == f"{start}+1" and op in {"<=", ">"}:
        sign, edge = op, start
    return [(area, f"{text(sign)}&{_sum(edge)}")]


def _sum(code: str) -> str:
    return f"({code})" if "+" in code else code


def _between(between: Between, table: SheetTable) -> list[Criterion]:
    found = [] if between.low is None else _against(between.of, ">=", between.low, table)
    if between.high is None:
        return found or _against(between.of, "=", None, table)
    return [*found, *_against(between.of, "<" if between.high_open else "<=", between.high, table)]


def _pattern(matches: Matches) -> str:
    wanted = matches.text.strip() or matches.text
    escaped = "".join(f"~{char}" if char in "*?~" else char for char in wanted)
    return {"contains": f"*{escaped}*", "starts": f"{escaped}*", "ends": f"*{escaped}"}[matches.how]


def _matches(matches: Matches, table: SheetTable) -> list[Criterion]:
    column = _column(matches.of, table)
    if column.kind != "text" or (column.blanks and matches.how != "contains"):
        raise NoFormula("parts of other values than texts")
    pattern = _pattern(matches)
    return [(table.area(column), text(f"={pattern}" if pattern[:1] in {"<", ">", "="} else pattern))]
