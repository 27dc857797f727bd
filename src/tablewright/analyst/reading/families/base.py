"""What a family of questions offers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tablewright.analyst.plan import Part
from tablewright.analyst.reading.parse import Parse

_TWICE = 0.4
_SECOND = re.compile(
    r"\b(?:what|which|who|when|where|how)\b.*(?:,| and|;)\s+(?:and )?(?:in |by )?(?:what(?:'s| is| was| percentage)|which \w+ (?:has|did|was|is)|how (?:many|much|does|do)|in which)\b.*\?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A plan's part with how far it accounts for the question; `fit` is what the family itself thinks of it, 0 to 1."""

    part: Part
    parse: Parse
    family: str
    fit: float = 1.0

    def score(self) -> float:
        """Return what decides between offers."""
        twice = self.part.drawing is None and _asks_twice(self.parse.question)
        return self.parse.confidence() * self.fit * (_TWICE if twice else 1.0)


def _asks_twice(question: str) -> bool:
    """A second question joined to the first is left unanswered by a plan with one part."""
    return _SECOND.search(question) is not None


Family = Callable[[Parse], "Offer | None"]
