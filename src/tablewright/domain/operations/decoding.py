"""From a step as it was written to a typed operation, or to what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError

from tablewright.domain.codec import from_python
from tablewright.domain.notice import Notice
from tablewright.domain.operations import AnyOperation, operations
from tablewright.domain.operations.aliases import ALIASES, translated
from tablewright.errors import Parameter
from tablewright.texts.validation import problem

PROBLEMS = 5
"""At most this many faults of one step are reported."""


class StepUnfit(Exception):
    """A step names no operation, or parameters that it does not take; `problems` say which."""

    def __init__(self, problems: tuple[Notice, ...]) -> None:
        super().__init__(", ".join(notice.code for notice in problems))
        self.problems = problems


def decoded(function: str, parameters: Mapping[str, Any]) -> AnyOperation:
    """Return the operation that a step names, by its own name or an alias; `StepUnfit` says what does not fit."""
    name, given = translated(function, parameters)
    if name not in operations():
        raise StepUnfit((_unknown(function),))
    try:
        return from_python(AnyOperation, {**given, "function": name})
    except ValidationError as error:
        raise StepUnfit(_unfit(name, error)) from error


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
