"""Executes plans on the first rows of large tables, where it matters what a result is like and not what it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tablewright.analyst.evaluating.base import Evaluated, PlanEvaluator
from tablewright.analyst.plan import Plan
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language

HEAD_ROWS = 20_000
"""Tables with more rows are cut to so many: few enough for some seconds, and of orders enough for some weeks."""


class HeadPlanEvaluator:
    """A `PlanEvaluator` that has `evaluator` see only the first `rows` rows of each table."""

    def __init__(self, evaluator: PlanEvaluator, *, rows: int = HEAD_ROWS) -> None:
        self._evaluator = evaluator
        self._rows = rows

    async def evaluate(
        self, plans: Sequence[Plan], datasets: Sequence[DatasetFacts], *, language: Language = "en"
    ) -> tuple[Evaluated, ...]:
        heads = [head_of(dataset, self._rows) for dataset in datasets]
        return await self._evaluator.evaluate(plans, heads, language=language)


def head_of(dataset: DatasetFacts, rows: int = HEAD_ROWS) -> DatasetFacts:
    """Return a table's facts so that only its first `rows` rows are read. A table is left whole where rows of the file
    are dropped or merged, since it is not known then where its row `rows` is, and one that is no part of rows."""
    read = dataset.read
    in_rows = read.kind in {"csv", "xlsx", "xls"} and dataset.table is None
    if dataset.rows <= rows or not in_rows or read.left_out or read.blank_rows or read.fill_ranges:
        return dataset
    first = read.first_row
    if first is None:
        first = read.header_rows[-1] + 1 if read.header_rows else 0
    return replace(dataset, rows=rows, read=replace(read, last_row=first + rows - 1))
