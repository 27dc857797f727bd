"""Another workflow, in a run of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.run import Run
from tablewright.domain.workflow import SubWorkflowNode
from tablewright.workflows.base import Delegation, Done, NodeCall, Result
from tablewright.workflows.expressions.language import rendered
from tablewright.workflows.opening import WORKFLOW, outputs_of
from tablewright.workflows.values import inputs_of


class SubWorkflowKind:
    """Implements `NodeKind` for `SubWorkflowNode`."""

    acts = True

    def prepare(self, node: SubWorkflowNode, call: NodeCall) -> dict[str, Any]:
        return {"inputs": rendered(node.inputs, call.variables)}

    async def run(self, node: SubWorkflowNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        workflow = await call.services.workflow(node.workflow)
        inputs = inputs_of(workflow, given["inputs"])
        return Delegation(agent=WORKFLOW, question=workflow.name, workflow=workflow, inputs=inputs)

    def ended(self, node: SubWorkflowNode, child: Run, call: NodeCall) -> Result:
        """Return the answer and the outputs of the other workflow."""
        return Done(output={"text": "" if child.answer is None else child.answer.text, "outputs": outputs_of(child)})
