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
    request: OpenRequest, workflow: Workflow | None, message: str, *, continue_words: Collection[str] = ()
) -> bool | None:
    """Return whether what was asked demands something that `message` satisfies; None where any text will do.

    `workflow` is the one whose node asks, itself; consent is judged without it.
    """
    if request.kind != "question":
        return True if consent_in(message, continue_words) is not None else None
    if workflow is None or request.subject_kind != SUBJECT:
        return None
    asked = node_of(request.subject_ref or "")
    node = next((placed.node for placed in all_nodes(workflow) if placed.node.id == asked), None)
    return accepts(node, request.options, message) if isinstance(node, AskUserNode) else None
