"""A plan of tasks as a chat shows it among the other steps: all of it once, then what becomes of its steps. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from tablewright.domain.task_plan import TaskPlan, TaskStep

_MARKS: Mapping[str, str] = {"not_started": "☐", "in_progress": "▶", "completed": "☑", "blocked": "☒"}


def plan_lines(before: TaskPlan, now: TaskPlan) -> str:
    """Return what is new in a plan: where its steps are others than before all of it, else those that go on."""
    known = {step.id: step for step in before.steps}
    if [(step.id, step.text) for step in before.steps] != [(step.id, step.text) for step in now.steps]:
        title = [f"**{now.title}**"] if now.title else []
        return "\n".join([*title, *(_line(step) for step in now.steps)])
    changed = [step for step in now.steps if step.status != known[step.id].status]
    return "\n".join(_line(step) for step in changed)


def _line(step: TaskStep) -> str:
    note = f" ({' '.join(step.note.split())})" if step.note else ""
    return f"- {_MARKS[step.status]} {' · '.join(step.tasks)}{note}"
