"""From filled slots to a plan of the algebra."""

from __future__ import annotations

from collections.abc import Iterator

from tablewright.analyst.grammar.aggregating import aggregated, filtered, of_period
from tablewright.analyst.grammar.composed import Composed, Parts, parts_of
from tablewright.analyst.grammar.frames import pair_of
from tablewright.analyst.grammar.joining import joined_on
from tablewright.analyst.grammar.naming import Names
from tablewright.analyst.grammar.search import State
from tablewright.analyst.grammar.semantics import (
    ConditionPart,
    HavingPart,
    MeasurePart,
    OperatorPart,
    OrderPart,
)
from tablewright.analyst.grammar.sharing import existing, shares, top_shares
from tablewright.analyst.plan import (
    Aggregate,
    Between,
    Col,
    Combine,
    Compare,
    Filter,
    Lit,
    Measure,
    Named,
    OneOf,
    Position,
    Procedure,
    Project,
    Relation,
    Shift,
    Sort,
    Statistic,
    Top,
)

_MEASURED = frozenset(
    {"value", "groups", "best", "best_each", "having", "having_count", "steps", "shares", "top_share", "exists"}
)


def composed(state: State, source: Relation, names: Names) -> Iterator[Composed]:
    """Yield the relations that a state means: where a ranking is asked, with and without its values."""
    parts = parts_of(state)
    name = state.frame.name if state.frame is not None else ""
    rows = filtered(source, parts.conditions)
    if parts.measure is not None and name in _MEASURED:
        yield from _measured(name, parts, parts.measure, rows, names)
    elif name in {"values", "several"} and parts.measure is not None and parts.second is not None:
        yield from _twofold(parts, parts.measure, parts.second, rows, names)
    elif parts.measure is not None:
        yield from _paired(parts, parts.measure, source, names)
    elif name == "related" and len(parts.projections) == 2:
        columns = tuple(part.column for part in parts.projections)
        related = Procedure(source=rows, name="correlation", columns=columns, options={"method": "pearson"})
        shown = (Named(name="correlation", of=Col(name="correlation")),)
        yield Composed(relation=Project(source=related, columns=shown), measures=("correlation",))
    elif name == "never":
        yield from _never(parts, source, names)
    elif name == "joined" and parts.operator is not None:
        key = joined_on(source)
        if key is not None and parts.operator.option in {"", key}:
            yield from _whole(parts, rows)
    elif name == "position" and parts.operator is not None:
        yield _placed(parts, parts.operator, rows)
    elif name == "neighbour" and parts.operator is not None:
        yield from _neighbours(parts, parts.operator, source)
    else:
        yield from _listed(parts, rows)


def _measured(name: str, parts: Parts, measure: MeasurePart, rows: Relation, names: Names) -> Iterator[Composed]:
    keys = tuple(Named(name=names.key(key), of=key.of) for key in parts.keys)
    table, value = aggregated(rows, keys, measure, names)
    labels = tuple(key.name for key in keys)
    whole = Composed(relation=table, keys=labels, measures=(value,))
    if name == "shares":
        yield from shares(whole)
    elif name == "top_share" and parts.order is not None:
        yield from top_shares(whole, parts.order)
    elif name == "exists":
        yield existing(whole, names)
    elif name == "best" and parts.order is not None:
        top = Top(
            source=table, by=value, count=parts.order.count or 1, descending=parts.order.descending,
            offset=parts.order.offset,
        )  # fmt: skip
        yield Composed(relation=top, keys=labels, measures=(value,))
        yield Composed(relation=_only(top, labels), keys=labels, form="short")
    elif name == "best_each" and parts.order is not None:
        yield from _ranked_within(table, labels, value, parts.order)
    elif name in {"having", "having_count"} and parts.having is not None:
        kept = Filter(source=table, where=_tested(parts.having, value))
        if name == "having_count":
            count = Measure(name=names.count(), function="count")
            yield Composed(relation=Aggregate(source=kept, groups=(), measures=(count,)), measures=(count.name,))
        else:
            yield Composed(relation=kept, keys=labels, measures=(value,))
            yield Composed(relation=_only(kept, labels), keys=labels, form="short")
    elif name == "steps" and parts.operator is not None:
        yield _stepped(whole, parts.operator)
    elif parts.order is not None:
        by = _sorted_by(parts.order, labels, value, parts)
        yield Composed(
            relation=Sort(source=table, keys=((by, parts.order.descending),)), keys=labels, measures=(value,)
        )
    else:
        yield whole


