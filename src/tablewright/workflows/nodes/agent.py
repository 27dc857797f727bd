"""A question that an agent answers, in a run of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.codec import to_python
from tablewright.domain.run import Run
from tablewright.domain.workflow import AgentNode
from tablewright.workflows.base import Delegation, Done, NodeCall, Result
from tablewright.workflows.expressions.language import template


class AgentKind:
    """Implements `NodeKind` for `AgentNode`."""

    acts = True

    def prepare(self, node: AgentNode, call: NodeCall) -> dict[str, Any]:
        return {"question": template(node.question).evaluate(call.variables)}

    async def run(self, node: AgentNode, given: Mapping[str, Any], call: NodeCall) -> Result:
        call.services.require_files()
        return Delegation(agent=node.agent, question=given["question"])

    def ended(self, node: AgentNode, child: Run, call: NodeCall) -> Result:
        """Return the child's answer: its words, which may decline the question, its table and its files."""
        answer = child.answer
        table = None if answer is None else answer.result or answer.table
        return Done(
            output={
                "text": "" if answer is None else answer.text,
                "columns": [] if table is None else [*table.columns],
                "rows": [] if table is None else [[*row] for row in table.rows],
                "files": [] if answer is None else to_python(tuple[ArtifactRef, ...], answer.files),
            }
        )
