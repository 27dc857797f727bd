"""How the built-in analyst plans tasks and chooses workflows. It splits nothing: one task is the whole request."""

from __future__ import annotations

import json

from tablewright.domain.task import ChooseWorkflow, PlanTasks


def tasks_left(task: PlanTasks) -> str:
    """Return the request as the only task, until that has been tried."""
    return _json(tasks=[] if task.plan else [task.question])


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
