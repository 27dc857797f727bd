"""An edited plan is checked when the answer comes in, and says which step is wrong and how."""

from __future__ import annotations

from typing import Any

import pytest

from tablewright.domain.rounds.confirmation import check_confirmation, confirmed
from tablewright.domain.rounds.plan import OperationPlan, PlanStep
from tablewright.domain.run import RequestAnswer
from tablewright.errors import InvalidInput, PlanInvalid
from tablewright.texts.errors import describe

PLAN = OperationPlan(
    steps=(PlanStep(step=1, function="set_fill", parameters={"range": "A1"}, description="Fill", retries=3),),
    base_version=4,
    number=3,
)


def approving(plan: dict[str, Any] | None, **values: Any) -> RequestAnswer:
    return RequestAnswer(decision="approve", plan=plan, values=values or None)


@pytest.mark.parametrize(
    ("steps", "step", "said"),
    [
        ([{"function": "fly"}], 1, "Step 1 (fly) of this plan cannot be done: There is no operation “fly”."),
        (
            [{"function": "set_fill", "parameters": {"range": "A1"}}, {"function": "insert_rows"}],
            2,
            "Step 2 (insert_rows) of this plan cannot be done: “row” is missing.",
        ),
        (
            [{"function": "insert_rows", "parameters": {"row": 0}}],
            1,
            "Step 1 (insert_rows) of this plan cannot be done: “row” does not fit: it must be at least 1.",
        ),
    ],
)
def test_a_step_that_cannot_be_is_named(steps: list[dict[str, Any]], step: int, said: str) -> None:
    for plan in ({"execution_plan": steps}, {"executionPlan": steps}, {"steps": steps}):
        with pytest.raises(PlanInvalid) as invalid:
            check_confirmation("operation_plan", approving(plan))
        assert invalid.value.params["step"] == step
        assert describe(invalid.value, "en").startswith(said)
        assert "{" not in describe(invalid.value, "zh")


@pytest.mark.parametrize("plan", [{}, {"steps": []}, {"steps": "none"}, {"steps": [{"step": 1}]}])
def test_what_is_no_plan_is_refused(plan: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput) as invalid:
        check_confirmation("operation_plan", approving(plan))
    assert invalid.value.field == "plan"
    assert "{" not in describe(invalid.value, "en")


def test_only_approvals_of_plans_are_checked() -> None:
    check_confirmation("tool_call", approving({}))
    check_confirmation("operation_plan", RequestAnswer(decision="reject", plan={}))
    check_confirmation("operation_plan", approving(None))


def test_a_step_that_was_left_alone_keeps_what_it_retries() -> None:
    same = {"function": "set_fill", "parameters": {"range": "A1"}, "description": "Fill"}
    plan = confirmed(PLAN, approving({"steps": [{"function": "describe"}, same]}))
    assert [(step.step, step.function, step.retries) for step in plan.steps] == [
        (1, "describe", None),
        (2, "set_fill", 3),
    ]
    assert (plan.number, plan.base_version, plan.problems) == (3, 4, ())


def test_the_version_that_the_person_has_seen_may_be_newer() -> None:
    assert confirmed(PLAN, approving(None, base_version=6)).base_version == 6
    assert confirmed(PLAN, approving(None, base_version="six")).base_version == 4
