"""The end of branches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.workflow import JoinNode
from tablewright.workflows.base import Done, NodeCall, Result


class JoinKind:
    """Implements `NodeKind` for `JoinNode`."""

    acts = False

    def prepare(self, node: JoinNode, call: NodeCall) -> dict[str, Any]:
        return dict(call.before)

    async def run(self, node: JoinNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        return Done(output=dict(given))
