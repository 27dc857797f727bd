"""Answers a task to write statements: those of the plan that a question was read as, or of each plan that it may be."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from tablewright.analyst.base import Understood, Unsure
from tablewright.analyst.plan import Plan
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.domain.task import WriteQuery

StatementWriter = Callable[[Plan, Sequence[DatasetFacts], Language], tuple[str, ...]]
"""Writes what each part of a plan asks as one statement; nothing where a part has none with exactly its meaning."""


def nothing_written(
    plan: Plan,  # noqa: ARG001
    datasets: Sequence[DatasetFacts],  # noqa: ARG001
    language: Language,  # noqa: ARG001
) -> tuple[str, ...]:
    """Write no statement."""
    return ()


def queries_of(task: WriteQuery, reading: Understood | Unsure, write: StatementWriter) -> str | None:
    """Return the answer in the form of the task; None if no statement has the meaning of what was read."""
    meant = (
        [(task.question.strip(), reading.plan)]
        if isinstance(reading, Understood)
        else [(each.text, each.plan) for each in reading.readings]
    )
    queries = [
        {"query": words, "sql": sql} for words, plan in meant for sql in write(plan, task.datasets, task.language)
    ]
    return json.dumps({"queries": queries}, ensure_ascii=False) if queries else None
