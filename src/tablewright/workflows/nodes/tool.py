"""A call of a tool."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.workflow import ToolNode
from tablewright.workflows.base import Done, NodeCall, Result
from tablewright.workflows.expressions.language import rendered


class ToolKind:
    """Implements `NodeKind` for `ToolNode`."""

    acts = True

    def prepare(self, node: ToolNode, call: NodeCall) -> dict[str, Any]:
        return {"arguments": rendered(node.arguments, call.variables)}

    async def run(self, node: ToolNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        text = await call.services.call_tool(node.tool, given["arguments"], key=call.key, emit=call.emit)
        return Done(output={"text": text})
