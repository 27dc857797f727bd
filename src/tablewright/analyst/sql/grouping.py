"""Aggregate: a single row, or one row per group in the order of their keys."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from tablewright.analyst.plan import Aggregate, Lit, Measure
from tablewright.analyst.sql.aggregates import aggregated, counted
from tablewright.analyst.sql.rows import Key, Rows, Scribe, SqlColumn, Unwritable, ordered, several
from tablewright.analyst.sql.values import Values
from tablewright.analyst.writing.statistics import UNTYPED


def aggregate(relation: Aggregate, below: Rows, scribe: Scribe) -> Rows:
    """Return the groups and their measures. Raises `Unwritable`."""
    source = several(below) if relation.groups else below
    rows = source if _plain(source) else scribe.closed(source)
    values = Values(rows, scribe)
    if any(isinstance(group.of, Lit) for group in relation.groups):
        raise Unwritable("constant group")  # servers would take a number for the place of a column
    groups = [values.named(group.name, group.of) for group in relation.groups]
    measures = [_measure(measure, values) for measure in relation.measures]
    if not groups:
        return Rows(base=rows.base, columns=tuple(measures), single=True)
    base = rows.base
    if not relation.keep_missing:
        for group in groups:
            base = base.where(exp.Not(this=exp.Is(this=_uncollated(group.of), expression=exp.Null())))
        groups = [replace(group, missing=False) for group in groups]
    grouped = base.group_by(*[group.of.copy() for group in groups])
    tie = tuple(Key(of=group.of) for group in groups)
    if not measures:  # the groups come in the order in which they are first met
        return scribe.closed(Rows(base=grouped, columns=tuple(groups), tie=() if ordered(below) else tie, sure=False))
    columns = (*groups, *measures)
    if any(group.kind == "boolean" and group.missing for group in groups):  # which pandas does not sort
        return scribe.closed(Rows(base=grouped, columns=columns, sure=False))
    return scribe.closed(Rows(base=grouped, columns=columns, tie=tie))


def _uncollated(of: exp.Expr) -> exp.Expr:
    """Return a copy without its collation, which no missing value depends on: a server knows of the column itself
    whether it can be missing, and then looks at no row."""
    return (of.this if isinstance(of, exp.Collate) else of).copy()


def _measure(measure: Measure, values: Values) -> SqlColumn:
    where = None if measure.where is None else values.test(measure.where)
    if measure.of is None:
        if measure.function != "count":
            raise Unwritable(measure.function)
        made = counted(where)
    else:
        of = values.write(measure.of)
        if of.kind == "text" and measure.function not in UNTYPED | {"min", "max"}:
            raise Unwritable(f"{measure.function} of text")
        made = aggregated(measure.function, of, where, measure.argument, values.dialect)
    return SqlColumn(name=measure.name, kind=made.kind, of=made.of, missing=made.missing, clean=made.clean)


def _plain(rows: Rows) -> bool:
    """Return whether no column is computed over several rows, so that its expression may stand in an aggregate."""
    return not rows.single and not any(column.of.find(exp.Window, exp.Subquery) for column in rows.columns)
