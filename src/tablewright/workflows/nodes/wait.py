"""A time that is waited for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from tablewright.domain.workflow import WaitNode
from tablewright.errors import NodeFailed
from tablewright.workflows.base import NodeCall, Result, Until
from tablewright.workflows.expressions.language import template
from tablewright.workflows.values import utc_time


class WaitKind:
    """Implements `NodeKind` for `WaitNode`."""

    acts = False

    def prepare(self, node: WaitNode, call: NodeCall) -> dict[str, Any]:
        now = datetime.fromisoformat(call.now())
        if node.seconds is not None:
            return {"until": (now + timedelta(seconds=node.seconds)).isoformat()}
        words = template(node.until or "").evaluate(call.variables).strip()
        try:
            return {"until": utc_time(words).isoformat()}
        except ValueError as error:
            raise NodeFailed("workflow_no_time", node=node.id, words=words[:80]) from error

    async def run(self, node: WaitNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        return Until(time=str(given["until"]))
