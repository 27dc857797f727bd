"""Schedules over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from tablewright.api.schemas.native import Id, WireModel
from tablewright.domain.language import Language
from tablewright.domain.run import Approvals
from tablewright.domain.workflow.schedules import Delivery, FiringOutcome, Stage


class ScheduledFileIn(WireModel):
    """A file of the runs: one by its `id`, or the newest upload whose name fits a pattern such as `sales-*.csv`."""

    id: Id | None = None
    newest: Annotated[str, Field(min_length=1, max_length=200)] | None = None


class WebhookIn(WireModel):
    """Where results are sent. Without `secret` (`whsec_` and base64), one is made and told in the response, once."""

    url: Annotated[str, Field(max_length=2_000)]
    secret: Annotated[str, Field(max_length=200)] | None = None


class NewScheduleIn(WireModel):
    """When a workflow runs: `when` in the words of the reference, in the time zone `time_zone` (IANA).

    `window_s`: for how long a time that was missed is still made up for. `approvals: auto` asks nobody."""

    workflow: Annotated[str, Field(min_length=1, max_length=200)]
    when: Annotated[str, Field(max_length=200)]
    time_zone: Annotated[str, Field(max_length=100)] = "UTC"
    name: Annotated[str, Field(max_length=200)] = ""
    inputs: dict[str, Any] = Field(default_factory=dict)
    files: list[ScheduledFileIn] = Field(default_factory=list, max_length=20)
    approvals: Approvals = "ask"
    model: Annotated[str, Field(max_length=200)] | None = None
    language: Language | None = None
    window_s: float = 86_400.0
    webhook: WebhookIn | None = None


class ScheduleChangeIn(WireModel):
    """What is to be different; what is not given stays. `webhook: null` sends results nowhere any more.

    A webhook keeps its secret unless another is given."""

    workflow: Annotated[str, Field(min_length=1, max_length=200)] = ""
    when: Annotated[str, Field(max_length=200)] = ""
    time_zone: Annotated[str, Field(max_length=100)] = "UTC"
    name: Annotated[str, Field(max_length=200)] = ""
    inputs: dict[str, Any] = Field(default_factory=dict)
    files: list[ScheduledFileIn] = Field(default_factory=list, max_length=20)
    approvals: Approvals = "ask"
    model: Annotated[str, Field(max_length=200)] | None = None
    language: Language = "en"
    window_s: float = 86_400.0
    webhook: WebhookIn | None = None


class FiringOut(WireModel):
    """What became of one time of a schedule; `id` is that of its run, if one was started.

    `outcome`: how the run ended, or `missed`, `refused` (why is in `failure`), `removed`. `status` is the last HTTP
    status that the webhook answered, after `tries` of the `delivery`."""

    id: str
    due_at: datetime
    fired_at: datetime
    stage: Stage
    outcome: FiringOutcome | None
    conversation_id: str | None
    failure: str | None
    delivery: Delivery
    tries: int
    status: int | None


class ScheduleOut(WireModel):
    """A schedule with its next times, and the latest first of what became of the former ones."""

    id: str
    workflow_id: str
    name: str
    when: str
    time_zone: str
    paused: bool
    next_times: list[datetime]
    inputs: dict[str, Any]
    files: list[ScheduledFileIn]
    approvals: Approvals
    model: str | None
    language: Language
    window_s: float
    webhook_url: str | None
    created_at: datetime
    updated_at: datetime
    firings: list[FiringOut]


class ScheduleMade(ScheduleOut):
    """A new or changed schedule; `secret` is that of its webhook if it is a new one, which is told this once."""

    secret: str | None


class Schedules(WireModel):
    """All schedules of the caller, oldest first."""

    items: list[ScheduleOut]
