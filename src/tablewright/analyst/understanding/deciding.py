"""Decides by learned weights whether the best reading is answered, several are offered, or none is trusted."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from tablewright.analyst.understanding.judging import WORD

WEIGHTS = "trust.json"
MOST_WRONG = 0.12
SEVERAL, MORE = 2.0, 0.1
Decision = Literal["sure", "unsure", "lost"]
Completeness = Literal["whole", "partly", "unread"]
"""How much of a question the best reading has a part for: every word; all but some that are known, such as `each`; or
not for a word of which nothing is known, which may be what is asked for."""


def completeness(evidence: Mapping[str, float]) -> Completeness:
    """Return how much of a question the best reading has a part for."""
    if evidence.get("clean"):
        return "whole"
    return "unread" if evidence.get(f"best.{WORD}") else "partly"


@dataclass(frozen=True, slots=True, kw_only=True)
class Logit:
    """A probability from evidence; what has no weight has no say."""

    bias: float
    weights: Mapping[str, float]

    def of(self, evidence: Mapping[str, float]) -> float:
        """Return the probability, between 0 and 1."""
        sum_ = self.bias + sum(weight * evidence.get(name, 0.0) for name, weight in self.weights.items())
        return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, sum_))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """What was learned of trust.

    `temperature` makes probabilities of scores (`judging.grouped`). `right` is the probability that the best
    reading is right, `offer` that one of those offered is. `sure_from` lists, for shares of wrong answers in growing
    order, the least `right` that keeps below the share where all words are read, `partly_from` where some are not, and
    `unread_from` where nothing is known of one of these; from `offer_from` on readings are offered.
    """

    temperature: float
    right: Logit
    offer: Logit
    sure_from: tuple[tuple[float, float], ...]
    partly_from: tuple[tuple[float, float], ...]
    unread_from: tuple[tuple[float, float], ...]
    offer_from: float

    def least(self, most_wrong: float, read: Completeness = "whole") -> float:
        """Return the probability from which on an answer may be given, if at most the share `most_wrong` of the
        answers may be wrong."""
        curve = {"whole": self.sure_from, "partly": self.partly_from, "unread": self.unread_from}[read]
        fitting = [least for share, least in curve if share <= most_wrong]
        return fitting[-1] if fitting else math.inf

    def decide(self, evidence: Mapping[str, float], most_wrong: float = MOST_WRONG) -> Decision:
        """Return what is to be done on this evidence."""
        if self.right.of(evidence) >= self.least(most_wrong, completeness(evidence)):
            return "sure"
        return "unsure" if self.offers(self.offer.of(evidence), evidence) else "lost"

    def offers(self, probability: float, evidence: Mapping[str, float]) -> bool:
        """Return whether readings of which one is right with a probability are offered: more is asked of them where
        several words say something that none of them has, and what they give is only implied."""
        unsaid = evidence.get("unsaid", 0.0) >= SEVERAL
        return probability >= self.offer_from + (MORE if unsaid else 0.0)


def trust_of(data: Mapping[str, Any]) -> Trust:
    """Return trust as it is written in JSON."""
    right, offer = (Logit(bias=data[name]["bias"], weights=data[name]["weights"]) for name in ("right", "offer"))
    return Trust(
        temperature=data["temperature"],
        right=right,
        offer=offer,
        sure_from=_curve(data["sure_from"]),
        partly_from=_curve(data["partly_from"]),
        unread_from=_curve(data["unread_from"]),
        offer_from=data["offer_from"],
    )


def _curve(data: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    return tuple((share, least) for share, least in data)


@cache
def shipped() -> Trust:
    """Return the trust that ships."""
    return trust_of(json.loads(files(__package__).joinpath(WEIGHTS).read_text(encoding="utf-8")))
