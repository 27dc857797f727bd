"""Rows beside others: with the same in a column, with more or less, one after the other; which of two is more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from tablewright.analyst.grammar.aggregating import aggregated, filtered, joined
from tablewright.analyst.grammar.composed import Composed, Parts, only
from tablewright.analyst.grammar.naming import Names
from tablewright.analyst.grammar.semantics import OperatorPart
from tablewright.analyst.plan import (
    Aggregate,
    Case,
    Col,
    Combine,
    Compare,
    Condition,
    Derive,
    Expr,
    Filter,
    Join,
    Lit,
    Measure,
    Named,
    Not,
    Procedure,
    Project,
    Relation,
    Shift,
)

_SAME, _ONE, _THAN, _MARK, _CHANGE = "_same", "_one", "_than", "_mark", "_change"


def alike(parts: Parts, source: Relation) -> Iterator[Composed]:
    """Yield the columns of other rows that agree with those tested in the key."""
    where = joined(parts.conditions)
    if where is None or len(parts.keys) != 1:
        return
    key = parts.keys[0].column
    known = Aggregate(
        source=filtered(source, parts.conditions), groups=(Named(name=_SAME, of=Col(name=key)),), measures=()
    )
    others = Filter(source=source, where=Not(of=where))
    both = Join(left=others, right=known, on=((key, _SAME),))
    shown = tuple(part.column for part in parts.projections)
    columns = tuple(Named(name=name, of=Col(name=name)) for name in shown)
    yield Composed(relation=Project(source=both, columns=columns, distinct=True), keys=shown)


def verdict(sides: Sequence[Relation], value: str, names: Names, operator: OperatorPart) -> Composed:
    """Return whether the first of two numbers is more or less, or yes or no where one of these is asked."""
    apart = Combine(op="difference", left=sides[0], right=sides[1], name=value)
    of, none = Col(name=value), Lit(value=0)
    branches: tuple[tuple[Condition, Expr], ...]
    if operator.name == "more_yes":
        holds = Compare(op="<" if operator.option == "min" else ">", left=of, right=none)
        branches, otherwise = ((holds, Lit(value=names.say("yes"))),), "no"
    else:
        more, less = Compare(op=">", left=of, right=none), Compare(op="<", left=of, right=none)
        branches, otherwise = ((more, Lit(value=names.say("more"))), (less, Lit(value=names.say("less")))), "as_many"
    answer = Named(name=names.say("answer"), of=Case(branches=branches, otherwise=Lit(value=names.say(otherwise))))
    return Composed(relation=Project(source=apart, columns=(answer,)), measures=(answer.name,))


def than_row(parts: Parts, source: Relation, names: Names) -> Iterator[Composed]:
    """Yield the rows with more or less in a column than the rows that are tested, or how many there are."""
    operator = parts.operator
    if operator is None or not operator.columns:
        return
    column = operator.columns[0]
    one = (Named(name=_ONE, of=Lit(value=1)),)
    known = Aggregate(
        source=Derive(source=filtered(source, parts.conditions), columns=one),
        groups=(Named(name=_ONE, of=Col(name=_ONE)),),
        measures=(Measure(name=_THAN, function="max", of=Col(name=column)),),
    )
    both = Join(left=Derive(source=source, columns=one), right=known, on=((_ONE, _ONE),))
    op: Literal["<", ">"] = "<" if operator.option == "<" else ">"
    rows = Filter(source=both, where=Compare(op=op, left=Col(name=column), right=Col(name=_THAN)))
    shown = tuple(part.column for part in parts.projections)
    if shown:
        yield Composed(relation=only(rows, shown), keys=shown)
    elif parts.measure is not None:
        table, value = aggregated(rows, (), parts.measure, names)
        yield Composed(relation=table, measures=(value,))


def streak(parts: Parts, source: Relation) -> Iterator[Composed]:
    """Yield the largest number of rows in a row that pass the tests, or in which a column rises or falls."""
    operator, where = parts.operator, joined(parts.conditions)
    if operator is None:
        return
    if operator.name == "rising":
        column = parts.projections[0].column
        source = Shift(source=source, column=column, name=_CHANGE, how="difference")
        where = Compare(op="<" if operator.option == "down" else ">", left=Col(name=_CHANGE), right=Lit(value=0))
    if where is None:
        return
    mark = Case(branches=((where, Lit(value=1)),), otherwise=Lit(value=0))
    marked = Derive(source=source, columns=(Named(name=_MARK, of=mark),))
    yield Composed(relation=Procedure(source=marked, name="longest_run", columns=(_MARK,)), measures=("count",))
