"""The end of a workflow: its answer and its outputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.workflow import EndNode
from tablewright.workflows.base import Done, NodeCall, Result
from tablewright.workflows.expressions.language import rendered, template


class EndKind:
    """Implements `NodeKind` for `EndNode`."""

    acts = False

    def prepare(self, node: EndNode, call: NodeCall) -> dict[str, Any]:
        return {"text": template(node.text).evaluate(call.variables), "outputs": rendered(node.outputs, call.variables)}

    async def run(self, node: EndNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        return Done(output=dict(given))