def _tested(having: HavingPart, value: str) -> Compare:
    of = Col(name=value)
    if having.than:
        return Compare(op=having.op, left=of, right=Statistic(name="mean", of=of))
    return Compare(op=having.op, left=of, right=Lit(value=having.value))


def _ranked_within(table: Relation, labels: tuple[str, ...], value: str, order: OrderPart) -> Iterator[Composed]:
    """Yield the best of one key within each value of the other, either way round."""
    for within, form in ((labels[0], "whole"), (labels[1], "turned")):
        top = Top(
            source=table, by=value, count=order.count or 1, descending=order.descending, offset=order.offset,
            within=(within,),
        )  # fmt: skip
        yield Composed(relation=top, keys=labels, measures=(value,), form=form)
        yield Composed(relation=_only(top, labels), keys=labels, form=f"{form}_short")


def _sorted_by(order: OrderPart, labels: tuple[str, ...], value: str, parts: Parts) -> str:
    named = {key.column: label for key, label in zip(parts.keys, labels, strict=True)}
    if order.by is not None and order.by in named:
        return named[order.by]
    return labels[0] if order.axis == "x" and labels else value


def _stepped(whole: Composed, operator: OperatorPart) -> Composed:
    ordered = Sort(source=whole.relation, keys=((whole.keys[0], False),))
    value = whole.measures[0]
    how: str = operator.name
    name = f"{value} {how}"
    shift = Shift(source=ordered, column=value, name=name, how="growth" if how == "growth" else "cumulative")
    return Composed(relation=_only(shift, (*whole.keys, name)), keys=whole.keys, measures=(name,))


def _only(source: Relation, columns: tuple[str, ...]) -> Relation:
    return Project(source=source, columns=tuple(Named(name=name, of=Col(name=name)) for name in columns))


def _paired(parts: Parts, measure: MeasurePart, source: Relation, names: Names) -> Iterator[Composed]:
    """Yield one measure under two conditions, compared."""
    pair = pair_of(parts.conditions)
    if pair is None or parts.operator is None:
        return
    rest = [part for part in parts.conditions if part not in pair]
    pair = _in_time(pair)
    sides = [aggregated(filtered(source, [*rest, one]), (), measure, names)[0] for one in pair]
    name = names.measure(measure)
    if parts.operator.name == "growth":
        change = Combine(op="percent_change", left=sides[0], right=sides[1], name=name)
        yield Composed(relation=change, measures=(name,))
        return
    difference = Combine(op="absolute_difference", left=sides[0], right=sides[1], name=name)
    yield Composed(relation=difference, measures=(name,))


def _in_time(pair: tuple[ConditionPart, ConditionPart]) -> tuple[ConditionPart, ConditionPart]:
    """Return two periods in their order, whichever is said first; other tests as they are said."""
    first, second = pair
    if of_period(first) and of_period(second) and _since(second) < _since(first):
        return second, first
    return pair


def _since(part: ConditionPart) -> str:
    where = part.where
    if isinstance(where, Between):
        return str(where.low)
    if isinstance(where, OneOf):
        return f"{where.values[0]:>4}"
    return f"{where.right.value:>4}" if isinstance(where, Compare) and isinstance(where.right, Lit) else ""


def _twofold(parts: Parts, first: MeasurePart, second: MeasurePart, rows: Relation, names: Names) -> Iterator[Composed]:
    """Yield two measures of the same rows side by side."""
    if not {first.kind, second.kind} <= {"rows", "distinct", "aggregate"}:
        return
    keys = tuple(Named(name=names.key(key), of=key.of) for key in parts.keys)
    found = tuple(
        Measure(name=names.measure(one), function=one.function, of=one.of, argument=one.argument)
        for one in (first, second)
    )
    if found[0].name == found[1].name:
        return
    labels = tuple(key.name for key in keys)
    table = Aggregate(source=rows, groups=keys, measures=found)
    yield Composed(relation=table, keys=labels, measures=tuple(one.name for one in found))


