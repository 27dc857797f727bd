"""From what a person wants done to a workbook to the plan of operations that does it."""

from __future__ import annotations

import json

from tablewright.domain.task import PlanOperations
from tablewright.texts.catalogue import text


def planned(task: PlanOperations) -> str:
    """Return the plan as the JSON that every planner writes."""
    words = text("operating.not_understood", task.language)
    return json.dumps({"execution_plan": [], "error": words}, ensure_ascii=False)
