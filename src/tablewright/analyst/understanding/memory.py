"""A grammar, an evaluator and a trust that know their answers beforehand, for tests."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tablewright.analyst.base import Reading
from tablewright.analyst.evaluating.base import Evaluated
from tablewright.analyst.grammar.base import GrammarReading
from tablewright.analyst.plan import Plan
from tablewright.analyst.understanding.deciding import Logit, Trust
from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.table import Table
from tablewright.domain.table_facts import TableRelation
from tablewright.domain.task import TurnFacts

PLAIN_TRUST = Trust(
    temperature=1.0,
    right=Logit(
        bias=-4.0,
        weights={"mass": 3.0, "margin": 2.0, "clean": 1.5},
    ),
    offer=Logit(bias=-1.5, weights={"offered_mass": 2.0, "mass": 1.0, "clean": 1.0}),
    sure_from=((0.0, 1.01), (0.02, 0.98), (0.05, 0.95), (0.12, 0.88), (0.2, 0.8), (0.5, 0.5), (1.0, 0.0)),
    partly_from=((0.0, 1.01), (0.02, 0.98), (0.05, 0.95), (0.12, 0.88), (0.2, 0.8), (0.5, 0.5), (1.0, 0.0)),
    unread_from=((0.0, 1.01), (0.02, 0.98), (0.05, 0.95), (0.12, 0.88), (0.2, 0.8), (0.5, 0.5), (1.0, 0.0)),
    offer_from=0.5,
)
"""Trusts readings that are far ahead and cover the question's words."""


@dataclass(slots=True, kw_only=True)
class ScriptedGrammar:
    """Implements `Grammar` with the readings of each question in `known`, and of those with a form in
    `forms`; a reading keeps its score."""

    known: Mapping[str, Sequence[GrammarReading]]
    asked: list[str] = field(default_factory=list[str])
    forms: Mapping[str, Reading] = field(default_factory=dict[str, Reading])

    async def readings(
        self,
        question: str,
        language: Language,  # noqa: ARG002
        datasets: Sequence[DatasetFacts],  # noqa: ARG002
        values: ValueLookup,  # noqa: ARG002
        history: Sequence[TurnFacts] = (),  # noqa: ARG002
        relations: Sequence[TableRelation] = (),  # noqa: ARG002
        *,
        most: int = 50,
    ) -> tuple[GrammarReading, ...]:
        """Return the readings of the question."""
        self.asked.append(question)
        return tuple(self.known.get(question, ()))[:most]

    async def prescribed(
        self,
        question: str,
        language: Language,  # noqa: ARG002
        datasets: Sequence[DatasetFacts],  # noqa: ARG002
        values: ValueLookup,  # noqa: ARG002
    ) -> Reading | None:
        """Return the reading of a question with a form."""
        return self.forms.get(question)

    def executed_features(
        self,
        reading: GrammarReading,  # noqa: ARG002
        results: Sequence[Table] | None,
        facts: Sequence[DatasetFacts],  # noqa: ARG002
    ) -> Mapping[str, float]:
        """Return how many rows there are."""
        return {"rows": float(sum(table.total_rows for table in results or ()))}

    def rescored(self, reading: GrammarReading, executed: Mapping[str, float]) -> float:  # noqa: ARG002
        """Return the reading's score."""
        return reading.score


@dataclass(slots=True, kw_only=True)
class ScriptedEvaluator:
    """Implements `PlanEvaluator` with what plans give; other plans fail. With `gate`, it waits for that first."""

    known: Sequence[tuple[Plan, Evaluated]]
    gate: asyncio.Event | None = None
    calls: int = 0

    async def evaluate(
        self,
        plans: Sequence[Plan],
        datasets: Sequence[DatasetFacts],  # noqa: ARG002
        *,
        language: Language = "en",  # noqa: ARG002
    ) -> tuple[Evaluated, ...]:
        """Return what is known of the plans."""
        self.calls += 1
        if self.gate is not None:
            await self.gate.wait()
        unknown = Evaluated(tables=(), failure="unknown plan")
        return tuple(next((given for known, given in self.known if known == plan), unknown) for plan in plans)
