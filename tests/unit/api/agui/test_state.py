"""The state of a thread, which a page keeps by patches: what they make of it is what the fold has."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

from tablewright.api.agui.state import Patch, patches
from tablewright.domain.events import PlanUpdated
from tablewright.domain.task_plan import PlanEdit, TaskPlan, begun, created, edited, ended, updated

EMPTY: dict[str, Any] = {"conversationId": "c-1", "runId": "r-1", "plan": None, "answer": None}


def applied(state: dict[str, Any], made: list[Patch]) -> dict[str, Any]:
    """What a page has after the patches, all of which replace something that is there."""
    state = copy.deepcopy(state)
    for patch in made:
        assert patch["op"] == "replace"
        *way, last = patch["path"].split("/")[1:]
        place: Any = state
        for name in way:
            place = place[int(name)] if isinstance(place, list) else place[name]
        place[last] = copy.deepcopy(patch["value"])
    return state


def told(*plans: TaskPlan) -> tuple[dict[str, Any], list[list[str]]]:
    """The state after the plans, as the page has it, and the paths of the patches of each."""
    state, page = copy.deepcopy(EMPTY), copy.deepcopy(EMPTY)
    paths: list[list[str]] = []
    for plan in plans:
        made = patches(state, PlanUpdated(plan=plan))
        page = applied(page, made)
        assert page == state
        paths.append([patch["path"] for patch in made])
    return page, paths


def test_a_plan_of_tasks_is_the_plan_of_the_state() -> None:
    page, paths = told(created(TaskPlan(), "Years", ["Read", "Compare"]))
    assert paths == [["/plan"]]
    steps = [
        {"step": 1, "description": "Read", "status": "not_started", "note": ""},
        {"step": 2, "description": "Compare", "status": "not_started", "note": ""},
    ]
    assert page["plan"] == {"id": None, "title": "Years", "status": "executing", "steps": steps}


def test_what_becomes_of_a_step_is_a_patch_of_that_step() -> None:
    plan = created(TaskPlan(), "Years", ["Read", "Compare"])
    doing = begun(plan)
    page, paths = told(plan, doing, over := ended(doing, blocked="no file"), ended(begun(over)))
    assert paths[1:] == [
        ["/plan/steps/0/status"],
        ["/plan/steps/0/status", "/plan/steps/0/note"],
        ["/plan/status", "/plan/steps/1/status"],
    ]
    assert [step["status"] for step in page["plan"]["steps"]] == ["blocked", "completed"]


def test_a_plan_with_other_steps_is_told_whole() -> None:
    plan = created(TaskPlan(), "Years", ["Read", "Compare"])
    _, paths = told(plan, updated(plan, ["Read", "Sum"]), edited(plan, PlanEdit(id="e", action="add", text="More")))
    assert paths == [["/plan"], ["/plan"], ["/plan"]]


def test_a_plan_that_has_not_changed_is_no_patch() -> None:
    plan = created(TaskPlan(), "Years", ["Read"])
    _, paths = told(plan, replace(plan, round=3))
    assert paths == [["/plan"], []]


def test_tasks_that_are_done_at_the_same_time_are_entries_of_their_own() -> None:
    doing = begun(created(TaskPlan(), "Years", ["Read <sep> Count", "Compare"]))
    page, paths = told(doing, ended(doing, problems=["", "no file"]))
    assert [(one["step"], one["description"], one["status"], one["note"]) for one in page["plan"]["steps"]] == [
        (1, "Read", "completed", ""),
        (1, "Count", "blocked", "no file"),
        (2, "Compare", "not_started", ""),
    ]
    assert paths[1] == ["/plan/steps/0/status", "/plan/steps/1/status", "/plan/steps/1/note"]
