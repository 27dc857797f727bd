"""The start of a workflow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.workflow import StartNode
from tablewright.workflows.base import Done, NodeCall, Result


class StartKind:
    """Implements `NodeKind` for `StartNode`."""

    acts = False

    def prepare(self, node: StartNode, call: NodeCall) -> dict[str, Any]:
        return dict(call.variables["inputs"])

    async def run(self, node: StartNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        return Done(output=dict(given))
