"""Finds the plan in what a model wrote: all of it, or nothing.

A plan may stand alone, in a fence or within prose, contain trailing commas and comments, and name its fields in
snake_case or camelCase. A plan that was cut off counts only if none of its steps can be missing.
"""

from __future__ import annotations

from typing import Any

from tablewright.agent.rounds.json_scanner import JsonSpan, json_spans, load_json, load_partial_json
from tablewright.domain.naming import storable
from tablewright.domain.rounds.written_plan import (
    PLAN_FIELDS,
    Unreadable,
    WrittenPlan,
    field_key,
    is_step,
    named_fields,
    plan_of,
)

_WORDS = frozenset({"message", "response"})
"""Text fields: a plan counts as complete even if it was cut off within one of these."""


def read_plan(text: str) -> WrittenPlan:
    """Return the plan in `text`. Raises `Unreadable` if there is none."""
    problem = Unreadable("rounds.no_json")
    for candidate in json_spans(storable(text)):
        value = _rest(candidate) if candidate.state == "cut" else load_json(candidate.text)
        if isinstance(value, list) and value and all(is_step(item) for item in value):
            value = {"steps": value}
        if isinstance(value, dict) and named_fields(value, PLAN_FIELDS):
            return plan_of(value)
        if candidate.state == "cut":
            problem = Unreadable("rounds.cut_off")
        elif value is None and problem.problem == "rounds.no_json":
            problem = Unreadable("rounds.bad_json")
    raise problem


def _rest(cut: JsonSpan) -> Any:
    """Return the value of an object that was cut off right after its steps or within a text field, otherwise None."""
    after_steps = cut.text.rstrip().endswith("]") and not cut.in_string
    in_words = cut.in_string and cut.key is not None and field_key(cut.key) in _WORDS
    if cut.open != "{" or not (after_steps or in_words):
        return None
    value = load_partial_json(cut.text)
    return value if isinstance(value, dict) and named_fields(value, PLAN_FIELDS).get("steps") else None
