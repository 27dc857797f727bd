"""Plans of tasks as Genie's page lists them: parallel arrays, a row for each task, grouped by step. Pure."""

from __future__ import annotations

from typing import Any

from tablewright.domain.language import Language
from tablewright.domain.task_plan import TaskPlan
from tablewright.texts.catalogue import text


def plan_of(plan: TaskPlan, language: Language) -> dict[str, Any]:
    """Return the plan. The wire knows no blocked steps: such a one has not started, and its note says why."""
    rows = [(number, step, task) for number, step in enumerate(plan.steps, start=1) for task in step.tasks]
    return {
        "title": plan.title,
        "stages": [text("genie_stage", language, number=number) for number, _, _ in rows],
        "steps": [task for _, _, task in rows],
        "stepStatus": ["not_started" if step.status == "blocked" else step.status for _, step, _ in rows],
        "notes": [step.note for _, step, _ in rows],
    }


def has_progress(plan: dict[str, Any]) -> bool:
    """Return whether a step is completed: the page names the last one that is."""
    return "completed" in plan["stepStatus"]
