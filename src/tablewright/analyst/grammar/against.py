"""One measure under two conditions, the one against the other: of all rows, or of each group."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.aggregating import PERCENT, aggregated, filtered, of_period
from tablewright.analyst.grammar.agreeing import pair_of
from tablewright.analyst.grammar.alike import verdict
from tablewright.analyst.grammar.composed import Composed, Parts, only
from tablewright.analyst.grammar.months import month_of
from tablewright.analyst.grammar.naming import Names
from tablewright.analyst.grammar.saying import tested
from tablewright.analyst.grammar.semantics import ConditionPart, HavingPart
from tablewright.analyst.plan import (
    Aggregate,
    Between,
    Col,
    Combine,
    Compare,
    Derive,
    Expr,
    Filter,
    Join,
    Lit,
    Math,
    Measure,
    Named,
    OneOf,
    Project,
    Relation,
    Top,
)
from tablewright.domain.table import Cell

Pair = tuple[ConditionPart, ConditionPart]


def against(parts: Parts, source: Relation, _rows: Relation, names: Names) -> Iterator[Composed]:
    """Yield one measure of all rows under two conditions, compared."""
    pair, measure = pair_of(parts.conditions), parts.measure
    if pair is None or parts.operator is None or measure is None:
        return
    rest = [part for part in parts.conditions if part not in pair]
    name = names.measure(measure)
    if parts.operator.name in {"more_less", "more_yes"}:
        both = [aggregated(filtered(source, [*rest, one]), (), measure, names)[0] for one in _as_said(pair)]
        yield verdict(both, name, names, parts.operator)
        return
    sides = [aggregated(filtered(source, [*rest, one]), (), measure, names)[0] for one in _in_time(pair)]
    if parts.operator.name == "growth":
        change = Combine(op="percent_change", left=sides[0], right=sides[1], name=name)
        yield Composed(relation=change, measures=(name,))
        return
    difference = Combine(op="absolute_difference", left=sides[0], right=sides[1], name=name)
    yield Composed(relation=difference, measures=(name,))


def against_each(parts: Parts, source: Relation, _rows: Relation, names: Names) -> Iterator[Composed]:
    """Yield how far each group is apart under two conditions, and in percent."""
    pair = pair_of(parts.conditions)
    if pair is None:
        return
    for relative, form in ((False, "whole"), (True, "relative")):
        table, labels, gap = _apart(parts, source, _in_time(pair), names, relative=relative)
        yield Composed(relation=only(table, (*labels, gap)), keys=labels, measures=(gap,), form=form)


def against_most(parts: Parts, source: Relation, _rows: Relation, names: Names) -> Iterator[Composed]:
    """Yield the groups that have changed most from the one condition to the other, with and without by how much."""
    pair, order = pair_of(parts.conditions), parts.order
    if pair is None or order is None:
        return
    falls = parts.operator is not None and parts.operator.option == "down"
    for relative, form in ((False, "whole"), (True, "relative")):
        table, labels, gap = _apart(parts, source, _in_time(pair), names, relative=relative)
        top = Top(
            source=table, by=gap, count=order.count or 1, descending=order.descending != falls, offset=order.offset
        )
        yield Composed(relation=only(top, (*labels, gap)), keys=labels, measures=(gap,), form=form)
        yield Composed(relation=only(top, labels), keys=labels, form=f"{form}_short")


def against_more(parts: Parts, source: Relation, _rows: Relation, names: Names) -> Iterator[Composed]:
    """Yield the groups that have more under the condition that is said first than under the other, or have grown from
    the one to the other, by as much as is asked for; and how many they are."""
    pair, operator = pair_of(parts.conditions), parts.operator
    if pair is None or operator is None:
        return
    grown = operator.name == "growth"
    more, less = reversed(_in_time(pair)) if grown else _as_said(pair)
    if operator.option in {"min", "down"}:
        more, less = less, more
    table, labels, gap = _apart(parts, source, (less, more), names, relative=False)
    having = parts.having or HavingPart(mask=0, features=(), op=">")
    kept = Filter(source=table, where=Compare(op=having.op, left=Col(name=gap), right=Lit(value=having.value)))
    yield Composed(relation=only(kept, labels), keys=labels, form="short")
    yield Composed(relation=kept, keys=labels, measures=(gap,))
    count = Measure(name=names.count(), function="count")
    yield Composed(
        relation=Aggregate(source=kept, groups=(), measures=(count,)), measures=(count.name,), form="counted"
    )


def _apart(
    parts: Parts, source: Relation, pair: Pair, names: Names, *, relative: bool
) -> tuple[Relation, tuple[str, ...], str]:
    """Return a table with each group's measure under both conditions and what the second has more than the first, in
    percent of that if `relative`; its keys, and the column of what is more. Groups without one of the two are left
    out."""
    if parts.measure is None:
        raise ValueError("a comparison needs a measure")
    measure, value = parts.measure, names.measure(parts.measure)
    rest = [part for part in parts.conditions if part not in pair]
    keys = tuple(Named(name=names.key(key), of=key.of) for key in parts.keys)
    labels = tuple(key.name for key in keys)
    first, second = (aggregated(filtered(source, [*rest, one]), keys, measure, names)[0] for one in pair)
    both = Join(left=first, right=second, on=tuple((label, label) for label in labels))
    sides = [names.free(tested(one.where, names)) for one in pair]
    if sides[0] == sides[1]:
        sides[1] = f"{sides[1]}_"
    shown = Project(
        source=both,
        columns=(
            *(Named(name=label, of=Col(name=label)) for label in labels),
            Named(name=sides[0], of=Col(name=value)),
            Named(name=sides[1], of=Col(name=f"{value}_2")),
        ),
    )
    gap: Expr = Math(op="-", left=Col(name=sides[1]), right=Col(name=sides[0]))
    if relative:
        gap = Math(op="*", left=Math(op="/", left=gap, right=Col(name=sides[0])), right=Lit(value=PERCENT))
    name = names.free(names.say("growth" if relative else "difference", what=value))
    return Derive(source=shown, columns=(Named(name=name, of=gap),)), labels, name


def _as_said(pair: Pair) -> Pair:
    first, second = sorted(pair, key=lambda one: one.start)
    return first, second


def _in_time(pair: Pair) -> Pair:
    """Return two periods in their order, whichever is said first; other tests as they are said."""
    first, second = pair
    if of_period(first) and of_period(second) and _since(second) < _since(first):
        return second, first
    return pair


def _since(part: ConditionPart) -> str:
    """Return what sorts periods by time: when they begin, or the first month or year that is named."""
    where = part.where
    if isinstance(where, Between):
        return str(where.low)
    if isinstance(where, OneOf):
        return _sorting(where.values[0])
    return _sorting(where.right.value) if isinstance(where, Compare) and isinstance(where.right, Lit) else ""


def _sorting(value: Cell) -> str:
    month = month_of(value)[0] if isinstance(value, str) else None
    if month is not None and month.month is not None:
        return month.low or f"{month.month:04}"
    return f"{value:>4}"
