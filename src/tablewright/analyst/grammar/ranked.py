"""Rankings of groups, what the first of them have together, and the greatest steps from one to the next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from tablewright.analyst.grammar.aggregating import aggregated
from tablewright.analyst.grammar.composed import Composed, Parts, only
from tablewright.analyst.grammar.naming import Names
from tablewright.analyst.grammar.semantics import MeasurePart, OperatorPart, OrderPart
from tablewright.analyst.plan import Aggregate, Col, Measure, Position, Relation, Shift, Sort, Top


def best(whole: Composed, order: OrderPart) -> Iterator[Composed]:
    """Yield the first groups, with and without their values, and what several of them have together."""
    value, labels = whole.measures[0], whole.keys
    top = Top(source=whole.relation, by=value, count=order.count or 1, descending=order.descending, offset=order.offset)
    yield Composed(relation=top, keys=labels, measures=(value,))
    yield Composed(relation=only(top, labels), keys=labels, form="short")
    if top.count > 1 and not top.offset:
        together = Measure(name=value, function="sum", of=Col(name=value))
        yield Composed(
            relation=Aggregate(source=top, groups=(), measures=(together,)), measures=(value,), form="together"
        )


def best_each(whole: Composed, order: OrderPart) -> Iterator[Composed]:
    """Yield the best of one key within each value of the other, either way round."""
    value, labels = whole.measures[0], whole.keys
    for within, form in ((labels[0], "whole"), (labels[1], "turned")):
        top = Top(
            source=whole.relation, by=value, count=order.count or 1, descending=order.descending,
            offset=order.offset, within=(within,),
        )  # fmt: skip
        yield Composed(relation=top, keys=labels, measures=(value,), form=form)
        yield Composed(relation=only(top, labels), keys=labels, form=f"{form}_short")


def of_first(parts: Parts, measure: MeasurePart, rows: Relation, names: Names) -> Iterator[Composed]:
    """Yield a measure of the first rows, by a column or as they stand."""
    order, operator = parts.order, parts.operator
    first: Relation
    if order is not None and order.by is not None:
        first = Top(source=rows, by=order.by, count=order.count or 1, descending=order.descending, offset=order.offset)
    elif operator is not None and operator.name in {"head", "tail"}:
        count = int(operator.option)
        first = Position(source=rows, count=count if operator.name == "head" else -count)
    else:
        return
    table, value = aggregated(first, (), measure, names)
    yield Composed(relation=table, measures=(value,))


def stepped(whole: Composed, operator: OperatorPart) -> Composed:
    """Return the change from each group to the next, or what has added up."""
    value = whole.measures[0]
    how: Literal["growth", "cumulative"] = "growth" if operator.name == "growth" else "cumulative"
    name = f"{value} {operator.name}"
    ordered = Sort(source=whole.relation, keys=((whole.keys[0], False),))
    shift = Shift(source=ordered, column=value, name=name, how=how)
    return Composed(relation=only(shift, (*whole.keys, name)), keys=whole.keys, measures=(name,))


def greatest_step(whole: Composed, operator: OperatorPart, order: OrderPart) -> Iterator[Composed]:
    """Yield the group of which the change from the one before is the greatest."""
    value, labels = whole.measures[0], whole.keys
    name = f"{value} {operator.name}"
    ordered = Sort(source=whole.relation, keys=((labels[0], False),))
    falls = (operator.option == "down") == order.descending
    ways: tuple[tuple[Literal["difference", "growth"], str], ...] = (("difference", "whole"), ("growth", "relative"))
    for how, form in ways:
        shift = Shift(source=ordered, column=value, name=name, how=how)
        top = Top(source=shift, by=name, count=order.count or 1, descending=not falls, offset=order.offset)
        yield Composed(relation=only(top, labels), keys=labels, form=form)
