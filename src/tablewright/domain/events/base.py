"""The base of all event bodies."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The step, the task and the parent that an event belongs to, if any."""

    step_id: str | None = None
    task_id: str | None = None
    parent_id: str | None = None
