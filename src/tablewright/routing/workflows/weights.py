"""How much a part of a text says: what few texts have says much."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping


class Rarity(dict[str, float]):
    """The weight of each part of one kind; any other part weighs what one does that no text has, `unseen`.

    `messages` show what is common in speech though no text has it. What only one of them has is not: a message that is
    learned from is among them, and one that comes later is not.
    """

    def __init__(self, texts: Iterable[Mapping[str, float]], messages: Iterable[Mapping[str, float]]) -> None:
        counts, total = _counted(texts)
        spoken, more = _counted(messages)
        total += more
        for part, count in spoken.items():
            counts[part] = counts.get(part, 0.0) + max(0.0, count - 1.0)
        super().__init__({part: _rarity(count, total) for part, count in counts.items()})
        self.unseen = _rarity(0.0, total)

    def __missing__(self, part: str) -> float:
        return self.unseen

    def mass(self, parts: Mapping[str, float]) -> float:
        """Return what `parts` weigh together."""
        return sum([self[part] * strength for part, strength in parts.items()])


def _counted(texts: Iterable[Mapping[str, float]]) -> tuple[dict[str, float], int]:
    """Return how often each part is said, and the number of texts."""
    counts: dict[str, float] = {}
    total = 0
    for parts in texts:
        for part, strength in parts.items():
            counts[part] = counts.get(part, 0.0) + strength
        total += 1
    return counts, total


def _rarity(count: float, texts: int) -> float:
    """Return the inverse frequency of what `count` of `texts` texts have."""
    return math.log(1.0 + (texts + 1.0) / (count + 0.5))
