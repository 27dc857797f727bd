"""Plans as written by a model, a person or a file: read from JSON values, all of it or nothing. Not checked yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tablewright.domain.naming import storable
from tablewright.domain.rounds.plan import PlanStep

STEPS = 100
DESCRIPTION_CHARS = 500
PLAN_FIELDS = {
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


def plan_of(value: Mapping[str, Any]) -> WrittenPlan:
    """Return the plan that a JSON object represents. Raises `Unreadable` if one of its steps is not a step."""
    given = named_fields(value, PLAN_FIELDS)
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


def canonical(value: Any) -> Any:
    """Return a plan, or the list of its steps, as an object with `steps` in which all fields have their own names, and
    steps their numbers. Whatever is not a plan stays as it is: who takes it says what is wrong with it."""
    if isinstance(value, list):
        value = {"steps": value}
    if not isinstance(value, Mapping):
        return value
    kept = {key: content for key, content in value.items() if PLAN_FIELDS.get(field_key(key)) != "steps"}
    given = named_fields(value, PLAN_FIELDS)
    if isinstance(steps := given.get("steps"), list):
        kept["steps"] = [_canonical_step(step, number) for number, step in enumerate(steps, 1)]
    elif "steps" in given:
        kept["steps"] = steps
    return kept


def _canonical_step(value: Any, number: int) -> Any:
    if not isinstance(value, Mapping):
        return value
    kept = {key: content for key, content in value.items() if field_key(key) not in _STEP_FIELDS}
    return (
        {"step": number}
        | kept
        | {name: one for name, one in named_fields(value, _STEP_FIELDS).items() if one is not None}
    )


def steps_of(value: Any) -> tuple[PlanStep, ...]:
    """Return the steps in order, with their own numbers if these ascend from at least 1, otherwise numbered from 1."""
    if isinstance(value, Mapping):
        value = named_fields(value, PLAN_FIELDS).get("steps", [value])
    if value is None:
        return ()
    if not isinstance(value, list | tuple) or len(value) > STEPS:
        raise Unreadable("rounds.steps_not_list", most=STEPS)
    steps = [_step(item, number) for number, item in enumerate(value, 1)]
    numbers = [step.step for step in steps]
    if numbers != sorted(set(numbers)) or (numbers and numbers[0] < 1):
        steps = [_step({**item, "step": number}, number) for number, item in enumerate(value, 1)]
    return tuple(steps)


def _step(value: Any, number: int) -> PlanStep:
    if not is_step(value):
        raise Unreadable("rounds.step_without_function", step=number)
    given = named_fields(value, _STEP_FIELDS)
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


def is_step(value: Any) -> bool:
    """Return whether a JSON value is a step: an object that names its function."""
    if not isinstance(value, Mapping):
        return False
    function = named_fields(value, _STEP_FIELDS).get("function")
    return isinstance(function, str) and 0 < len(function.strip()) <= 100


def named_fields(value: Mapping[Any, Any], fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the known fields under their canonical names; of synonyms, the first one wins."""
    named: dict[str, Any] = {}
    for key, content in value.items():
        if (name := fields.get(field_key(key))) is not None:
            named.setdefault(name, content)
    return named


def field_key(key: object) -> str:
    """Return a field's name as it is compared: without underscores, in lower case."""
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
