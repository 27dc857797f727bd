"""What the choice of a workflow is made from, and what comes of it, as plain values."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

RoutingReason = Literal["match", "no_match", "no_candidates", "correction", "model"]
"""Why a workflow was chosen, or none: one fits well enough, or none does; there is none to choose from; the user has
corrected this choice before; a model chose among the shortlist."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A published workflow as it is described, with messages that its author gives as examples."""

    id: str
    name: str
    description: str = ""
    utterances: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What a user once said of a choice: for `utterance`, not `workflow_id` but `wanted_id`; None: no workflow.

    `workflow_id` is None where nothing had been chosen.
    """

    utterance: str
    workflow_id: str | None
    wanted_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortlistEntry:
    """A workflow that comes into question; `score` is the probability, 0 to 1, that the message is for it."""

    id: str
    name: str
    score: float
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingDecision:
    """The workflow that a message is for, or None, and why; the shortlist best first.

    `threshold` is the score that the first of the shortlist must reach to be chosen.
    """

    workflow_id: str | None
    reason: RoutingReason
    shortlist: tuple[ShortlistEntry, ...] = ()
    threshold: float = 0.0


class WorkflowMatcher(Protocol):
    """Finds the workflow of a message among those that it was made of."""

    def match(
        self,
        utterance: str,
        *,
        corrections: Sequence[Correction] = (),
        among: Collection[str] | None = None,
        vector: Sequence[float] | None = None,
        tables: bool = False,
    ) -> RoutingDecision:
        """Choose for `utterance`; `among` are the ids that this user may start, None for all.

        `tables`: there are tables that the message may be a question about, so that a workflow must fit better.

        `corrections` are the user's own, the oldest first. `vector` is the embedding of the utterance where
        workflows were given with theirs.
        """
        ...
