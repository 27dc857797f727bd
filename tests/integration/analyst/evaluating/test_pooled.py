"""Plans are executed on stored files in real child processes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from tablewright.analyst.evaluating.base import PlanEvaluator
from tablewright.analyst.evaluating.conformance import FILE, TOTALS, PlanEvaluatorConformance, facts, plan
from tablewright.analyst.evaluating.pooled import PooledPlanEvaluator
from tablewright.analyst.plan import Join, Source
from tablewright.bootstrap.evaluating import plan_evaluator
from tablewright.bootstrap.loader import STORED_COLUMNS
from tablewright.data.base import OpenLimits
from tablewright.data.pool import WorkerPool
from tablewright.domain.dataset import DatabaseTable, DatasetFacts
from tablewright.domain.ids import SystemClock
from tablewright.domain.scope import Scope
from tablewright.store.blobs import BlobFolder

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool() -> AsyncIterator[WorkerPool]:
    opened = WorkerPool(OpenLimits(), size=1)
    yield opened
    await opened.stop()


@pytest_asyncio.fixture(loop_scope="module")
async def blobs(tmp_path: Path) -> BlobFolder:
    return BlobFolder(tmp_path, SystemClock())


@pytest_asyncio.fixture(loop_scope="module")
async def stored(blobs: BlobFolder) -> DatasetFacts:
    ref = await blobs.put(Scope(), FILE.encode())
    return facts(ref.sha256)


class TestPooledPlanEvaluator(PlanEvaluatorConformance):
    pytestmark = pytest.mark.asyncio(loop_scope="module")

    @pytest.fixture
    def evaluator(self, pool: WorkerPool, blobs: BlobFolder) -> PlanEvaluator:
        return plan_evaluator(pool, blobs)

    @pytest.fixture
    def dataset(self, stored: DatasetFacts) -> DatasetFacts:
        return stored


async def test_a_table_that_cannot_be_had_fails_its_plans_only(
    pool: WorkerPool, blobs: BlobFolder, stored: DatasetFacts
) -> None:
    gone = replace(stored, id="gone", content="0" * 64)
    changed = replace(stored, id="changed", rows=9)
    excerpt = replace(stored, id="excerpt", table=DatabaseTable(connection="c", dialect="sqlite", name="t"))
    both = Join(left=Source(dataset_id="sales"), right=Source(dataset_id="changed"), on=(("city", "city"),))
    plans = [plan(Source(dataset_id=one)) for one in ("gone", "changed", "excerpt")]
    found = await plan_evaluator(pool, blobs).evaluate(
        (*plans, plan(both), plan(TOTALS)), (stored, gone, changed, excerpt)
    )
    changed_code = "unreadable:file_damaged"
    assert [one.failure for one in found] == ["unknown:gone", changed_code, "excerpt", changed_code, None]


async def test_plans_that_take_too_long_fail_with_the_time(
    pool: WorkerPool, stored: DatasetFacts, tmp_path: Path
) -> None:
    class Places:
        async def path(self, dataset: DatasetFacts) -> Path:
            return tmp_path / "sales.csv"

    (tmp_path / "sales.csv").write_text(FILE, encoding="utf-8")
    hurried = PooledPlanEvaluator(pool, Places(), STORED_COLUMNS, within_s=-1.0)
    (found,) = await hurried.evaluate((plan(TOTALS),), (stored,))
    assert found.failure == "time"
