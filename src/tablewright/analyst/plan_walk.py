"""What stands anywhere in a plan: its nodes, its strings, the data sets it reads and the columns it names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from tablewright.analyst.plan import Plan, Source


def nodes(tree: Any) -> Iterator[Any]:
    """Yield every dataclass within `tree`, starting with itself."""
    if is_dataclass(tree) and not isinstance(tree, type):
        yield tree
        for field in fields(tree):
            yield from nodes(getattr(tree, field.name))
    elif isinstance(tree, tuple):
        for item in tree:
            yield from nodes(item)


def texts(tree: Any) -> Iterator[str]:
    """Yield every string within `tree`."""
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, tuple):
        for item in tree:
            yield from texts(item)
    elif is_dataclass(tree) and not isinstance(tree, type):
        for field in fields(tree):
            yield from texts(getattr(tree, field.name))


def sources(plan: Plan) -> tuple[str, ...]:
    """Return the ids of the data sets that the plan reads, in order and without repeats."""
    return tuple(dict.fromkeys(node.dataset_id for node in nodes(plan) if isinstance(node, Source)))


def named(plan: Plan) -> frozenset[str]:
    """Return every string in the plan, and so every column name it uses."""
    return frozenset(texts(plan))
