"""How the built-in analyst takes part in structured rounds: it looks at the tables by itself and reports."""

from __future__ import annotations

import json

from tablewright.domain.task import StructuredRound
from tablewright.texts.catalogue import text


def structured_round(task: StructuredRound) -> str:
    """Return the answer of this round as JSON."""
    report = text("report.nothing", task.language)
    answer = {
        "task_analysis": task.question,
        "execution_plan": f"R{task.round}",
        "current_round": task.round,
        "action": {"type": "complete", "content": report},
    }
    return json.dumps(answer, ensure_ascii=False)
