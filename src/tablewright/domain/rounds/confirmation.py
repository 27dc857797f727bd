"""A plan as confirmed by the person: unchanged, or with their edits, which are checked first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tablewright.domain.notice import Notice
from tablewright.domain.rounds.plan import OperationPlan, PlanStep
from tablewright.domain.rounds.written_plan import Unreadable, plan_of
from tablewright.domain.run import RequestAnswer
from tablewright.errors import InvalidInput, PlanInvalid

SUBJECT = "operation_plan"
"""`subject_kind` of a request to confirm a plan."""
COLUMN_UNKNOWN = frozenset({"column_unknown", "column_unknown_near"})
"""Problems of a step that names a column its sheet does not have."""
BASE_VERSION = "base_version"
"""The key in an answer's `values` for the version that the person has seen, if it differs from the plan's base version.

The person's own edits since then are no reason to plan again.
"""


def check_confirmation(subject_kind: str | None, answer: RequestAnswer) -> None:
    """Raise for an edited plan that cannot be executed as it stands: `PlanInvalid` with `step`, `function` and
    `problem`, or `InvalidInput` if it is not a plan at all."""
    if subject_kind != SUBJECT or answer.decision != "approve" or answer.plan is None:
        return
    for step in edited_steps(answer.plan):
        check_step(step)


def check_step(step: PlanStep) -> None:
    """Raise `PlanInvalid` unless the step is a known operation with valid parameters."""
    if step.operation is None:
        raise plan_invalid(step, step.problems[0])


def check_columns(steps: Sequence[PlanStep], problems: Sequence[Sequence[Notice]]) -> None:
    """Raise `PlanInvalid` if a step names a column that its sheet does not have when its turn comes, by the `problems`
    that are known of each step."""
    for step, known in zip(steps, problems, strict=True):
        for notice in known:
            if notice.code in COLUMN_UNKNOWN:
                raise plan_invalid(step, notice)


def plan_invalid(step: PlanStep, notice: Notice) -> PlanInvalid:
    """Return the error for a step that cannot be executed as it stands."""
    params = {key: value for key, value in notice.params.items() if key not in {"step", "function"}}
    return PlanInvalid(
        field=f"plan.{step.step}" if notice.field is None else f"plan.{step.step}.{notice.field}",
        step=step.step,
        function=step.function,
        problem=notice.code,
        **params,
    )


def edited_steps(plan: Mapping[str, Any]) -> tuple[PlanStep, ...]:
    """Return the steps of an edited plan, numbered from 1. Raises `InvalidInput` if there are none."""
    try:
        steps = plan_of(plan).steps
    except Unreadable as unreadable:
        raise InvalidInput(unreadable.problem, field="plan", **unreadable.params) from unreadable
    if not steps:
        raise InvalidInput("rounds.edited_empty", field="plan")
    return tuple(replace(step, step=number) for number, step in enumerate(steps, 1))


def confirmed(plan: OperationPlan, answer: RequestAnswer) -> OperationPlan:
    """Return the plan to execute."""
    base = (answer.values or {}).get(BASE_VERSION)
    base_version = base if isinstance(base, int) and base > 0 else plan.base_version
    if answer.plan is None:
        return replace(plan, base_version=base_version)
    steps = tuple(_still_retrying(step, plan) for step in edited_steps(answer.plan))
    return replace(plan, steps=steps, base_version=base_version, problems=())


def _still_retrying(step: PlanStep, plan: OperationPlan) -> PlanStep:
    """Restore `retries` on a step of an edited plan that is otherwise unchanged."""
    if step.retries is not None:
        return step
    same = (before for before in plan.steps if replace(before, step=step.step, retries=None) == step)
    found = next(same, None)
    return step if found is None else replace(step, retries=found.retries)
