"""Rankings by embeddings, where an endpoint for them is configured, and how two rankings become one."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

FUSION = 60.0
"""The constant of reciprocal rank fusion: what a first place counts more than a second."""


class VectorRanking:
    """The embeddings of workflows, of length 1."""

    def __init__(self, vectors: Mapping[str, Sequence[Sequence[float]]]) -> None:
        self._vectors = {one: tuple(_unit(vector) for vector in every) for one, every in vectors.items()}

    def ranked(self, vector: Sequence[float] | None, among: Collection[str]) -> tuple[str, ...]:
        """Return those of `among` that have embeddings, the nearest to `vector` first."""
        if vector is None:
            return ()
        message = _unit(vector)
        nearness = {
            one: max(_dot(message, other) for other in every)
            for one, every in self._vectors.items()
            if one in among and every
        }
        return tuple(sorted(nearness, key=lambda one: (-nearness[one], one)))


def fused(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    """Return what either ranking has, by reciprocal rank fusion; of equals, as `first` has them."""
    if not second:
        return tuple(first)
    score: dict[str, float] = dict.fromkeys(first, 0.0)
    for ranking in (first, second):
        for place, one in enumerate(ranking):
            score[one] = score.get(one, 0.0) + 1.0 / (FUSION + place)
    return tuple(sorted(score, key=lambda one: -score[one]))


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum([left * right for left, right in zip(one, other, strict=True)])


def _unit(vector: Sequence[float]) -> tuple[float, ...]:
    length = math.sqrt(_dot(vector, vector)) or 1.0
    return tuple(value / length for value in vector)
