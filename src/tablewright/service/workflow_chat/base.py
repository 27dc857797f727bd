"""What the chat needs to know of workflows and of routing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from tablewright.domain.conversation import Conversation
from tablewright.domain.events import WorkflowChosen, WorkflowScore
from tablewright.domain.scope import Scope
from tablewright.domain.workflow import Workflow
from tablewright.routing.workflows.candidates import RoutingDecision


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenWorkflow:
    """A workflow to begin, as it is `published` now or as it came; and what the router said, if it was asked.

    `inputs` are those that it was given before, where it begins anew: its question is what is said now.
    """

    definition: Workflow
    published: bool = False
    decision: RoutingDecision | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict[str, Any])


class WorkflowDesk(Protocol):
    """Knows which workflow a message is for."""

    async def enabled(self, scope: Scope) -> bool:
        """Return whether messages of the caller are routed to workflows at all."""
        ...

    async def choose(
        self,
        scope: Scope,
        conversation: Conversation,
        message: str,
        *,
        otherwise: bool,
        without: Collection[str] = (),
    ) -> ChosenWorkflow | None:
        """Return the workflow that fits; else, with `otherwise`, the caller's fallback or the default; else None.

        Those whose ids are in `without` are passed over, as if they were not there.
        """
        ...

    async def new_intent(
        self,
        scope: Scope,
        conversation: Conversation,
        message: str,
        *,
        valid: bool | None,
        workflow_id: str,
        without: Collection[str] = (),
    ) -> ChosenWorkflow | None:
        """Return the workflow that `message` is for, or None if it answers what the workflow `workflow_id` asked.

        `valid`: whether it satisfies what the question demands; None where any text will do. Those whose ids are in
        `without` are passed over.
        """
        ...


def chosen_event(decision: RoutingDecision) -> WorkflowChosen:
    """Return what the log says of a decision."""
    best = tuple(WorkflowScore(workflow_id=each.id, name=each.name, score=each.score) for each in decision.shortlist)
    return WorkflowChosen(
        workflow_id=decision.workflow_id, reason=decision.reason, shortlist=best, threshold=decision.threshold
    )
