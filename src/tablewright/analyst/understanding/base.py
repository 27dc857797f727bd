"""Where readings of a question come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from tablewright.analyst.base import Reading
from tablewright.analyst.grammar.base import GrammarReading
from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.table import Table
from tablewright.domain.table_facts import TableRelation
from tablewright.domain.task import TurnFacts


class Grammar(Protocol):
    """Reads a question in all the ways that it allows."""

    async def readings(
        self,
        question: str,
        language: Language,
        datasets: Sequence[DatasetFacts],
        values: ValueLookup,
        history: Sequence[TurnFacts] = (),
        relations: Sequence[TableRelation] = (),
        *,
        most: int = 50,
    ) -> tuple[GrammarReading, ...]:
        """Return at most `most` readings, best first."""
        ...

    async def prescribed(
        self, question: str, language: Language, datasets: Sequence[DatasetFacts], values: ValueLookup
    ) -> Reading | None:
        """Return what a question is read as that prescribes the form of its answer; None if it prescribes none."""
        ...

    def executed_features(
        self, reading: GrammarReading, results: Sequence[Table] | None, facts: Sequence[DatasetFacts]
    ) -> Mapping[str, float]:
        """Return what the results of a reading's plan say of it; None: it could not be evaluated."""
        ...

    def rescored(self, reading: GrammarReading, executed: Mapping[str, float]) -> float:
        """Return the score of a reading with what its results say."""
        ...
