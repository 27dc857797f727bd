"""What a model reads again of rounds that are over, made shorter: only results grow old, answers stay. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tablewright.domain.language import Language
from tablewright.domain.structured import StructuredRoundFacts, ToolOutcome
from tablewright.texts.catalogue import text

OLD_CHARS = 1_500
"""Results of rounds before the last are cut to this length."""
REPEATED_CHARS = 200
"""Shorter results are repeated rather than referred to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanedRounds:
    """Rounds as a model reads them; `changed` if they are not as they were."""

    rounds: tuple[StructuredRoundFacts, ...]
    changed: bool


def cleaned(rounds: Sequence[StructuredRoundFacts], language: Language) -> CleanedRounds:
    """Shorten the results of all rounds but the last, and leave out those that a later result repeats.

    The results of the last round are what the model asked for and has not read yet: they stay whole.
    """
    newest: dict[str, str] = {}
    for one in rounds:
        newest.update({outcome.text: outcome.tool_call_id for outcome in one.outcomes})
    last = len(rounds) - 1
    shorter = tuple(
        replace(
            one,
            outcomes=tuple(_shorter(outcome, newest, language, old=number < last) for outcome in one.outcomes),
        )
        for number, one in enumerate(rounds)
    )
    return CleanedRounds(rounds=shorter, changed=shorter != tuple(rounds))


def _shorter(outcome: ToolOutcome, newest: dict[str, str], language: Language, *, old: bool) -> ToolOutcome:
    again = newest[outcome.text]
    if again != outcome.tool_call_id and len(outcome.text) >= REPEATED_CHARS:
        return replace(outcome, text=text("structured.repeated", language, call=again))
    if not old or len(outcome.text) <= OLD_CHARS:
        return outcome
    head, tail = OLD_CHARS * 2 // 3, OLD_CHARS // 3
    left = text("structured.left_out", language, count=len(outcome.text) - head - tail)
    return replace(outcome, text=f"{outcome.text[:head]}\n{left}\n{outcome.text[-tail:]}")
