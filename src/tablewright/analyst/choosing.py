"""How the built-in analyst plans tasks, sums up what came of them, and chooses workflows. It splits nothing: one task
is the whole request."""

from __future__ import annotations

import json

from tablewright.domain.task import ChooseWorkflow, PlanTasks, SumUp


def plan_of(task: PlanTasks) -> dict[str, object]:
    """Return the arguments of the planning tool: the request is the only step, and when that is over, all is."""
    if task.plan is not None:
        return {"command": "finish"}
    return {"command": "create", "title": task.question, "steps": [task.question]}


def summed_up(task: SumUp) -> str:
    """Return what the tasks came to, one after the other."""
    if len(task.tasks) == 1:
        return task.tasks[0].result
    return "\n\n".join(f"{done.text}\n{done.result}" for done in task.tasks)


def workflow_named(task: ChooseWorkflow) -> str:
    """Return the workflow of the best score that is high enough; without scores, the one that the message names, the
    longest name first; or none."""
    scored = [(one.score, one.id) for one in task.candidates if one.score is not None]
    if scored:
        score, best_id = max(scored)
        return _json(workflow=best_id if score >= task.threshold else None)
    said = task.question.casefold()
    named = [one for one in task.candidates if one.name.strip() and one.name.strip().casefold() in said]
    best = max(named, key=lambda one: len(one.name), default=None)
    return _json(workflow=best and best.id)


def _json(**values: object) -> str:
    return json.dumps(values, ensure_ascii=False)
