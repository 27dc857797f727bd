"""Operations on the workbook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.workflow import WorkbookNode
from tablewright.workflows.base import Done, NodeCall, Result
from tablewright.workflows.expressions.language import rendered


class WorkbookKind:
    """Implements `NodeKind` for `WorkbookNode`."""

    acts = True

    def prepare(self, node: WorkbookNode, call: NodeCall) -> dict[str, Any]:
        return {"steps": [rendered(step, call.variables) for step in node.steps]}

    async def run(self, node: WorkbookNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        done = await call.services.change_workbook(given["steps"], key=call.key)
        return Done(output={"version": done.version, "changed": done.changed, "file": done.file})
