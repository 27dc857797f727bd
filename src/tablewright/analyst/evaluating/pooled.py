"""Executes plans in the child processes that open users' files, which can be killed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from tablewright.analyst.evaluating.base import EXCERPT, Evaluated
from tablewright.analyst.evaluating.vectors import unknown
from tablewright.analyst.plan import Plan
from tablewright.analyst.plan_codec import plan_to_python
from tablewright.analyst.plan_walk import sources
from tablewright.domain.codec import from_json, to_python
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.language import Language
from tablewright.errors import FileTooLarge, TablewrightError

EXECUTE = "tablewright.analyst.evaluating.job:execute"
WITHIN_S = 2.0
"""The processor time that the plans of one question may take together, once their tables are read."""
MOST_ROWS = 200


class Jobs(Protocol):
    """Runs operations on users' files in child processes, as `data.pool.WorkerPool` does."""

    async def call(self, operation: str, path: Path, arguments: Mapping[str, Any]) -> bytes:
        """Run `operation` and return its bytes."""
        ...


class Places(Protocol):
    """Knows where the files of data sets are."""

    async def path(self, dataset: DatasetFacts) -> Path | None:
        """Return the file that holds a data set; None if it is not known."""
        ...


class PooledPlanEvaluator:
    """A `PlanEvaluator` over `jobs`; `reader` (`module:function`) reads tables there."""

    def __init__(
        self,
        jobs: Jobs,
        places: Places,
        reader: str,
        *,
        most_rows: int = MOST_ROWS,
        within_s: float = WITHIN_S,
    ) -> None:
        self._jobs = jobs
        self._places = places
        self._reader = reader
        self._most_rows = most_rows
        self._within_s = within_s

    async def evaluate(
        self, plans: Sequence[Plan], datasets: Sequence[DatasetFacts], *, language: Language = "en"
    ) -> tuple[Evaluated, ...]:
        known = {dataset.id: dataset for dataset in datasets}
        used = {one: await self._found(one, known) for one in dict.fromkeys(s for plan in plans for s in sources(plan))}
        failures = [next((used[one] for one in sources(plan) if isinstance(used[one], str)), None) for plan in plans]
        able = [plan for plan, failure in zip(plans, failures, strict=True) if failure is None]
        tables = {known[one].id: path for one, path in used.items() if isinstance(path, Path)}
        found = iter(await self._executed(able, tables, known, language))
        return tuple(
            next(found) if failure is None else Evaluated(failure=str(failure)) for failure in failures
        )  # fmt: skip

    async def _found(self, dataset_id: str, known: Mapping[str, DatasetFacts]) -> Path | str:
        """Return the file of a data set, or why its plans fail."""
        dataset = known.get(dataset_id)
        if dataset is None:
            return unknown(dataset_id)
        if dataset.table is not None and not dataset.table.complete:
            return EXCERPT
        if not dataset.exact:
            return "too_large"
        path = await self._places.path(dataset)
        return unknown(dataset_id) if path is None else path

    async def _executed(
        self, plans: Sequence[Plan], tables: Mapping[str, Path], known: Mapping[str, DatasetFacts], language: Language
    ) -> Sequence[Evaluated]:
        if not plans:
            return ()
        if not tables:
            return [Evaluated(failure="type") for _ in plans]
        needed = {one for plan in plans for one in sources(plan)}
        given = [(str(tables[one]), to_python(DatasetFacts, known[one])) for one in tables if one in needed]
        arguments = {
            "name": ", ".join(known[one].file_name for one in tables if one in needed),
            "reader": self._reader,
            "tables": given,
            "plans": [plan_to_python(plan) for plan in plans],
            "most_rows": self._most_rows,
            "language": language,
            "within_s": self._within_s,
        }
        try:
            return from_json(tuple[Evaluated, ...], await self._jobs.call(EXECUTE, Path(given[0][0]), arguments))
        except FileTooLarge:
            failure = "too_large"
        except TablewrightError as error:
            failure = f"unreadable:{error.code}"
        return [Evaluated(failure=failure) for _ in plans]
