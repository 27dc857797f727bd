"""The rules of the loop."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.agent.stream.writer import Mode
from tablewright.models.dialogue import DEFAULT_TAGS, CodeTags


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopRules:
    """Rules of the loop; the number of steps is in the run's limits."""

    mode: Mode = "pre_execute"
    max_step_retry: int = 3
    max_total_retry: int = 5
    step_timeout_s: float = 60.0
    tags: CodeTags = DEFAULT_TAGS
