"""Plans as JSON-compatible builtins and back: each node is an object with its `node` and its fields."""

from __future__ import annotations

import types
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from tablewright.analyst import plan as nodes
from tablewright.analyst import plan_values
from tablewright.analyst.plan import Plan

NODE = "node"
_NODES: dict[str, type] = {
    name: kind
    for module in (plan_values, nodes)
    for name, kind in vars(module).items()
    if isinstance(kind, type) and is_dataclass(kind)
}


class NotAPlan(ValueError):
    """The data is no plan; the message says where and why."""


def plan_to_python(plan: Plan) -> dict[str, Any]:
    """Return a plan as JSON-compatible builtins."""
    found: dict[str, Any] = _encoded(plan)
    return found


def plan_from_python(data: Any) -> Plan:
    """Return the plan that `plan_to_python` gave as `data`. Raises `NotAPlan` for anything else."""
    found = _node(data, (Plan,), "plan")
    assert isinstance(found, Plan)
    return found


def _encoded(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        held = {field.name: _encoded(getattr(value, field.name)) for field in fields(value)}
        return {NODE: type(value).__name__, **held}
    if isinstance(value, tuple):
        return [_encoded(item) for item in value]
    if isinstance(value, dict):
        return {name: _encoded(item) for name, item in value.items()}
    return value


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _node(data: Any, kinds: tuple[type, ...], place: str) -> Any:
    kind = _NODES.get(data.get(NODE, "")) if isinstance(data, dict) else None
    if kind is None or kind not in kinds:
        raise NotAPlan(f"{place}: no {' or '.join(one.__name__ for one in kinds)}")
    known = {field.name: field for field in fields(kind)}
    if unknown := data.keys() - known.keys() - {NODE}:
        raise NotAPlan(f"{place}: {kind.__name__} has no {', '.join(sorted(unknown))}")
    hints, given = _hints(kind), {}
    for name, field in known.items():
        if name in data:
            given[name] = _decoded(hints[name], data[name], f"{place}.{name}")
        elif field.default is MISSING and field.default_factory is MISSING:
            raise NotAPlan(f"{place}: {kind.__name__} needs {name}")
    return kind(**given)


def _decoded(hint: Any, data: Any, place: str) -> Any:
    origin = get_origin(hint)
    if origin in {Union, types.UnionType}:
        return _one_of(get_args(hint), data, place)
    if origin is Literal:
        return _fitting(data, data in get_args(hint), place)
    if origin is tuple:
        return _items(get_args(hint), data, place)
    if origin is dict:
        _fitting(data, isinstance(data, dict), place)
        return {str(name): _decoded(get_args(hint)[1], item, f"{place}.{name}") for name, item in data.items()}
    if is_dataclass(hint):
        return _node(data, (hint,), place)  # type: ignore[arg-type]
    return _plain(hint, data, place)


def _one_of(hints: tuple[Any, ...], data: Any, place: str) -> Any:
    if isinstance(data, dict):
        return _node(data, tuple(hint for hint in hints if is_dataclass(hint)), place)  # type: ignore[misc]
    fits = next((hint for hint in hints if not is_dataclass(hint) and _is(hint, data)), None)
    _fitting(data, fits is not None, place)
    return _decoded(fits, data, place)


def _is(hint: Any, data: Any) -> bool:
    if get_origin(hint) is tuple:
        return isinstance(data, list)
    if get_origin(hint) is Literal:
        return data in get_args(hint)
    if hint is float:
        return type(data) in {float, int}
    return data is None if hint in {None, type(None)} else type(data) is hint


def _plain(hint: Any, data: Any, place: str) -> Any:
    return _fitting(data, _is(hint, data), place)


def _items(hints: tuple[Any, ...], data: Any, place: str) -> tuple[Any, ...]:
    _fitting(data, isinstance(data, list), place)
    if len(hints) == 2 and hints[1] is Ellipsis:
        return tuple(_decoded(hints[0], item, f"{place}[{number}]") for number, item in enumerate(data))
    _fitting(data, len(data) == len(hints), place)
    pairs = enumerate(zip(hints, data, strict=True))
    return tuple(_decoded(hint, item, f"{place}[{number}]") for number, (hint, item) in pairs)


def _fitting(data: Any, fits: bool, place: str) -> Any:  # noqa: FBT001
    if not fits:
        raise NotAPlan(f"{place}: {type(data).__name__} does not fit")
    return data
