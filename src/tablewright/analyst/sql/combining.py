"""Join, Concat and Combine: relations with several sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from tablewright.analyst.plan import Combine, Join
from tablewright.analyst.sql.operands import SqlValue, double, whole
from tablewright.analyst.sql.rows import Key, Rows, Scribe, SqlColumn, Unwritable, number, scalar
from tablewright.analyst.sql.sources import SORTABLE
from tablewright.analyst.writing.combining import RIGHT_SUFFIX


def join(relation: Join, left: Rows, right: Rows, scribe: Scribe) -> Rows:
    """Return the rows of both that have equal keys; missing keys are equal to nothing."""
    if relation.how == "outer":
        raise Unwritable("outer join")
    first, second = scribe.closed(left), scribe.closed(right)
    pairs = [(first.column(one), second.column(other)) for one, other in relation.on]
    if not pairs or not all(_alike(one, other) for one, other in pairs):
        raise Unwritable("keys")
    tests = [exp.EQ(this=one.of.copy(), expression=other.of.copy()) for one, other in pairs]
    place = second.base.args["from_"].this
    base = first.base.join(place, on=exp.and_(*tests), join_type=relation.how)
    shared = {one for one, other in relation.on if one == other}
    names = {column.name for column in first.columns}
    left_joined = relation.how == "left"
    added = [
        replace(
            column,
            name=f"{column.name}{RIGHT_SUFFIX}" if column.name in names else column.name,
            missing=column.missing or left_joined,
        )
        for column in second.columns
        if column.name not in shared
    ]
    if len({column.name for column in (*first.columns, *added)}) < len(first.columns) + len(added):
        raise Unwritable("names")
    tie = (*first.tie, *second.order, *second.tie)
    sure = first.sure and second.sure
    return Rows(base=base, columns=(*first.columns, *added), order=first.order, tie=tie, sure=sure)


def _alike(one: SqlColumn, other: SqlColumn) -> bool:
    numbers = {"integer", "number"}
    same = one.kind == other.kind or {one.kind, other.kind} <= numbers
    return same and one.kind in SORTABLE


def concat(parts: Sequence[Rows], scribe: Scribe) -> Rows:
    """Return the rows of one relation after those of another."""
    head = parts[0]
    kinds = [column.kind for column in head.columns]
    if any([column.kind for column in part.columns] != kinds for part in parts):
        raise Unwritable("columns")
    if not all(part.single or not part.order for part in parts):
        raise Unwritable("order")
    closed: list[Rows] = []
    for place, part in enumerate(parts):
        rows = scribe.closed(part)
        named = zip(rows.columns, head.columns, strict=True)
        columns = [replace(column, name=like.name) for column, like in named]
        placed = SqlColumn(name="part", kind="integer", of=number(place), missing=False)
        closed.append(replace(rows, columns=(*columns, placed), order=(), tie=(), single=True))
    united = exp.union(*[scribe.finished(rows) for rows in closed], distinct=False)
    own = scribe.fresh()
    base = exp.Select().from_(united.subquery(exp.to_identifier(own)))
    whole_rows = scribe.renamed(closed[0], own)
    united_columns = tuple(
        replace(column, missing=any(part.columns[place].missing for part in parts), clean=False)
        for place, column in enumerate(whole_rows[:-1])
    )
    tie = tuple(Key(of=column.of) for column in united_columns if column.kind in SORTABLE)
    order = (Key(of=whole_rows[-1].of),)
    return Rows(base=base, columns=united_columns, order=order, tie=tie, sure=False)


def combine(relation: Combine, left: Rows, right: Rows, scribe: Scribe) -> Rows:
    """Return one number computed from two cells: missing if one of them is, or a division is by zero."""
    first, second = _cell(left, scribe), _cell(right, scribe)
    integer = first.kind == second.kind == "integer" and relation.op in {"difference", "absolute_difference", "sum"}
    of = _combined(relation.op, *((whole(first), whole(second)) if integer else (double(first), double(second))))
    column = SqlColumn(name=relation.name, kind="integer" if integer else "number", of=of)
    return Rows(base=exp.Select(), columns=(column,), single=True)


def _combined(op: str, one: exp.Expr, other: exp.Expr) -> exp.Expr:
    match op:
        case "difference":
            return exp.Sub(this=one, expression=other)
        case "absolute_difference":
            return exp.Abs(this=exp.Sub(this=one, expression=other))
        case "sum":
            return exp.Add(this=one, expression=other)
        case "ratio":
            return _ratio(one, other)
        case "percent":
            return _percent(_ratio(one, other))
        case _:
            return _percent(_ratio(exp.paren(exp.Sub(this=other, expression=one)), one.copy()))


def _ratio(above: exp.Expr, below: exp.Expr) -> exp.Expr:
    divisor = exp.Nullif(this=below, expression=exp.Literal.number(0))
    return exp.Div(this=above, expression=divisor, typed=False, safe=False)


def _percent(of: exp.Expr) -> exp.Expr:
    return exp.Mul(this=of, expression=exp.Literal.number(100))


def _cell(rows: Rows, scribe: Scribe) -> SqlValue:
    """Return the first cell of the first row."""
    column = rows.columns[0]
    if column.kind not in {"integer", "number"}:
        raise Unwritable("cell")
    one = replace(rows, columns=(column,))
    query = scribe.finished(one if rows.single else replace(scribe.cut(one, 1), order=(), tie=()))
    return SqlValue(of=scalar(query), kind=column.kind)
