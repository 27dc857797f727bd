"""A reading of a question: a plan, what was understood, and how far it is to be preferred."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tablewright.analyst.plan import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class GrammarReading:
    """A plan that a question may ask for. `said` is what was understood, in the asker's words; `score` is log-linear
    over `features`."""

    plan: Plan
    said: str
    features: Mapping[str, float]
    score: float
