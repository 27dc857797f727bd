"""The outcome of reading a question: a plan, several to choose from, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.analyst.plan import Plan
from tablewright.domain.chart import Chart
from tablewright.domain.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """A question that was read, as a plan; `chosen` by a person out of several, who has seen what it gives."""

    plan: Plan
    chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedPlan:
    """A plan that may be meant: what it understands of the question in words, what it gives, and both in short."""

    plan: Plan
    text: str
    option: str
    result: Table | None = None
    charts: tuple[Chart, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsure:
    """A question of which several readings are likely: the likeliest of them, best first, at most three."""

    readings: tuple[OfferedPlan, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotUnderstood:
    """A question that was not read: what was recognised in it, `reason` (a message code of the catalogue, with its
    `params`), and `suggestions` of questions that these tables can answer."""

    understood: tuple[str, ...]
    reason: str
    params: dict[str, str]
    suggestions: tuple[str, ...]


Reading = Understood | NotUnderstood
"""What one reader makes of a question."""
Understanding = Understood | Unsure | NotUnderstood
"""What is made of a question once its readings are weighed."""
