"""When the report of a run must be written: what is left of its rounds, tokens and time, as a pure function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tablewright.domain.run import RunLimits

Limit = Literal["tokens", "wall_clock_s"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a run has used: `last_tokens` in its last call of a model."""

    tokens: int
    last_tokens: int
    elapsed_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBudget:
    """The last round that the run may take, and the limit that has brought it forward, if any."""

    last_round: int
    forced_by: Limit | None = None


def round_budget(number: int, spent: Spent, limits: RunLimits, *, time_share: float, calls_kept: float) -> RoundBudget:
    """Return what is left for round `number`, which is the last where more would not fit into the limits."""
    if number >= limits.steps:
        return RoundBudget(last_round=number)
    if spent.tokens and spent.tokens + calls_kept * spent.last_tokens > limits.tokens:
        return RoundBudget(last_round=number, forced_by="tokens")
    if spent.elapsed_s > time_share * limits.wall_clock_s:
        return RoundBudget(last_round=number, forced_by="wall_clock_s")
    return RoundBudget(last_round=limits.steps)
