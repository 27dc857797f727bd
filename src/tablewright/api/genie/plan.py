"""Plans of tasks as Genie's page lists them: parallel arrays, a row for each task, grouped by step. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tablewright.domain.language import Language
from tablewright.domain.task_plan import TaskPlan, TaskStep
from tablewright.texts.catalogue import text


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A task of a step, and its place among the tasks of that."""

    number: int
    step: TaskStep
    place: int
    task: str

    @property
    def _problem(self) -> str:
        return self.step.problems[self.place] if self.place < len(self.step.problems) else ""

    @property
    def status(self) -> str:
        """The status as the wire knows it."""
        return "not_started" if self._problem or self.step.status == "blocked" else self.step.status

    def note(self, language: Language) -> str:
        """Return why nothing came of the task; the note of its step, where that is not about some of its tasks."""
        if self._problem:
            return text("genie_task_failed", language, reason=self._problem)
        return "" if self.step.problems else self.step.note


def plan_of(plan: TaskPlan, language: Language) -> dict[str, Any]:
    """Return the plan. The wire knows no blocked steps: such a one has not started, and its note says why. So is a task
    told that failed or was cut, whatever became of those beside it.
    """
    rows = [
        _Row(number=number, step=step, place=place, task=task)
        for number, step in enumerate(plan.steps, start=1)
        for place, task in enumerate(step.tasks)
    ]
    return {
        "title": plan.title,
        "stages": [text("genie_stage", language, number=row.number) for row in rows],
        "steps": [row.task for row in rows],
        "stepStatus": [row.status for row in rows],
        "notes": [row.note(language) for row in rows],
    }


def has_progress(plan: dict[str, Any]) -> bool:
    """Return whether a step is completed: the page names the last one that is."""
    return "completed" in plan["stepStatus"]
