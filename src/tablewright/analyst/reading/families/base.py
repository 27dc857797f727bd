"""What a family of questions offers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tablewright.analyst.plan import Part
from tablewright.analyst.reading.parse import Parse


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A plan's part with how far it accounts for the question; `fit` is what the family itself thinks of it, 0 to 1."""

    part: Part
    parse: Parse
    family: str
    fit: float = 1.0

    def score(self) -> float:
        """Return what decides between offers."""
        return self.parse.confidence() * self.fit


Family = Callable[[Parse], "Offer | None"]
