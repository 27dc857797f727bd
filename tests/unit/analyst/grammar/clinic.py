"""A small table of visits, in English and in Chinese, and the reading of questions about it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tablewright.analyst.grammar import GrammarReading, readings
from tablewright.analyst.grammar.scene import Scene, scene
from tablewright.analyst.linking.tokens import tokenize
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, DistinctValues, ReadOptions
from tablewright.domain.language import Language, language_of
from tablewright.domain.table import Table
from tablewright.domain.task import TurnFacts

_WORDS = {
    "vet": ("Dr Silva", "Dr Novak", "Dr Okafor"),
    "animal": ("cat", "dog", "rabbit"),
    "outcome": ("healed", "referred"),
    "insured": ("yes", "no"),
    "医生": ("周明", "陈曦"),
    "状态": ("已付", "未付"),
}
VISITS = DatasetFacts(
    id="v",
    name="visits",
    file_name="visits.csv",
    path="/data/shared/visits.csv",
    read=ReadOptions(kind="csv"),
    rows=90,
    columns=(
        ColumnFacts(name="vet", kind="text", distinct=3),
        ColumnFacts(name="animal", kind="text", distinct=3),
        ColumnFacts(name="fee", kind="number", minimum=10, maximum=300, distinct=50, missing=2),
        ColumnFacts(name="visited", kind="date", minimum="2023-01-02", maximum="2024-12-30", distinct=80),
        ColumnFacts(name="outcome", kind="text", distinct=2),
        ColumnFacts(name="insured", kind="text", distinct=2),
    ),
    sample=Table(columns=(), rows=(), total_rows=90),
    profile_ref="a" * 64,
)
BILLS = DatasetFacts(
    id="b",
    name="账单",
    file_name="账单.csv",
    path="/data/shared/账单.csv",
    read=ReadOptions(kind="csv"),
    rows=60,
    columns=(
        ColumnFacts(name="医生", kind="text", distinct=2),
        ColumnFacts(name="金额", kind="number", minimum=5, maximum=900, distinct=40),
        ColumnFacts(name="日期", kind="date", minimum="2024-01-01", maximum="2024-06-30", distinct=50),
        ColumnFacts(name="状态", kind="text", distinct=2),
    ),
    sample=Table(columns=(), rows=(), total_rows=60),
    profile_ref="b" * 64,
)


class Words:
    """Distinct values of the tables' words."""

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        found = _WORDS.get(column)
        return None if found is None else DistinctValues(values=found, counts=(9,) * len(found), complete=True)


def table_of(question: str) -> DatasetFacts:
    """Return the table that a question in this language is about."""
    return BILLS if language_of(question) == "zh" else VISITS


def seen(question: str) -> Scene:
    """Return a question beside its table."""
    language: Language = language_of(question)
    return asyncio.run(scene(question, tokenize(question), language, table_of(question), Words()))


def read(question: str, most: int = 80, *, after: Sequence[str] = ()) -> tuple[GrammarReading, ...]:
    """Return the readings of a question that is asked `after` others."""
    history = [TurnFacts(question=one, answer="", code="1") for one in after]
    language = language_of(question)
    return asyncio.run(readings(question, language, [table_of(question)], Words(), history, most=most))


def best(question: str, *after: str) -> str:
    """Return what the likeliest reading says."""
    return read(question, 1, after=after)[0].said
