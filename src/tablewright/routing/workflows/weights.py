"""How much a part of a text says: what few texts have says much."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable


class Rarity(dict[str, float]):
    """The weight of each part of one kind; any other part weighs what one does that no text has, `unseen`."""

    def __init__(self, texts: Iterable[frozenset[str]]) -> None:
        counts: Counter[str] = Counter()
        total = 0
        for parts in texts:
            counts.update(parts)
            total += 1
        super().__init__({part: _squared(count, total) for part, count in counts.items()})
        self.unseen = _squared(0, total)

    def __missing__(self, part: str) -> float:
        return self.unseen

    def mass(self, parts: Iterable[str]) -> float:
        """Return what `parts` weigh together."""
        return sum(map(self.__getitem__, parts))


def _squared(count: int, texts: int) -> float:
    """Return the square of the inverse frequency of what `count` of `texts` texts have."""
    return math.log(1.0 + (texts - count + 0.5) / (count + 0.5)) ** 2
