"""Schedules: runs of workflows that begin by themselves, and what becomes of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from tablewright.domain.answer import Outcome
from tablewright.domain.language import Language
from tablewright.domain.run import Approvals, RunFailure
from tablewright.domain.scope import Scope

Stage = Literal["start", "watch", "deliver", "ended"]
"""What is to be done next of a firing: its run is started, is waited for, its result is delivered; or nothing."""
Delivery = Literal["none", "pending", "delivered", "failed"]
FiringOutcome = Outcome | Literal["missed", "refused", "removed"]
"""How its run ended; or its time had passed too long ago, it could not be started, its run was deleted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledFile:
    """A file of the scheduled runs: that with this `id`, or the owner's newest upload whose name fits a pattern.

    In the pattern `newest`, `*` stands for any characters and `?` for one.
    """

    id: str | None = None
    newest: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """Where results are sent, and the sealed secret by which they are signed."""

    url: str
    sealed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowSchedule:
    """When a workflow runs, on what, and who is told.

    `when` is in the words of `service/schedules/times`, in the time zone `time_zone` (IANA). `next_at` is None while it
    is paused, and where no time comes any more. Of the times that were missed, only the last counts, and only for
    `window_s` seconds.
    """

    id: str
    workflow_id: str
    name: str
    when: str
    time_zone: str
    created_at: datetime
    updated_at: datetime
    next_at: datetime | None = None
    paused: bool = False
    inputs: dict[str, Any] = field(default_factory=dict[str, Any])
    files: tuple[ScheduledFile, ...] = ()
    approvals: Approvals = "ask"
    model: str | None = None
    language: Language = "en"
    window_s: float = 86_400.0
    webhook: Webhook | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Firing:
    """One time of a schedule, and its run, which has the same id.

    Who acts on it holds it until `act_at`; then the next may, as the next `attempt`. `tries` are those of the delivery,
    `status` the last HTTP status that was answered to one.
    """

    id: str
    schedule_id: str
    due_at: datetime
    fired_at: datetime
    stage: Stage = "start"
    attempt: int = 1
    act_at: datetime | None = None
    conversation_id: str | None = None
    outcome: FiringOutcome | None = None
    failure: RunFailure | None = None
    delivery: Delivery = "none"
    tries: int = 0
    status: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnedSchedule:
    """A schedule and its owner."""

    scope: Scope
    schedule: WorkflowSchedule


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnedFiring:
    """A firing with its schedule and their owner."""

    scope: Scope
    schedule: WorkflowSchedule
    firing: Firing
