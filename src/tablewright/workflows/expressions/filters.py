"""The filters and tests of expressions: those of Jinja2 whose results are no larger than what they are given, and our
own in place of others."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, cast

from jinja2 import filters, tests

from tablewright.workflows.expressions.budget import WEIGHT, OverBudget, weight

_FILTERS = (
    "abs", "capitalize", "count", "d", "default", "dictsort", "first", "float", "int", "items", "last", "length",
    "list", "lower", "max", "min", "reject", "rejectattr", "reverse", "round", "select", "selectattr", "sort", "sum",
    "title", "trim", "truncate", "unique", "upper",
)  # fmt: skip
_TESTS = (
    "boolean", "defined", "divisibleby", "eq", "even", "false", "float", "ge", "gt", "in", "integer", "le", "lower",
    "lt", "mapping", "ne", "none", "number", "odd", "sequence", "string", "true", "undefined", "upper",
    "==", "!=", "<", "<=", ">", ">=",
)  # fmt: skip


def as_text(value: object) -> str:
    """Return a value as people read it: texts as they are, nothing for none, lists and objects as JSON."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else as_json(value)


def as_json(value: object) -> str:
    """Return a value as JSON."""
    weight(value)
    return json.dumps(value, ensure_ascii=False, default=_plain)


def joined(value: Iterable[object], d: str = "", attribute: str | None = None) -> str:
    """Return the items of a list, or one attribute of each, with `d` between them."""
    texts = [as_text(each if attribute is None else _attribute(each, attribute)) for each in islice(value, WEIGHT)]
    if sum(map(len, texts)) + len(d) * len(texts) > WEIGHT:
        raise OverBudget("weight")
    return d.join(texts)


def replaced(value: object, old: str, new: str) -> str:
    """Return a text with `new` wherever it has `old`."""
    text = as_text(value)
    if len(text) + text.count(old) * len(new) > WEIGHT:
        raise OverBudget("weight")
    return text.replace(old, new)


def mapped(value: Iterable[object], attribute: str, default: object = None) -> list[object]:
    """Return one attribute of each item of a list."""
    return [_attribute(each, attribute, default) for each in islice(value, WEIGHT)]


def _attribute(value: object, name: str, default: object = None) -> object:
    return value.get(name, default) if isinstance(value, Mapping) else default


def _plain(value: object) -> object:
    if isinstance(value, Iterable):
        return list(islice(value, WEIGHT))
    raise TypeError(type(value).__name__)


FILTERS: Mapping[str, Callable[..., Any]] = {
    **{name: cast(Callable[..., Any], filters.FILTERS[name]) for name in _FILTERS},
    "string": as_text,
    "tojson": as_json,
    "join": joined,
    "replace": replaced,
    "map": mapped,
}
TESTS: Mapping[str, Callable[..., Any]] = {name: cast(Callable[..., Any], tests.TESTS[name]) for name in _TESTS}
