"""Nodes that are repeated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.workflow import LoopNode
from tablewright.errors import NodeFailed
from tablewright.workflows.base import NodeCall, Result, Turns
from tablewright.workflows.expressions.language import expression


class LoopKind:
    """Implements `NodeKind` for `LoopNode`."""

    acts = False

    def prepare(self, node: LoopNode, call: NodeCall) -> dict[str, Any]:
        if node.over is None:
            return {"turns": None}
        items = expression(node.over).evaluate(call.variables)
        if not isinstance(items, list):
            raise NodeFailed("workflow_loop_no_list", node=node.id)
        if len(items) > node.max_turns:
            raise NodeFailed("workflow_loop_long", node=node.id, limit=node.max_turns)
        return {"turns": len(items), "items": items}

    async def run(self, node: LoopNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        return Turns(items=given.get("items"))
