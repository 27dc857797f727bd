"""The steps of a node that changes the workbook, as those of a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tablewright.domain.rounds.plan import PlanStep


def planned_steps(steps: Sequence[Mapping[str, Any]]) -> tuple[PlanStep, ...]:
    """Return the steps of a plan for `{"function", "parameters", "description"}` each."""
    return tuple(
        PlanStep(
            step=number,
            function=str(step.get("function", "")),
            parameters=dict(step.get("parameters") or {}),
            description=str(step.get("description", "")),
        )
        for number, step in enumerate(steps, 1)
    )
