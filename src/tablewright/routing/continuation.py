"""Whether a message to a workflow that waits is its answer, or asks for something new. Pure.

The order is that of the specification: a continue word; an answer that the question's schema takes; else what the
router says.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from tablewright.routing.workflows.candidates import RoutingDecision

SHORT_CHARS = 20
"""A free text up to this long is an answer unless it fits another workflow by its own score."""
CONTINUE_WORDS = ("继续", "是", "好", "确认", "continue", "ok", "yes")
"""The words that go on, unless others are configured."""

AnswerReason = Literal["continue_word", "valid", "short", "no_match", "same_workflow"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The message is the answer, and why it counts as one."""

    reason: AnswerReason


@dataclass(frozen=True, slots=True, kw_only=True)
class NewIntent:
    """The message asks for another workflow: the one that waits is left, and this one is started."""

    workflow_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingQuestion:
    """What is waited for: the workflow that asked, and whether the message satisfies the question.

    `valid` is what a typed or validated question says of the message; None where any text will do.
    """

    workflow_id: str
    valid: bool | None = None


def answer_at_once(message: str, question: WaitingQuestion, words: Collection[str] = CONTINUE_WORDS) -> Answer | None:
    """Return the answer that `message` is whatever the router says, or None where the router must be asked."""
    said = _plain(message)
    if said in {_plain(word) for word in words}:
        return Answer(reason="continue_word")
    return Answer(reason="valid") if question.valid else None


def answer_or_intent(
    message: str,
    question: WaitingQuestion,
    decision: RoutingDecision,
    words: Collection[str] = CONTINUE_WORDS,
) -> Answer | NewIntent:
    """Return what `message` is; `decision` is what the router says of it, among all workflows of the user."""
    if (answer := answer_at_once(message, question, words)) is not None:
        return answer
    if decision.workflow_id is None:
        return Answer(reason="no_match")
    if decision.workflow_id == question.workflow_id:
        return Answer(reason="same_workflow")
    short = question.valid is None and len(message.strip()) <= SHORT_CHARS
    if short and not _fits_by_score(decision):
        return Answer(reason="short")
    return NewIntent(workflow_id=decision.workflow_id)


def _fits_by_score(decision: RoutingDecision) -> bool:
    """Return whether the chosen workflow reaches the threshold itself; what the user corrected is as good."""
    if decision.reason == "correction":
        return True
    scores = {one.id: one.score for one in decision.shortlist}
    return scores.get(decision.workflow_id or "", 0.0) >= decision.threshold


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().casefold()
