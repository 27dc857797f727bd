"""What a question may mean: the readings of the grammar, and that of the old reader."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.analyst.base import Reading, Understood
from tablewright.analyst.grammar.base import GrammarReading

MOST = 50
"""So many readings are evaluated at most."""
OLD = "old"
"""The feature of the old reader's plan."""


def candidates(readings: Sequence[GrammarReading], old: Reading) -> tuple[GrammarReading, ...]:
    """Return the readings to evaluate, best first, the old reader's plan last unless the grammar has it too."""
    if not isinstance(old, Understood):
        return tuple(readings[:MOST])
    features = {OLD: 1.0, "confidence": old.plan.confidence}
    return (*readings[: MOST - 1], GrammarReading(plan=old.plan, said="", features=features, score=0.0))
