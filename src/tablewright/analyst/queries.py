"""The part of a plan that databases answer: which queries it needs, and what is left for code once they were made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from tablewright.analyst.plan import Plan
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, ReadOptions
from tablewright.domain.language import Language
from tablewright.domain.table import Table
from tablewright.domain.task import StepFacts

MOST_ROWS = 10_000
"""How many rows of a result are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A relation of a plan as a statement: `dataset_id` is the data set that stands for its result, which has these
    columns."""

    sql: str
    connection: str
    dataset_id: str
    columns: tuple[ColumnFacts, ...]
    renamed: bool = False
    """Some columns have other names in the statement, because servers might change or confuse their own."""

    def arguments(self) -> dict[str, object]:
        """Return the arguments of `query_database` that make this query."""
        return {
            "query": self.sql,
            "connection": self.connection,
            "max_rows": MOST_ROWS,
            "save_as": f"{self.dataset_id}.json",
            "response_format": "standard",
        }

    def facts(self, made: StepFacts) -> DatasetFacts:
        """Return the facts of its result. Raises ValueError if that was not kept."""
        if made.query is None or made.query.path is None:
            raise ValueError("the result of the query was not kept")
        return DatasetFacts(
            id=self.dataset_id,
            name=self.dataset_id,
            file_name=PurePosixPath(made.query.path).name,
            path=made.query.path,
            read=ReadOptions(kind="json", encoding="utf-8", by_column=True, header_rows=(), renamed=self.renamed),
            rows=made.query.rows,
            columns=self.columns,
            sample=Table(columns=(), rows=(), total_rows=made.query.rows),
            profile_ref="",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitPlan:
    """A plan some of whose relations are results of queries."""

    plan: Plan
    queries: tuple[Query, ...]


Splitter = Callable[[Plan, Sequence[DatasetFacts], Language], SplitPlan]
"""Finds the largest parts of a plan that databases can answer."""


def nothing_to_query(plan: Plan, datasets: Sequence[DatasetFacts], language: Language) -> SplitPlan:  # noqa: ARG001
    """Leave all of a plan to code."""
    return SplitPlan(plan=plan, queries=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What is to be done for a plan: first these queries, or, where there are none, the code of `plan`."""

    plan: Plan
    datasets: tuple[DatasetFacts, ...]
    queries: tuple[Query, ...] = ()


def work(plan: Plan, datasets: Sequence[DatasetFacts], progress: Sequence[StepFacts], split: SplitPlan | None) -> Work:
    """Return what is left of a plan. If one of its queries failed, all of it is left to code over what was read."""
    whole = Work(plan=plan, datasets=tuple(datasets))
    if split is None or not split.queries:
        return whole
    made = {step.code: step for step in progress if step.query is not None}
    if any(query.sql in made and not _kept(made[query.sql]) for query in split.queries):
        return whole
    if left := tuple(query for query in split.queries if query.sql not in made):
        return replace(whole, queries=left)
    results = [query.facts(made[query.sql]) for query in split.queries]
    return Work(plan=split.plan, datasets=(*datasets, *results))


def _kept(step: StepFacts) -> bool:
    return step.error is None and step.query is not None and step.query.path is not None
