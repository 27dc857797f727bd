"""What holds for every agent that works with tools."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tablewright.models.base import ModelSettings, ToolChoice
from tablewright.models.tokens import CalibratedEstimator, TokenCounter


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRules:
    """`max_input_tokens` is the most that a call of a model takes; `brief` is a system prompt of somebody's own.

    Of the calls of one turn, `most_calls` are made, `at_once` of them at the same time. A model that has written
    `reply_chars` is not read on. A result of more than `result_share` of the input is read part by part first. What
    came of the work is written once `time_share` of the time is over, or once another `calls_kept` calls as large as
    the last one would use up the tokens.
    """

    part: Literal["alone", "executor"] = "alone"
    brief: str | None = None
    max_input_tokens: int = 128_000
    tool_choice: ToolChoice = "auto"
    settings: ModelSettings = field(default_factory=lambda: ModelSettings(max_output_tokens=8_192))
    most_calls: int = 16
    at_once: int = 8
    argument_chars: int = 200_000
    reply_chars: int = 200_000
    result_share: float = 0.25
    result_chars: int = 1_000_000
    silences: int = 2
    call_timeout_s: float = 330.0
    time_share: float = 0.8
    calls_kept: float = 2.5
    counter: TokenCounter = field(default_factory=CalibratedEstimator)
