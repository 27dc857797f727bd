"""Quotients defined by a question, over several rows: the sums are divided, rather than each row's values."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from tablewright.analyst.plan import Aggregate, Col, Derive, Expr, Math, Measure, Named, Part, Project
from tablewright.analyst.plan_walk import nodes
from tablewright.analyst.reading.additivity import aggregate_for
from tablewright.analyst.reading.parse import Parse

_AVERAGE = re.compile(r"平均|均值|\b(?:average|mean)\b")
_OF_ALL = ("mean", "sum")
T = TypeVar("T")


def of_sums(part: Part, made: Named, parse: Parse) -> Part:
    """Return the part with every mean or sum of the quotient `made` computed from sums, unless the question asks for
    an average."""
    if not is_quotient(made.of) or _AVERAGE.search(parse.question.lower()):
        return part
    columns = {node.name for node in nodes(made.of) if isinstance(node, Col)}
    if any(aggregate_for(parse.facts(column)) != "sum" for column in columns):
        return part
    divided = _mapped(part, made)
    return (
        divided if divided == part else _called(divided, {f"{function}_{made.name}": made.name for function in _OF_ALL})
    )


def _called(node: T, names: dict[str, str]) -> T:
    """Return the tree with its columns renamed."""
    if isinstance(node, str):
        return names.get(node, node)  # type: ignore[return-value]
    if isinstance(node, tuple):
        return tuple(_called(one, names) for one in node)  # type: ignore[return-value]
    if not is_dataclass(node) or isinstance(node, type):
        return node
    return replace(node, **{field.name: _called(getattr(node, field.name), names) for field in fields(node)})


def is_quotient(of: Expr) -> bool:
    """Return whether an expression divides columns."""
    return isinstance(of, Math) and "/" in _signs(of)


def _signs(of: Expr) -> set[str]:
    return {node.op for node in nodes(of) if isinstance(node, Math)}


def _mapped(node: T, made: Named) -> T:
    """Return the tree with aggregates of the quotient replaced by quotients of aggregates."""
    if isinstance(node, tuple):
        return tuple(_mapped(one, made) for one in node)  # type: ignore[return-value]
    if not is_dataclass(node) or isinstance(node, type):
        return node
    changed: Any = replace(
        node, **{field.name: _mapped(getattr(node, field.name), made) for field in fields(node) if field.init}
    )
    return _divided(changed, made) if isinstance(changed, Aggregate) else changed  # type: ignore[return-value]


def _divided(aggregate: Aggregate, made: Named) -> Aggregate | Project:
    of = next((measure for measure in aggregate.measures if measure.of == Col(name=made.name)), None)
    if of is None or of.function not in _OF_ALL or of.where is not None:
        return aggregate
    columns = sorted({node.name for node in nodes(made.of) if isinstance(node, Col)})
    sums = {column: Measure(name=f"sum_{column}", function="sum", of=Col(name=column)) for column in columns}
    others = [measure for measure in aggregate.measures if measure is not of]
    fresh = [measure for measure in sums.values() if measure.name not in {other.name for other in others}]
    summed = replace(aggregate, measures=(*others, *fresh))
    told = Derive(source=summed, columns=(Named(name=of.name, of=_renamed(made.of, sums)),))
    kept = [*(group.name for group in aggregate.groups), *(measure.name for measure in aggregate.measures)]
    return Project(source=told, columns=tuple(Named(name=name, of=Col(name=name)) for name in kept))


def _renamed(of: Expr, sums: dict[str, Measure]) -> Expr:
    if isinstance(of, Col):
        return Col(name=sums[of.name].name)
    if isinstance(of, Math):
        return replace(of, left=_renamed(of.left, sums), right=_renamed(of.right, sums))
    return of
