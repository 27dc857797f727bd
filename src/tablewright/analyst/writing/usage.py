"""Which columns a plan computes with: only these are loaded as numbers or dates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tablewright.analyst.plan import (
    Between,
    Bucket,
    Col,
    Compare,
    Cut,
    Drawing,
    Expr,
    Fill,
    Func,
    Lit,
    Math,
    Measure,
    Missing,
    Named,
    OneOf,
    Plan,
    Procedure,
    Share,
    Shift,
    Sort,
    Statistic,
    Top,
)
from tablewright.analyst.plan_walk import nodes, texts
from tablewright.analyst.writing.statistics import COUNTING


def computed(plan: Plan) -> frozenset[str]:
    """Return the names of columns that are compared as numbers or dates, tested for a missing value, sorted by, or
    computed with, whatever a step before calls them."""
    found: set[str] = set()
    renamed: list[tuple[str, str]] = []
    for node in nodes(plan):
        found.update(_computed(node))
        if isinstance(node, Named) and isinstance(node.of, Col):
            renamed.append((node.name, node.of.name))
    while more := {old for new, old in renamed if new in found} - found:
        found |= more
    return frozenset(found)


def everything(plan: Plan) -> bool:
    """Return whether a procedure of the plan works on all numeric columns."""
    return any(isinstance(node, Procedure) and len(node.columns) < 2 for node in nodes(plan))


def _computed(node: Any) -> Iterator[str]:
    match node:
        case Math() | Func() | Cut() | Statistic() | Bucket():
            yield from texts(node)
        case Missing():
            yield from texts(node.of)
        case Compare() | Between() | OneOf():
            yield from _compared(node)
        case Sort() | Top() | Share() | Shift() | Fill():
            yield from _arranged(node)
        case Measure() if node.function not in COUNTING | {"missing_percent", "first", "last"}:
            yield from texts(node.of)
        case Procedure():
            yield from node.columns
        case Drawing():
            yield from (node.x, node.y) if node.kind in {"scatter", "grouping scatter", "histogram"} else (node.y,)
        case _:
            return


def _compared(node: Compare | Between | OneOf) -> Iterator[str]:
    if isinstance(node, Compare):
        if not any(_worded(side) for side in (node.left, node.right)):
            yield from texts((node.left, node.right))
    elif isinstance(node, Between) or not all(isinstance(value, str) for value in node.values):
        yield from texts(node.of)


def _arranged(node: Sort | Top | Share | Shift | Fill) -> Iterator[str]:
    match node:
        case Sort():
            yield from (key for key, _ in node.keys)
        case Top():
            yield node.by
        case _:
            yield node.column


def _worded(side: Expr) -> bool:
    """Return whether a side of a comparison is text that is neither a number nor a date."""
    return (
        isinstance(side, Lit)
        and isinstance(side.value, str)
        and not side.value.replace(",", "").replace(".", "").replace("-", "").replace(":", "").isdigit()
    )
