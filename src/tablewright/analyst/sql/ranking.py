"""Sort, Top and Position."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from tablewright.analyst.plan import Position, Sort, Top
from tablewright.analyst.sql.rows import Key, Rows, Scribe, SqlColumn, Unwritable, number, several
from tablewright.analyst.sql.sources import SORTABLE


def sort(relation: Sort, below: Rows) -> Rows:
    """Return the rows sorted stably."""
    columns = [below.column(name) for name, _ in relation.keys]
    if any(column.kind not in SORTABLE for column in columns):
        raise Unwritable("sort")
    keys = [Key(of=column.of, descending=down) for column, (_, down) in zip(columns, relation.keys, strict=True)]
    return replace(below, order=(*keys, *below.order))


def top(relation: Top, below: Rows, scribe: Scribe) -> Rows:
    """Return the rows with the highest ranks; a missing value has none."""
    rows = scribe.closed(several(below))
    by = rows.column(relation.by)
    if by.kind not in SORTABLE - {"boolean"}:
        raise Unwritable("top")
    within = [rows.column(name) for name in relation.within]
    if any(column.kind not in SORTABLE for column in within):
        raise Unwritable("top")
    ranked = scribe.closed(replace(rows, columns=(*rows.columns, _rank(relation, rows, by, within, scribe))))
    rank = ranked.columns[-1]
    last = relation.offset + relation.count
    base = ranked.base.where(exp.LTE(this=rank.of.copy(), expression=number(last)))
    if relation.offset:
        base = base.where(exp.GT(this=rank.of.copy(), expression=number(relation.offset)))
    for name in (relation.by, *relation.within):
        base = base.where(exp.Not(this=exp.Is(this=ranked.column(name).of.copy(), expression=exp.Null())))
    order = ranked.order
    if not relation.within and last > 1:
        order = (Key(of=rank.of), *ranked.order)
    return replace(ranked, base=base, columns=ranked.columns[:-1], order=order)


def _rank(relation: Top, rows: Rows, by: SqlColumn, within: list[SqlColumn], scribe: Scribe) -> SqlColumn:
    function: exp.Expr = exp.DenseRank() if relation.offset else exp.Rank()
    keys: tuple[Key, ...] = (Key(of=by.of, descending=relation.descending),)
    if not relation.ties and not relation.offset:
        function, keys = exp.RowNumber(), (*keys, *rows.keys)
    rank = scribe.window(function, keys, [column.of for column in within])
    return SqlColumn(name=_free("rank", rows), kind="integer", of=rank, missing=False)


def position(relation: Position, below: Rows, scribe: Scribe) -> Rows:
    """Return the rows at some places."""
    if relation.count >= 0:
        return scribe.cut(below, relation.count, relation.offset)
    return scribe.cut(below, -relation.count, relation.offset, backward=True)


def _free(name: str, rows: Rows) -> str:
    while any(column.name.lower() == name for column in rows.columns):
        name += "_"
    return name
