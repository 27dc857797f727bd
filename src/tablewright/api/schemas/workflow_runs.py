"""Runs of workflows over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tablewright.api.schemas.native import WireModel
from tablewright.domain.answer import Outcome
from tablewright.domain.run import RunState
from tablewright.service.workflows.history import Trigger


class WorkflowRunLine(WireModel):
    """A run in the history of its workflow. `trigger`: a `person` who started it, a `message` that was routed to it, a
    `schedule`, or a `workflow` that it is part of. `worked_s` leaves out the time that it waited."""

    id: str
    conversation_id: str
    question: str
    trigger: Trigger
    state: RunState
    cancelling: bool
    outcome: Outcome | None
    created_at: datetime
    finished_at: datetime | None
    worked_s: float


class WorkflowOfRun(WireModel):
    """The definition of a run, which is that of its workflow when the run began."""

    workflow_id: str
    definition: dict[str, Any]
