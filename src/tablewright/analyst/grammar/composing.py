"""From filled slots to a plan of the algebra."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tablewright.analyst.grammar.against import against, against_each, against_more, against_most
from tablewright.analyst.grammar.aggregating import aggregated, filtered
from tablewright.analyst.grammar.alike import alike, streak, than_row
from tablewright.analyst.grammar.composed import Composed, Parts, only, parts_of
from tablewright.analyst.grammar.joining import joined_on
from tablewright.analyst.grammar.looked_at import both_ends, looked, opposites
from tablewright.analyst.grammar.naming import Names
from tablewright.analyst.grammar.ranked import best, best_each, greatest_step, of_first, stepped
from tablewright.analyst.grammar.search import State
from tablewright.analyst.grammar.semantics import (
    HavingPart,
    MeasurePart,
    OrderPart,
)
from tablewright.analyst.grammar.sharing import existing, shares, top_shares
from tablewright.analyst.plan import (
    Aggregate,
    Col,
    Compare,
    Filter,
    Lit,
    Measure,
    Missing,
    Named,
    Not,
    Position,
    Procedure,
    Project,
    Relation,
    Sort,
    Statistic,
    Top,
)

Composer = Callable[[Parts, Relation, Relation, Names], Iterator[Composed]]
"""Makes relations of parts, a table, the rows of it that pass the tests, and names."""


def composed(state: State, source: Relation, names: Names) -> Iterator[Composed]:
    """Yield the relations that a state means: where a ranking is asked, with and without its values."""
    parts = parts_of(state)
    name = state.frame.name if state.frame is not None else ""
    rows = filtered(source, parts.conditions, parts.alternatives)
    if name in _MEASURED:
        if parts.measure is not None:
            yield from _MEASURED[name](parts, _whole_of(parts, parts.measure, rows, names), names)
    elif name in _OTHERS:
        yield from _OTHERS[name](parts, source, rows, names)
    else:
        yield from _listed(parts, rows)


def _whole_of(parts: Parts, measure: MeasurePart, rows: Relation, names: Names) -> Composed:
    """Return a measure of all groups."""
    keys = tuple(Named(name=names.key(key), of=key.of) for key in parts.keys)
    table, value = aggregated(rows, keys, measure, names)
    return Composed(relation=table, keys=tuple(key.name for key in keys), measures=(value,))


def _sorted(parts: Parts, whole: Composed, _names: Names) -> Iterator[Composed]:
    if parts.order is None:
        yield whole
        return
    by = _sorted_by(parts.order, whole.keys, whole.measures[0], parts)
    yield replace(whole, relation=Sort(source=whole.relation, keys=((by, parts.order.descending),)))


def _ranked(parts: Parts, whole: Composed, _names: Names) -> Iterator[Composed]:
    yield from best(whole, parts.order) if parts.order is not None else ()


def _ranked_each(parts: Parts, whole: Composed, _names: Names) -> Iterator[Composed]:
    yield from best_each(whole, parts.order) if parts.order is not None else ()


def _kept(parts: Parts, whole: Composed, _names: Names) -> Iterator[Composed]:
    if parts.having is not None:
        kept = Filter(source=whole.relation, where=_tested(parts.having, whole.measures[0]))
        yield replace(whole, relation=kept)
        yield Composed(relation=only(kept, whole.keys), keys=whole.keys, form="short")


def _kept_counted(parts: Parts, whole: Composed, names: Names) -> Iterator[Composed]:
    if parts.having is not None:
        kept = Filter(source=whole.relation, where=_tested(parts.having, whole.measures[0]))
        count = Measure(name=names.count(), function="count")
        yield Composed(relation=Aggregate(source=kept, groups=(), measures=(count,)), measures=(count.name,))


def _stepped(parts: Parts, whole: Composed, _names: Names) -> Iterator[Composed]:
    if parts.operator is not None:
        yield stepped(whole, parts.operator)


def _stepped_most(parts: Parts, whole: Composed, _names: Names) -> Iterator[Composed]:
    if parts.operator is not None and parts.order is not None:
        yield from greatest_step(whole, parts.operator, parts.order)


def _both_ranked(parts: Parts, whole: Composed, _names: Names) -> Iterator[Composed]:
    if parts.inner is not None and parts.order is not None:
        yield from opposites(whole, parts.inner, parts.order)


def _averaged(_parts: Parts, whole: Composed, names: Names) -> Iterator[Composed]:
    name = names.say("mean", column=whole.measures[0])
    mean = Measure(name=name, function="mean", of=Col(name=whole.measures[0]))
    yield Composed(relation=Aggregate(source=whole.relation, groups=(), measures=(mean,)), measures=(name,))


def _share_of_first(parts: Parts, whole: Composed, _names: Names) -> Iterator[Composed]:
    yield from top_shares(whole, parts.order) if parts.order is not None else ()


_MEASURED: dict[str, Callable[[Parts, Composed, Names], Iterator[Composed]]] = {
    "value": _sorted, "groups": _sorted, "best": _ranked, "best_each": _ranked_each, "having": _kept,
    "having_count": _kept_counted, "steps": _stepped, "step_most": _stepped_most, "opposites": _both_ranked,
    "shares": lambda _parts, whole, _names: shares(whole), "top_share": _share_of_first,
    "exists": lambda _parts, whole, names: existing(whole, names), "mean_each": _averaged,
}  # fmt: skip
"""What is made of a measure of groups, by the kind of answer."""


def _tested(having: HavingPart, value: str) -> Compare:
    of = Col(name=value)
    if having.than:
        return Compare(op=having.op, left=of, right=Statistic(name="mean", of=of))
    return Compare(op=having.op, left=of, right=Lit(value=having.value))


def _sorted_by(order: OrderPart, labels: tuple[str, ...], value: str, parts: Parts) -> str:
    named = {key.column: label for key, label in zip(parts.keys, labels, strict=True)}
    if order.by is not None and order.by in named:
        return named[order.by]
    return labels[0] if order.axis == "x" and labels else value


def _twofold(parts: Parts, _source: Relation, rows: Relation, names: Names) -> Iterator[Composed]:
    """Yield two measures of the same rows side by side."""
    first, second = parts.measure, parts.second
    if first is None or second is None or not {first.kind, second.kind} <= {"rows", "distinct", "aggregate"}:
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


def _never(parts: Parts, source: Relation, _rows: Relation, names: Names) -> Iterator[Composed]:
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
    yield Composed(relation=only(none, labels), keys=labels, form="short")


def _placed(parts: Parts, _source: Relation, rows: Relation, _names: Names) -> Iterator[Composed]:
    """Yield columns of the first or the last row."""
    operator = parts.operator
    if operator is None:
        return
    shown = tuple(part.column for part in parts.projections)
    yield Composed(relation=only(Position(source=rows, count=1 if operator.name == "first" else -1), shown), keys=shown)


def _neighbours(parts: Parts, source: Relation, _rows: Relation, _names: Names) -> Iterator[Composed]:
    operator = parts.operator
    if operator is None or len(parts.conditions) != 1 or len(parts.conditions[0].values) != 1:
        return
    test = parts.conditions[0]
    offset = 1 if operator.name == "next" else -1
    row = Procedure(
        source=source, name="neighbour", columns=(test.column,), options={"value": test.values[0], "offset": offset}
    )
    shown = tuple(part.column for part in parts.projections)
    yield Composed(relation=only(row, shown), keys=shown)


def _related(parts: Parts, _source: Relation, rows: Relation, _names: Names) -> Iterator[Composed]:
    columns = tuple(part.column for part in parts.projections)
    related = Procedure(source=rows, name="correlation", columns=columns, options={"method": "pearson"})
    shown = (Named(name="correlation", of=Col(name="correlation")),)
    yield Composed(relation=Project(source=related, columns=shown), measures=("correlation",))


def _joined(parts: Parts, source: Relation, rows: Relation, _names: Names) -> Iterator[Composed]:
    key = joined_on(source)
    if key is not None and parts.operator is not None and parts.operator.option in {"", key}:
        yield from _whole(parts, rows)


def _looked(parts: Parts, _source: Relation, rows: Relation, names: Names) -> Iterator[Composed]:
    yield from looked(parts, parts.operator, rows, names.count()) if parts.operator is not None else ()


def _both_extremes(parts: Parts, _source: Relation, rows: Relation, _names: Names) -> Iterator[Composed]:
    if parts.inner is not None and parts.order is not None:
        yield from both_ends(parts, parts.inner, parts.order, rows)


def _of_first(parts: Parts, _source: Relation, rows: Relation, names: Names) -> Iterator[Composed]:
    yield from of_first(parts, parts.measure, rows, names) if parts.measure is not None else ()


def _than_row(parts: Parts, source: Relation, _rows: Relation, names: Names) -> Iterator[Composed]:
    yield from than_row(parts, source, names)


def _streak(parts: Parts, source: Relation, _rows: Relation, _names: Names) -> Iterator[Composed]:
    yield from streak(parts, source)


def _alike(parts: Parts, source: Relation, _rows: Relation, _names: Names) -> Iterator[Composed]:
    yield from alike(parts, source)


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
        rows = Sort(source=rows, keys=((parts.list_order, order.descending),))
    yield Composed(relation=only(rows, shown), keys=shown)
    yield Composed(relation=_distinct(_filled(parts, rows), shown), keys=shown, form="distinct")


def _filled(parts: Parts, rows: Relation) -> Relation:
    """Return the rows in which the one column that is listed has a value: a gap is no kind of it."""
    gaps = [part for part in parts.projections if part.gaps]
    if len(parts.projections) > 1 or not gaps:
        return rows
    return Filter(source=rows, where=Not(of=Missing(of=Col(name=gaps[0].column))))


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
    yield Composed(relation=only(top, shown), keys=shown)
    yield Composed(relation=_distinct(top, shown), keys=shown, form="distinct")
    columns = (*within, *shown)
    if within:
        yield Composed(relation=only(top, columns), keys=columns, form="keys")
    if by not in columns:
        yield Composed(relation=only(top, (*columns, by)), keys=columns, measures=(by,), form="with")


_OTHERS: dict[str, Composer] = {
    "values": _twofold, "several": _twofold, "difference": against, "change": against, "verdict": against,
    "related": _related, "never": _never, "joined": _joined, "position": _placed, "neighbour": _neighbours,
    "look": _looked, "extreme_opposites": _both_extremes, "of_first": _of_first, "of_head": _of_first,
    "alike": _alike, "than_row": _than_row, "than_row_count": _than_row, "streak": _streak, "rising": _streak,
    "verdict_yes": against, "against_each": against_each, "against_most": against_most, "against_more": against_more,
}  # fmt: skip
"""What is made of other parts, by the kind of answer; what is not here lists rows."""
