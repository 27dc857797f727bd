"""Whether what a person types in a chat is an answer to what a workflow asked."""

from __future__ import annotations

from collections.abc import Collection

from tablewright.domain.run import OpenRequest
from tablewright.domain.workflow import AskUserNode, Workflow
from tablewright.domain.workflow.definition import all_nodes
from tablewright.service.workflow_chat.consent import consent_in
from tablewright.workflows.nodes.ask_user import accepts
from tablewright.workflows.state import SUBJECT, node_of


def fits(
    request: OpenRequest, workflow: Workflow, message: str, *, continue_words: Collection[str] = ()
) -> bool | None:
    """Return whether what `workflow` asked demands something that `message` satisfies; None where any text will do."""
    if request.kind != "question":
        return True if consent_in(message, continue_words) is not None else None
    asked = node_of(request.subject_ref or "") if request.subject_kind == SUBJECT else None
    node = next((placed.node for placed in all_nodes(workflow) if placed.node.id == asked), None)
    return accepts(node, request.options, message) if isinstance(node, AskUserNode) else None
