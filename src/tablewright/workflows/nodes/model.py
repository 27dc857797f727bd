"""A text written by the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.workflow import ModelNode
from tablewright.workflows.base import Done, NodeCall, Result
from tablewright.workflows.expressions.language import template


class ModelKind:
    """Implements `NodeKind` for `ModelNode`."""

    acts = True

    def prepare(self, node: ModelNode, call: NodeCall) -> dict[str, Any]:
        return {"prompt": template(node.prompt).evaluate(call.variables)}

    async def run(self, node: ModelNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        text = await call.services.write(given["prompt"], emit=call.emit, chunk=call.chunk)
        return Done(output={"text": text})
