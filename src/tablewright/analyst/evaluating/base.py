"""Evaluates plans at once, to choose between them by what they would give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tablewright.analyst.plan import Plan
from tablewright.domain.chart import Chart
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated:
    """What a plan gives: a table per part, its charts, or why it could not be evaluated."""

    tables: tuple[Table, ...]
    charts: tuple[Chart, ...] = ()
    failure: str | None = None


class PlanEvaluator(Protocol):
    """Evaluates plans over data sets."""

    async def evaluate(self, plans: Sequence[Plan], datasets: Sequence[DatasetFacts]) -> tuple[Evaluated, ...]:
        """Return what each plan gives, in their order."""
        ...
