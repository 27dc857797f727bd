"""From a step as it was written to a typed operation, or to what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError

from tablewright.domain.codec import from_python, to_python
from tablewright.domain.notice import Notice
from tablewright.domain.operations import AnyOperation, operations
from tablewright.domain.operations.aliases import ALIASES, translated
from tablewright.errors import Parameter
from tablewright.texts.validation import problem

PROBLEMS = 5
"""At most this many faults of one step are reported."""


def decode(function: str, parameters: Mapping[str, Any]) -> tuple[AnyOperation | None, tuple[Notice, ...]]:
    """Return the operation that a step names, by its own name or an alias; or None, and what does not fit."""
    name, given = translated(function, parameters)
    if name not in operations():
        return None, (_unknown(function),)
    try:
        return from_python(AnyOperation, {**given, "function": name}), ()
    except ValidationError as error:
        return None, _unfit(name, error)


def parameters_of(operation: AnyOperation) -> dict[str, Any]:
    """Return all parameters of an operation, those that its step left out with what is taken for granted."""
    whole: dict[str, Any] = to_python(AnyOperation, operation)
    del whole["function"]
    return whole


def _unknown(function: str) -> Notice:
    near = get_close_matches(function, [*operations(), *ALIASES], n=1, cutoff=0.75)
    if near:
        return Notice(code="operation_unknown_near", params={"function": function, "near": near[0]}, field="function")
    return Notice(code="operation_unknown", params={"function": function}, field="function")


def _unfit(function: str, error: ValidationError) -> tuple[Notice, ...]:
    """One notice per parameter: a value that fits no member of a union is one fault."""
    found: dict[str, Notice] = {}
    for fault in error.errors(include_url=False, include_input=False):
        place = [str(part) for part in fault["loc"] if part != function]
        name = place[0] if place else "parameters"
        if name not in found:
            found[name] = _fault(fault["type"], name, ".".join(place), fault.get("ctx") or {})
    return tuple(found.values())[:PROBLEMS]


def _fault(kind: str, field: str, path: str, context: Mapping[str, Any]) -> Notice:
    params: dict[str, Parameter] = {"name": path or field}
    if kind == "missing":
        return Notice(code="parameter_missing", params=params, field=field)
    if kind in {"extra_forbidden", "unexpected_keyword_argument"}:
        return Notice(code="parameter_unknown", params=params, field=field)
    return Notice(code="parameter_unfit", params={**params, **problem(kind, context)}, field=field)
