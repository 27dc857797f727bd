"""A run that waits is a row, and nothing in the process that asked."""

from __future__ import annotations

import asyncio
import gc
import tracemalloc
from pathlib import Path

import pytest
from tests.support.service_bench import Bench, bench
from tests.unit.service.scripts import asking

from tablewright.store.sql import SqlStore

RUNS = 200
MOST_BYTES = 1_000


async def asked(service: Bench, count: int) -> None:
    """Begin runs that ask, and wait until they all rest."""
    for _ in range(count):
        run = await service.ask()
        assert (await service.settled(run)).state == "waiting"
        service.agent.given.clear()  # what the script was given is kept for other tests


@pytest.mark.requirement("run-waits-for-answers")
async def test_a_waiting_run_takes_less_than_a_kilobyte_of_its_process(sqlite_store: SqlStore, tmp_path: Path) -> None:
    service = bench(tmp_path, asking, store=sqlite_store)
    await asked(service, RUNS // 2)  # what is kept once, whatever the number of runs
    tasks = len(asyncio.all_tasks())
    tracemalloc.start()
    gc.collect()
    before, _ = tracemalloc.get_traced_memory()
    await asked(service, RUNS)
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert service.engine.live == ()
    assert len(asyncio.all_tasks()) <= tasks
    assert after - before <= MOST_BYTES * RUNS
