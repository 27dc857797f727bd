"""Runs: the work started by one message, up to its single end."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from tablewright.domain.answer import Answer, Outcome
from tablewright.domain.language import Language
from tablewright.errors import Parameter

RunState = Literal["queued", "running", "waiting", "finished"]
Mode = Literal["auto", "analyze", "edit", "report", "plan", "workflow", "chat", "react"]
Approvals = Literal["ask", "auto"]
"""With `auto`, nobody is watching: approvals are given, and a question without a default ends the run as declined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLimits:
    """What a run may use before it ends with the outcome `limit`."""

    steps: int = 10
    tokens: int = 400_000
    wall_clock_s: float = 900.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFailure:
    """Why a run ended without an answer: the stable code of an error, and the parameters of its message."""

    code: str
    params: dict[str, Parameter]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run as stored. `attempt` fences its writers: an append by an older attempt is refused."""

    id: str
    conversation_id: str
    question: str
    language: Language
    mode: Mode
    approvals: Approvals
    model: str
    file_ids: tuple[str, ...]
    limits: RunLimits
    state: RunState
    attempt: int
    last_seq: int
    created_at: datetime
    deliver: str | None = None
    """The name of the file in which the run must leave its `result`, if any."""
    guard: bool = True
    """Whether texts that begin like formulas get an apostrophe in that file, if it is csv."""
    agent: str | None = None
    """The name of the agent that executes the run, once it has been chosen."""
    workflow_id: str | None = None
    """The workflow that it is a run of; the definition itself is the first entry of its transcript."""
    parent_id: str | None = None
    """The run that started this one. Only runs without a parent are part of their conversation's history."""
    top_id: str | None = None
    """The run at the top of the tree, whose stream contains this run's events; None for the top run itself."""
    task_id: str | None = None
    """The name of a child's task, unique among the children of its parent."""
    takeover: bool = False
    """Whether another process continues the run if its process ends; otherwise it then ends as `owner_lost`."""
    worked_s: float = 0.0
    """The seconds that attempts which have stopped worked, and up to its last heartbeat the present one."""
    tokens: int = 0
    """The tokens that the run itself has used, without its children."""
    losses: int = 0
    """How many processes in succession died while they executed the run."""
    wake_at: datetime | None = None
    """When a run that waits is to be resumed, if nothing resumes it before."""
    owner_instance: str | None = None
    lease_until: datetime | None = None
    cancel_requested_at: datetime | None = None
    finished_at: datetime | None = None
    outcome: Outcome | None = None
    answer: Answer | None = None
    failure: RunFailure | None = None

    @property
    def stream_id(self) -> str:
        """The id of the run whose stream contains this run's events: its top run, or itself."""
        return self.top_id or self.id

    @property
    def cancelling(self) -> bool:
        """Whether its cancellation was requested and it has not ended yet."""
        return self.cancel_requested_at is not None and self.state != "finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRequest:
    """A request to a person during a run. It is answered by compare-and-set."""

    id: str
    run_id: str
    kind: Literal["approval", "question", "continue"]
    prompt: str
    created_at: datetime
    subject_kind: str | None = None
    subject_ref: str | None = None
    schema: dict[str, Any] | None = None
    options: tuple[str, ...] = ()
    default: str | None = None
    expires_at: datetime | None = None
    answered_at: datetime | None = None
    answered_by: str | None = None
    answer: RequestAnswer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestAnswer:
    """A person's decision; `values` match the schema of the request, if it has one.

    `expired` is nobody's: the request was closed because its time had passed.
    """

    decision: Literal["approve", "reject", "answer", "expired"]
    text: str | None = None
    values: dict[str, Any] | None = None
    plan: dict[str, Any] | None = None
