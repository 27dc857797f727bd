"""What holds for every run that plans its tasks."""

from __future__ import annotations

from dataclasses import dataclass, field

from tablewright.domain.run import RunLimits
from tablewright.models.base import ModelSettings
from tablewright.models.tokens import CalibratedEstimator, TokenCounter

EXECUTOR = "executor"
"""The name of the agent that carries out a task."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRules:
    """`at_once` tasks are carried out at the same time, each within `task_limits`, as `task_share` of the time left.

    `executor` names the agent that carries them out.

    `brief` is the planner's system prompt, `summary` the template of the answer, where they are somebody's own. Of a
    result of a tool, `memory_chars` are kept for later tasks; of a message, `record_chars` for the answer.
    """

    at_once: int = 4
    executor: str = EXECUTOR
    task_limits: RunLimits = field(default_factory=lambda: RunLimits(steps=40, wall_clock_s=300.0))
    task_share: float = 0.8
    time_share: float = 0.9
    brief: str | None = None
    summary: str | None = None
    max_input_tokens: int = 128_000
    settings: ModelSettings = field(default_factory=lambda: ModelSettings(max_output_tokens=8_192))
    summary_settings: ModelSettings = field(
        default_factory=lambda: ModelSettings(temperature=0.01, max_output_tokens=8_192)
    )
    memory_chars: int = 4_000
    record_chars: int = 2_000
    counter: TokenCounter = field(default_factory=CalibratedEstimator)
