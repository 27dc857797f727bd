"""What a schedule is made of; plain data, for callers that load no workflows before they make one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tablewright.domain.language import Language
from tablewright.domain.run import Approvals
from tablewright.domain.workflow.schedules import ScheduledFile


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSchedule:
    """A schedule to make. With `webhook_url`, results are sent there, signed by `secret` or by one that is made."""

    workflow: str
    when: str
    time_zone: str = "UTC"
    name: str = ""
    inputs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    files: tuple[ScheduledFile, ...] = ()
    approvals: Approvals = "ask"
    model: str | None = None
    language: Language = "en"
    window_s: float = 86_400.0
    webhook_url: str | None = None
    secret: str | None = None
