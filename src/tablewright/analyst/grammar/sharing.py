"""What groups have of the whole, what the first few have of it together, and whether there are rows at all."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.composed import Composed
from tablewright.analyst.grammar.naming import Names
from tablewright.analyst.grammar.semantics import OrderPart
from tablewright.analyst.plan import (
    Aggregate,
    Case,
    Col,
    Compare,
    Lit,
    Measure,
    Named,
    Project,
    Relation,
    Share,
    Top,
)

_SHARE = "%"


def shares(whole: Composed) -> Iterator[Composed]:
    """Yield each group's share of the whole, alone and beside its amount."""
    table, name = _shared(whole)
    yield Composed(relation=_only(table, (*whole.keys, name)), keys=whole.keys, measures=(name,))
    yield Composed(relation=table, keys=whole.keys, measures=(*whole.measures, name), form="with")


def top_shares(whole: Composed, order: OrderPart) -> Iterator[Composed]:
    """Yield the share that the first groups have together, or that the first one has, with its name."""
    table, name = _shared(whole)
    top = Top(source=table, by=whole.measures[0], count=order.count or 1, descending=order.descending)
    if (order.count or 1) > 1:
        together = Measure(name=name, function="sum", of=Col(name=name))
        yield Composed(relation=Aggregate(source=top, groups=(), measures=(together,)), measures=(name,))
    else:
        yield Composed(relation=_only(top, (*whole.keys, name)), keys=whole.keys, measures=(name,))


def existing(whole: Composed, names: Names) -> Iterator[Composed]:
    """Yield yes or no, with and without how many rows there are."""
    count = whole.measures[0]
    some = Compare(op=">", left=Col(name=count), right=Lit(value=0))
    answer = Case(branches=((some, Lit(value=names.say("yes"))),), otherwise=Lit(value=names.say("no")))
    columns = (Named(name=names.say("answer"), of=answer), Named(name=count, of=Col(name=count)))
    yield Composed(relation=Project(source=whole.relation, columns=columns), measures=(count,))
    yield Composed(relation=Project(source=whole.relation, columns=columns[:1]), form="short")


def _shared(whole: Composed) -> tuple[Relation, str]:
    value = whole.measures[0]
    name = f"{value} {_SHARE}"
    return Share(source=whole.relation, column=value, name=name), name


def _only(source: Relation, columns: tuple[str, ...]) -> Relation:
    return Project(source=source, columns=tuple(Named(name=one, of=Col(name=one)) for one in columns))
