"""The beginning of branches: whatever stands behind a node works at the same time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.workflow import ParallelNode
from tablewright.workflows.base import Done, NodeCall, Result


class ParallelKind:
    """Implements `NodeKind` for `ParallelNode`."""

    acts = False

    def prepare(self, node: ParallelNode, call: NodeCall) -> dict[str, Any]:
        return {}

    async def run(self, node: ParallelNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        return Done(output={})
