"""Plans as JSON-compatible data and back: what was offered to a person is carried out as it was offered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, get_args

from tablewright.analyst import plan as plans
from tablewright.analyst.plan import Condition, Expr, Plan, Relation

KIND = "is"
"""The key under which a node's class stands."""


def to_data(plan: Plan) -> dict[str, Any]:
    """Return a plan as objects, lists, text, numbers, booleans and null."""
    data: dict[str, Any] = _data(plan)
    return data


def from_data(data: object) -> Plan | None:
    """Return the plan that `to_data` was given, or None if the data is no plan."""
    try:
        plan = _node(data)
    except (TypeError, KeyError, ValueError):
        return None
    return plan if isinstance(plan, Plan) else None


def _data(tree: Any) -> Any:
    if is_dataclass(tree) and not isinstance(tree, type):
        return {KIND: type(tree).__name__, **{each.name: _data(getattr(tree, each.name)) for each in fields(tree)}}
    if isinstance(tree, tuple):
        return [_data(item) for item in tree]
    return dict(tree) if isinstance(tree, Mapping) else tree


def _node(data: object) -> Any:
    if isinstance(data, list | tuple):
        return tuple(_node(item) for item in data)
    if not isinstance(data, Mapping):
        return data
    if KIND not in data:
        return dict(data)
    return _kinds()[data[KIND]](**{name: _node(value) for name, value in data.items() if name != KIND})


@cache
def _kinds() -> dict[str, Any]:
    others = (plans.Plan, plans.Part, plans.Tag, plans.Drawing, plans.Named, plans.Measure)
    return {kind.__name__: kind for kind in (*others, *get_args(Relation), *get_args(Expr), *get_args(Condition))}
