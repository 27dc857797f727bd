"""From features to probabilities: a workflow competes with every other one, and with none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Probabilities:
    """That the message is for each of the workflows, in their order, and for none; together 1."""

    workflows: tuple[float, ...]
    none: float


def probabilities(fits: Sequence[float], none: float) -> Probabilities:
    """Return the probabilities of scores: a conditional logit."""
    top = max((none, *fits))
    none_part, parts = math.exp(none - top), [math.exp(score - top) for score in fits]
    total = none_part + sum(parts)
    return Probabilities(workflows=tuple(part / total for part in parts), none=none_part / total)


def weighed(weights: Sequence[float], features: Sequence[float]) -> float:
    """Return the sum of features by their weights."""
    return sum([weight * feature for weight, feature in zip(weights, features, strict=True)])
