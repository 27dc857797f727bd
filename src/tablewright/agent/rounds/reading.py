"""Reads a plan that a model wrote: all of it, or nothing.

A plan may stand alone, in a fence or within prose, contain trailing commas and comments, and name its fields in
snake_case or camelCase. A plan that was cut off counts only if none of its steps can be missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tablewright.agent.rounds.scanning import Scanned, loaded, loaded_partly, values
from tablewright.domain.naming import storable
from tablewright.domain.rounds import PlanStep

STEPS = 100
DESCRIPTION_CHARS = 500
_FIELDS = {
    "executionplan": "steps",
    "steps": "steps",
    "plan": "steps",
    "error": "error",
    "completed": "completed",
    "needinfo": "need_info",
    "message": "message",
    "isconversational": "conversational",
    "response": "response",
    "coversrequest": "covers_request",
}
_STEP_FIELDS = {
    "step": "step",
    "function": "function",
    "functionname": "function",
    "parameters": "parameters",
    "params": "parameters",
    "arguments": "parameters",
    "description": "description",
    "retries": "retries",
}
_WORDS = frozenset({"message", "response"})
"""Text fields: a plan counts as complete even if it was cut off within one of these."""


class Unreadable(Exception):
    """The text contains no plan. `problem` is a code of the message catalogue, `params` its parameters."""

    def __init__(self, problem: str, **params: str | int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.params = params


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenPlan:
    """A plan as written; it has not been checked against operations or a workbook."""

    steps: tuple[PlanStep, ...] = ()
    error: str = ""
    completed: bool = False
    need_info: bool = False
    message: str = ""
    conversational: bool = False
    response: str = ""
    covers_request: bool = True


def read_plan(text: str) -> WrittenPlan:
    """Return the plan in `text`. Raises `Unreadable` if there is none."""
    problem = Unreadable("rounds.no_json")
    for candidate in values(storable(text)):
        value = _rest(candidate) if candidate.state == "cut" else loaded(candidate.text)
        if isinstance(value, list) and value and all(_is_step(item) for item in value):
            value = {"steps": value}
        if isinstance(value, dict) and _named(value, _FIELDS):
            return plan_of(value)
        if candidate.state == "cut":
            problem = Unreadable("rounds.cut_off")
        elif value is None and problem.problem == "rounds.no_json":
            problem = Unreadable("rounds.bad_json")
    raise problem


def plan_of(value: Mapping[str, Any]) -> WrittenPlan:
    """Return the plan that a JSON object represents. Raises `Unreadable` if one of its steps is not a step."""
    given = _named(value, _FIELDS)
    return WrittenPlan(
        steps=steps_of(given.get("steps")),
        error=_words(given.get("error")),
        completed=_flag(given.get("completed"), default=False),
        need_info=_flag(given.get("need_info"), default=False),
        message=_words(given.get("message")),
        conversational=_flag(given.get("conversational"), default=False),
        response=_words(given.get("response")),
        covers_request=_flag(given.get("covers_request"), default=True),
    )


def steps_of(value: Any) -> tuple[PlanStep, ...]:
    """Return the steps in order, with their own numbers if these ascend from at least 1, otherwise numbered from 1."""
    if isinstance(value, Mapping):
        value = _named(value, _FIELDS).get("steps", [value])
    if value is None:
        return ()
    if not isinstance(value, list | tuple) or len(value) > STEPS:
        raise Unreadable("rounds.steps_not_list", most=STEPS)
    steps = [_step(item, number) for number, item in enumerate(value, 1)]
    numbers = [step.step for step in steps]
    if numbers != sorted(set(numbers)) or (numbers and numbers[0] < 1):
        steps = [_step({**item, "step": number}, number) for number, item in enumerate(value, 1)]
    return tuple(steps)


def _rest(cut: Scanned) -> Any:
    """Return the value of an object that was cut off right after its steps or within a text field, otherwise None."""
    after_steps = cut.text.rstrip().endswith("]") and not cut.in_string
    in_words = cut.in_string and cut.key is not None and _key(cut.key) in _WORDS
    if cut.open != "{" or not (after_steps or in_words):
        return None
    value = loaded_partly(cut.text)
    return value if isinstance(value, dict) and _named(value, _FIELDS).get("steps") else None


def _step(value: Any, number: int) -> PlanStep:
    if not _is_step(value):
        raise Unreadable("rounds.step_without_function", step=number)
    given = _named(value, _STEP_FIELDS)
    parameters = given.get("parameters")
    if parameters is not None and not isinstance(parameters, Mapping):
        raise Unreadable("rounds.step_parameters", step=number)
    return PlanStep(
        step=_number(given.get("step")) or number,
        function=given["function"].strip(),
        parameters=_clean(dict(parameters or {})),
        description=_words(given.get("description"))[:DESCRIPTION_CHARS],
        retries=_number(given.get("retries")),
    )


def _is_step(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    function = _named(value, _STEP_FIELDS).get("function")
    return isinstance(function, str) and 0 < len(function.strip()) <= 100


def _named(value: Mapping[Any, Any], fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the known fields under their canonical names; of synonyms, the first one wins."""
    named: dict[str, Any] = {}
    for key, content in value.items():
        if (name := fields.get(_key(key))) is not None:
            named.setdefault(name, content)
    return named


def _key(key: object) -> str:
    return str(key).replace("_", "").lower()


def _flag(value: Any, *, default: bool) -> bool:
    if isinstance(value, str):
        return value.strip().lower() == "true" if value.strip() else default
    return default if value is None else bool(value)


def _words(value: Any) -> str:
    return storable(value).strip() if isinstance(value, str) else ""


def _number(value: Any) -> int | None:
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value) if len(value) < 10 else None
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**9 else None


def _clean(value: Any) -> Any:
    """Make the strings within parameters storable."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {storable(str(key)): _clean(item) for key, item in value.items()}
    return [_clean(item) for item in value] if isinstance(value, list | tuple) else value
