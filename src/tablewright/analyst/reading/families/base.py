"""The offer that a family of questions makes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tablewright.analyst.plan import Part
from tablewright.analyst.reading.parse import Parse

_TWICE = 0.4
_SECOND = re.compile(
    r"\b(?:what|which|who|when|where|how)\b.*(?:,| and|;)\s+(?:and )?(?:in |by )?(?:what(?:'s| is| was"
    r"| percentage)|which \w+ (?:has|did|was|is)|how (?:many|much|does|do)|in which)\b.*\?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A part of a plan and the parse it accounts for; `fit` is the family's own confidence in it, 0 to 1."""

    part: Part
    parse: Parse
    family: str
    fit: float = 1.0

    def score(self) -> float:
        """Return the score by which offers are compared, 0 to 1."""
        twice = self.part.drawing is None and _asks_twice(self.parse.question)
        return self.parse.confidence() * self.fit * (_TWICE if twice else 1.0)


def _asks_twice(question: str) -> bool:
    """Return whether a second question is joined to the first, which a plan with one part leaves unanswered."""
    return _SECOND.search(question) is not None


Family = Callable[[Parse], "Offer | None"]
