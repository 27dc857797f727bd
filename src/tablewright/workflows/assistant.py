"""The workflow that answers where no other does: one node, in which an agent answers what was said."""

from __future__ import annotations

from tablewright.domain.workflow import AgentNode, Edge, EndNode, StartNode, Workflow, WorkflowInput

BUILTIN = "builtin"
QUESTION = "question"
"""The input that is given what a person said, where a workflow has one called so."""


def assistant() -> Workflow:
    """Return it."""
    return Workflow(
        id=BUILTIN,
        name="Tablewright",
        inputs=(WorkflowInput(name=QUESTION),),
        nodes=(
            StartNode(id="start"),
            AgentNode(id="reply", question="{{ inputs.question }}"),
            EndNode(id="end", text="{{ reply.text }}", outputs={"reply": "{{ reply }}"}),
        ),
        edges=(Edge(source="start", target="reply"), Edge(source="reply", target="end")),
    )
