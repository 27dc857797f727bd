"""A text, or an object of a given form, written by the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.task import Chat
from tablewright.domain.workflow import ModelNode
from tablewright.workflows.base import Done, NodeCall, Result
from tablewright.workflows.expressions.filters import as_text
from tablewright.workflows.expressions.language import rendered, template


class ModelKind:
    """Implements `NodeKind` for `ModelNode`."""

    acts = True

    def prepare(self, node: ModelNode, call: NodeCall) -> dict[str, Any]:
        materials = rendered(node.materials, call.variables)
        return {"prompt": template(node.prompt).evaluate(call.variables), "materials": materials}

    async def run(self, node: ModelNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        materials = tuple((name, as_text(value)) for name, value in given["materials"].items())
        task = Chat(question=given["prompt"], language=call.language, materials=materials, schema=node.schema)
        written = await call.services.write(task, emit=call.emit, chunk=call.chunk)
        return Done(output={"text": written.text} | ({} if node.schema is None else {"values": written.values}))
