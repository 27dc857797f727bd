"""What every event body may say about its place in a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The step, task and parent that an event belongs to, where it has one."""

    step_id: str | None = None
    task_id: str | None = None
    parent_id: str | None = None
