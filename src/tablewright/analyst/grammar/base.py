"""A reading of a question: what would be computed, in which words it is understood, and how it is judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tablewright.analyst.plan import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class GrammarReading:
    """One way to read a question: `plan` is what would be computed, `said` what was understood, in the asker's
    language.

    `features` are those of the reading before it was executed, and `score` is their weighted sum: higher is better.
    `named` are the columns that it uses, and `unread` the words of the question that say something and have no part
    in it.
    """

    plan: Plan
    said: str
    features: Mapping[str, float]
    score: float
    named: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
