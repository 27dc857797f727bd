"""Reads questions about tables as they are once their irregular cells are cleaned, as the written code loads them."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.analyst.base import NotUnderstood, Reading, Understood
from tablewright.analyst.reading.multiplied import Multiplied, counted_once
from tablewright.analyst.reading.reader import read
from tablewright.analyst.suggesting import suggestions
from tablewright.data.base import ValueLookup
from tablewright.domain.cleaning import clean_facts, clean_values
from tablewright.domain.dataset import DatasetFacts, DistinctValues
from tablewright.domain.language import Language
from tablewright.domain.table_facts import TableRelation
from tablewright.domain.task import TurnFacts


class CleanValues:
    """A `ValueLookup` whose values are written as those of the cleaned columns of `datasets`."""

    def __init__(self, values: ValueLookup, datasets: Sequence[DatasetFacts]) -> None:
        self._values = values
        self._columns = {
            (dataset.profile_ref, column.name): column
            for dataset in datasets
            for column in dataset.columns
            if column.irregular
        }

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        known = await self._values.values(profile_ref, column)
        facts = self._columns.get((profile_ref, column))
        return known if known is None or facts is None else clean_values(known, facts)


async def read_clean(
    question: str,
    language: Language,
    datasets: Sequence[DatasetFacts],
    values: ValueLookup,
    history: Sequence[TurnFacts] = (),
    relations: Sequence[TableRelation] = (),
) -> Reading:
    """Return the plan that the question asks for, in terms of cleaned columns, or the reason why there is none."""
    clean = tuple(map(clean_facts, datasets))
    reading = await read(question, language, clean, CleanValues(values, datasets), history, relations)
    if isinstance(reading, NotUnderstood):
        return reading
    plan = counted_once(reading.plan, clean)
    if isinstance(plan, Multiplied):
        params = {"table": plan.table, "column": plan.column}
        hints = suggestions(language, clean)
        return NotUnderstood(understood=(), reason="reading.multiplied", params=params, suggestions=hints)
    return Understood(plan=plan)
