"""The state of a thread's run, as a page keeps it, and the patches that events make to it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.answer import Answer
from tablewright.domain.codec import to_python
from tablewright.domain.events import (
    AnswerCompleted,
    EventBody,
    PlanProposed,
    PlanUpdated,
    RequestAnswered,
    RoundExecuted,
)
from tablewright.domain.run import Run
from tablewright.domain.task_plan import TaskPlan

Patch = dict[str, Any]
"""A JSON patch: one operation."""


def first_state(run: Run) -> dict[str, Any]:
    """Return the state before anything has happened."""
    return {"conversationId": run.conversation_id, "runId": run.id, "plan": None, "answer": None}


def patches(state: dict[str, Any], body: EventBody) -> list[Patch]:
    """Return what an event changes, and change it in `state`: the plan, the fate of its steps, the answer."""
    made: list[Patch] = []
    if isinstance(body, PlanProposed):
        made.append(_set(state, "plan", _plan(body)))
    elif isinstance(body, PlanUpdated):
        made += _tasks_changed(state, _tasks(body.plan))
    elif isinstance(body, RequestAnswered) and (plan := _of(state, body.request_id)) is not None:
        plan["status"] = "agreed" if body.answer.decision == "approve" else "rejected"
        made.append({"op": "replace", "path": "/plan/status", "value": plan["status"]})
    elif isinstance(body, RoundExecuted) and (plan := _of(state, body.round.plan_id)) is not None:
        made += _executed(plan, body)
    elif isinstance(body, AnswerCompleted):
        made.append(_set(state, "answer", to_python(Answer, body.answer)))
    return made


def _set(state: dict[str, Any], name: str, value: Any) -> Patch:
    state[name] = value
    return {"op": "replace", "path": f"/{name}", "value": value}


def _plan(body: PlanProposed) -> dict[str, Any]:
    steps = [
        {"step": one.step, "function": one.function, "description": one.description, "status": "pending"}
        for one in body.plan.steps
    ]
    return {"id": body.request_id, "status": "proposed", "steps": steps}


def _tasks(plan: TaskPlan) -> dict[str, Any]:
    """Return a plan of tasks as a page keeps it: an entry for each task, those of one step with its number; nobody is
    asked for it, so it has no id."""
    steps = [
        {"step": one.id, "description": task.text, "status": task.status, "note": task.note}
        for one in plan.steps
        for task in one.parts
    ]
    status = "executed" if plan.steps and all(one.over for one in plan.steps) else "executing"
    return {"id": None, "title": plan.title, "status": status, "steps": steps}


def _tasks_changed(state: dict[str, Any], plan: dict[str, Any]) -> list[Patch]:
    """Take the plan as it is now: field by field where its steps are those of before, else whole."""
    before = state["plan"]
    if before is None or [_named(one) for one in before["steps"]] != [_named(one) for one in plan["steps"]]:
        return [_set(state, "plan", plan)]
    state["plan"] = plan
    changed = [("/plan", name) for name in ("id", "title", "status") if before.get(name) != plan[name]]
    made = [{"op": "replace", "path": f"{path}/{name}", "value": plan[name]} for path, name in changed]
    for place, (old, new) in enumerate(zip(before["steps"], plan["steps"], strict=True)):
        fields = [name for name in ("status", "note") if old[name] != new[name]]
        made += [{"op": "replace", "path": f"/plan/steps/{place}/{name}", "value": new[name]} for name in fields]
    return made


def _named(step: Mapping[str, Any]) -> tuple[Any, ...]:
    return step["step"], step["description"], "note" in step


def _of(state: Mapping[str, Any], plan_id: str) -> dict[str, Any] | None:
    plan: dict[str, Any] | None = state["plan"]
    return plan if plan is not None and plan["id"] == plan_id else None


def _executed(plan: dict[str, Any], body: RoundExecuted) -> list[Patch]:
    """Mark the steps that the round had; a person may have left some out or added others."""
    made: list[Patch] = []
    outcomes = {result.step.step: result.status for result in body.round.steps}
    for place, step in enumerate(plan["steps"]):
        status = outcomes.get(step["step"], "skipped")
        step["status"] = status
        made.append({"op": "replace", "path": f"/plan/steps/{place}/status", "value": status})
    plan["status"] = "executed"
    made.append({"op": "replace", "path": "/plan/status", "value": "executed"})
    return made
