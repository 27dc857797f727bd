"""Join, Concat and Combine: relations with several sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from tablewright.analyst.plan import Combine, Join
from tablewright.analyst.sql.operands import SqlValue, double, whole
from tablewright.analyst.sql.rows import Key, Rows, Scribe, SqlColumn, Unwritable, number, scalar
from tablewright.analyst.sql.sources import SORTABLE
from tablewright.analyst.writing.columns import RIGHT_SUFFIX


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
    base = first.base.join(place, on=exp.and_(*tests, copy=False), join_type=relation.how)
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
    tie = (*first.tie, *second.order, *second.tie) if first.keyed and second.keyed else ()
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
    placed = [_placed(part, place, head, scribe) for place, part in enumerate(parts)]
    united = exp.union(*[scribe.finished(rows) for rows in placed], distinct=False, copy=False)
    own = scribe.fresh()
    base = exp.Select().from_(united.subquery(exp.to_identifier(own), copy=False), copy=False)
    *columns, part_number, row_number = scribe.renamed(placed[0], own)
    missing = [any(part.columns[place].missing for part in parts) for place in range(len(columns))]
    return Rows(
        base=base,
        columns=tuple(
            replace(column, missing=empty, clean=False) for column, empty in zip(columns, missing, strict=True)
        ),
        tie=(Key(of=part_number.of), Key(of=row_number.of)),
        sure=all(part.sure for part in parts),
    )


def _placed(part: Rows, place: int, head: Rows, scribe: Scribe) -> Rows:
    """Return the rows of one part with the number of the part and of each row in it."""
    rows = scribe.closed(part)
    columns = [replace(column, name=like.name) for column, like in zip(rows.columns, head.columns, strict=True)]
    within = number(1) if rows.single else scribe.window(exp.RowNumber(), rows.keys)
    numbers = (
        SqlColumn(name=f"part {len(columns)}", kind="integer", of=number(place), missing=False),
        SqlColumn(name=f"row {len(columns)}", kind="integer", of=within, missing=False),
    )
    return replace(rows, columns=(*columns, *numbers), order=(), tie=(), single=True)


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