def _never(parts: Parts, source: Relation, names: Names) -> Iterator[Composed]:
    """Yield the keys of which no row passes the test."""
    test = next((one for one in parts.conditions if one.values and not one.negated), None)
    if test is None or test.column in {key.column for key in parts.keys}:
        return
    rows = filtered(source, [one for one in parts.conditions if one is not test])
    keys = tuple(Named(name=names.key(key), of=key.of) for key in parts.keys)
    count = Measure(name=names.count(), function="count", where=test.where)
    table = Aggregate(source=rows, groups=keys, measures=(count,))
    none = Filter(source=table, where=Compare(op="=", left=Col(name=count.name), right=Lit(value=0)))
    labels = tuple(key.name for key in keys)
    yield Composed(relation=_only(none, labels), keys=labels, form="short")


def _placed(parts: Parts, operator: OperatorPart, rows: Relation) -> Composed:
    """Return columns of the first or the last row."""
    shown = tuple(part.column for part in parts.projections)
    return Composed(
        relation=_only(Position(source=rows, count=1 if operator.name == "first" else -1), shown), keys=shown
    )


def _neighbours(parts: Parts, operator: OperatorPart, source: Relation) -> Iterator[Composed]:
    if len(parts.conditions) != 1 or len(parts.conditions[0].values) != 1:
        return
    test = parts.conditions[0]
    offset = 1 if operator.name == "next" else -1
    row = Procedure(
        source=source, name="neighbour", columns=(test.column,), options={"value": test.values[0], "offset": offset}
    )
    shown = tuple(part.column for part in parts.projections)
    yield Composed(relation=_only(row, shown), keys=shown)


def _whole(parts: Parts, rows: Relation) -> Iterator[Composed]:
    """Yield rows with all of their columns, in the order that is asked for."""
    order = parts.order
    if order is None:
        yield Composed(relation=rows)
    elif order.by is not None:
        yield Composed(relation=Sort(source=rows, keys=((order.by, order.descending),)))


def _listed(parts: Parts, rows: Relation) -> Iterator[Composed]:
    shown = tuple(part.column for part in parts.projections)
    order = parts.order
    if order is not None and order.count is not None and order.by is not None:
        yield from _extreme(parts, order, order.by, shown, rows)
        return
    if order is not None:
        by = order.by or (shown[0] if order.axis == "x" else shown[-1])
        rows = Sort(source=rows, keys=((by, order.descending),))
    yield Composed(relation=_only(rows, shown), keys=shown)
    yield Composed(relation=_distinct(rows, shown), keys=shown, form="distinct")


def _distinct(source: Relation, columns: tuple[str, ...]) -> Relation:
    return Project(source=source, columns=tuple(Named(name=one, of=Col(name=one)) for one in columns), distinct=True)


def _extreme(parts: Parts, order: OrderPart, by: str, shown: tuple[str, ...], rows: Relation) -> Iterator[Composed]:
    """Yield the rows with the highest or lowest value: of all, of each group, or among the first by another column."""
    within = tuple(key.column for key in parts.keys)
    if parts.inner is not None and parts.inner.by is not None:
        first = parts.inner
        rows = Top(
            source=rows, by=parts.inner.by, count=first.count or 1, descending=first.descending, offset=first.offset,
            within=within,
        )  # fmt: skip
    top = Top(
        source=rows, by=by, count=order.count or 1, descending=order.descending, offset=order.offset, within=within
    )
    yield Composed(relation=_only(top, shown), keys=shown)
    yield Composed(relation=_distinct(top, shown), keys=shown, form="distinct")
    columns = (*within, *shown)
    if within:
        yield Composed(relation=_only(top, columns), keys=columns, form="keys")
    if by not in columns:
        yield Composed(relation=_only(top, (*columns, by)), keys=columns, measures=(by,), form="with")
