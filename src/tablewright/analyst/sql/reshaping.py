"""Filter, Derive, Project, Share, Shift and Fill."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sqlglot import exp

from tablewright.analyst.plan import Derive, Fill, Filter, Project, Share, Shift
from tablewright.analyst.sql.operands import SqlValue, double
from tablewright.analyst.sql.rows import Key, Rows, Scribe, SqlColumn, Unwritable, ordered
from tablewright.analyst.sql.sources import SORTABLE
from tablewright.analyst.sql.values import Values


def filtered(relation: Filter, below: Rows, scribe: Scribe) -> Rows:
    """Return the rows for which a condition holds."""
    rows = _row_by_row(below, scribe)
    return rows.where(Values(rows, scribe).test(relation.where))


def derive(relation: Derive, below: Rows, scribe: Scribe) -> Rows:
    """Return the rows with further columns."""
    rows = _row_by_row(below, scribe)
    values = Values(rows, scribe)
    made = [values.named(named.name, named.of) for named in relation.columns]
    return scribe.closed(replace(rows, columns=_with(rows.columns, made)))


def project(relation: Project, below: Rows, scribe: Scribe) -> Rows:
    """Return these columns alone; of equal rows one, if they are to be distinct."""
    rows = _row_by_row(below, scribe)
    values = Values(rows, scribe)
    columns = tuple(values.named(named.name, named.of) for named in relation.columns)
    if len({column.name for column in columns}) < len(columns):
        raise Unwritable("names")
    if not relation.distinct:
        made = replace(rows, columns=columns)
        return made if all(isinstance(column.of, exp.Column) for column in columns) else scribe.closed(made)
    shown = {column.of for column in columns}
    if any(key.of not in shown for key in rows.order):
        raise Unwritable("order of distinct rows")
    # pandas keeps the first of equal rows, and so their order, if the rows have one that is not known here
    tie = () if ordered(rows) else tuple(Key(of=column.of) for column in columns if column.kind in SORTABLE)
    return scribe.closed(replace(rows, base=rows.base.distinct(), columns=columns, tie=tie, sure=False))


def share(relation: Share, below: Rows, scribe: Scribe) -> Rows:
    """Return a column as a fraction of its sum, or of the sums of groups."""
    rows = scribe.closed(below)
    part = _numbers(rows.column(relation.column))
    within = [rows.column(name).of for name in relation.within]
    whole = exp.Nullif(this=scribe.window(exp.Sum(this=double(part)), (), within), expression=exp.Literal.number(0))
    of: exp.Expr = exp.Div(this=double(part), expression=whole, typed=False, safe=False)
    if relation.percent:
        of = exp.Mul(this=of, expression=exp.Literal.number(100))
    for group in within:
        there = exp.Not(this=exp.Is(this=group.copy(), expression=exp.Null()))
        of = exp.Case(ifs=[exp.If(this=there, true=of)])
    made = SqlColumn(name=relation.name, kind="number", of=of)
    return scribe.closed(replace(rows, columns=_with(rows.columns, [made])))


def shift(relation: Shift, below: Rows, scribe: Scribe) -> Rows:
    """Return the change from an earlier row, or the running sum."""
    rows = scribe.closed(below)
    value = _numbers(rows.column(relation.column))
    keys = rows.keys
    if relation.how == "cumulative":
        running = scribe.window(exp.Sum(this=double(value)), keys)
        running.set("spec", exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW"))
        there = exp.Not(this=exp.Is(this=value.of.copy(), expression=exp.Null()))
        of: exp.Expr = exp.Case(ifs=[exp.If(this=there, true=running)])
    else:
        if relation.periods < 1:
            raise Unwritable("periods")
        offset = exp.Literal.number(relation.periods)
        before = scribe.window(exp.Lag(this=double(value), offset=offset), keys)
        of = exp.Sub(this=double(value), expression=before)
        if relation.how == "growth":
            divisor = exp.Nullif(this=before, expression=exp.Literal.number(0))
            ratio = exp.Div(this=double(value), expression=divisor, typed=False, safe=False)
            less = exp.paren(exp.Sub(this=ratio, expression=exp.Literal.number(1)))
            of = exp.Mul(this=less, expression=exp.Literal.number(100))
    made = SqlColumn(name=relation.name, kind="number", of=of)
    return scribe.closed(replace(rows, columns=_with(rows.columns, [made])))


def fill(relation: Fill, below: Rows, scribe: Scribe) -> Rows:
    """Return missing values replaced by a constant or the mean, or their rows dropped."""
    rows = scribe.closed(below)
    column = rows.column(relation.column)
    if relation.how == "drop":
        there = exp.Not(this=exp.Is(this=column.of.copy(), expression=exp.Null()))
        kept = [replace(one, missing=one.missing and one is not column) for one in rows.columns]
        return replace(rows.where(there), columns=tuple(kept))
    value = _numbers(column)
    given = relation.value
    if relation.how == "constant" and isinstance(given, int | float) and not isinstance(given, bool):
        instead: exp.Expr = exp.cast(exp.convert(given), exp.DataType.Type.DOUBLE)
    elif relation.how == "mean" and not relation.within:
        instead = scribe.window(exp.Avg(this=double(value)))
    else:
        raise Unwritable(f"fill {relation.how}")
    of = exp.Coalesce(this=double(value), expressions=[instead])
    made = replace(column, of=of, kind="number", missing=False)
    return scribe.closed(replace(rows, columns=_with(rows.columns, [made])))


def _row_by_row(rows: Rows, scribe: Scribe) -> Rows:
    """Return rows to which conditions and values may be added: not those of an aggregate or of window functions."""
    if rows.single or any(column.of.find(exp.Window) for column in rows.columns):
        return scribe.closed(rows)
    return rows


def _numbers(column: SqlColumn) -> SqlValue:
    if column.kind not in {"integer", "number"}:
        raise Unwritable("numbers")
    return SqlValue(of=column.of, kind=column.kind, missing=column.missing)


def _with(columns: Iterable[SqlColumn], added: Iterable[SqlColumn]) -> tuple[SqlColumn, ...]:
    by_name = {column.name: column for column in columns}
    by_name.update({column.name: column for column in added})
    return tuple(by_name.values())
