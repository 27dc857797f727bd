"""The execution of plans on stored tables, in the child processes that read files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablewright.analyst.evaluating.base import Evaluated, PlanEvaluator
from tablewright.bootstrap.loader import PLAN_EVALUATOR, STORED_COLUMNS, load
from tablewright.domain.scope import Scope, acting_scope
from tablewright.errors import NotFound

if TYPE_CHECKING:
    from tablewright.analyst.plan import Plan
    from tablewright.data.pool import WorkerPool
    from tablewright.domain.dataset import DatasetFacts
    from tablewright.domain.language import Language
    from tablewright.store.base import BlobStore


def plan_evaluator(pool: WorkerPool, blobs: BlobStore) -> PlanEvaluator:
    """Return what executes plans with `pool`. Nothing of it is imported before the first plan."""
    return LazyPlanEvaluator(pool, blobs)


class LazyPlanEvaluator:
    """Implements `PlanEvaluator`."""

    def __init__(self, pool: WorkerPool, blobs: BlobStore) -> None:
        self._pool = pool
        self._places = BlobPlaces(blobs)
        self._made: PlanEvaluator | None = None

    async def evaluate(
        self, plans: Sequence[Plan], datasets: Sequence[DatasetFacts], *, language: Language = "en"
    ) -> tuple[Evaluated, ...]:
        if self._made is None:
            self._made = load(PLAN_EVALUATOR)(self, self._places, STORED_COLUMNS)
        return await self._made.evaluate(plans, datasets, language=language)

    async def call(self, operation: str, path: Path, arguments: Mapping[str, Any]) -> bytes:
        """Run an operation in a child process."""
        return await self._pool.call(operation, path, arguments)


class BlobPlaces:
    """Finds the stored files of data sets by the hash of their content, which the facts of a run state.

    A blob is kept for its tenant: the one on whose behalf the question is answered.
    """

    def __init__(self, blobs: BlobStore) -> None:
        self._blobs = blobs

    async def path(self, dataset: DatasetFacts) -> Path | None:
        """Return the file that holds a data set; None if it is not known, or gone."""
        if dataset.content is None:
            return None
        try:
            return await self._blobs.path(acting_scope() or Scope(), dataset.content)
        except NotFound:
            return None
