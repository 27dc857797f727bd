"""Operations on the workbook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.rounds.rules import reads
from tablewright.domain.workflow import WorkbookNode
from tablewright.texts.catalogue import text
from tablewright.workflows.base import Done, NodeCall, Result
from tablewright.workflows.expressions.language import rendered
from tablewright.workflows.planned_steps import planned_steps


class WorkbookKind:
    """Implements `ConsentingKind` for `WorkbookNode`."""

    acts = True

    def prepare(self, node: WorkbookNode, call: NodeCall) -> dict[str, Any]:
        return {"steps": [rendered(step, call.variables) for step in node.steps]}

    def consent(self, node: WorkbookNode, given: Mapping[str, Any], call: NodeCall) -> str | None:
        """Return the plan of what changes the workbook, step by step, or None if all steps only read."""
        if all(map(reads, planned_steps(given["steps"]))):
            return None
        lines = [f"{number}. {_line(step)}" for number, step in enumerate(given["steps"], 1)]
        words = "workflow_consent_fitted" if node.made_for else "workflow_consent_workbook"
        return text(words, call.language, steps="\n".join(lines))

    async def run(self, node: WorkbookNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        done = await call.services.change_workbook(given["steps"], key=call.key, made_for=node.made_for)
        changed = {"version": done.version, "changed": done.changed, "file": done.file}
        return Done(output={**changed, "round_id": done.round_id})


def _line(step: Mapping[str, Any]) -> str:
    """Return a step as people read it: what it is for, and what it calls with what."""
    parameters = ", ".join(f"{name}={value}" for name, value in (step.get("parameters") or {}).items())
    called = f"{step.get('function', '')}({parameters})"
    words = str(step.get("description") or "")
    return (f"{words} — {called}" if words else called)[:500]
