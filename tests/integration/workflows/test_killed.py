"""A workflow whose process is killed at an append goes on in the next: no node that had ended runs again, nothing is
asked twice, and the outcome is the same."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest
from tests.support.databases import sqlite_url
from tests.support.killed_workflow import FLOW, answered, bench_on, whole
from tests.support.patience import PATIENCE_S

from tablewright.domain.ids import SystemClock, Uuid7Ids
from tablewright.service.runs.leases import this_instance
from tablewright.store.sql import SqlStore


async def goes_on_after_a_kill_at(number: int, folder: Path) -> bool:
    """Return whether there was an append of this number to be killed at."""
    url = sqlite_url(folder / "store.db")
    killed = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.integration.workflows.killed_process",
        url,
        str(folder),
        str(number),
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    )
    try:
        assert killed.stdout is not None
        run_id = (await asyncio.wait_for(killed.stdout.readline(), PATIENCE_S)).decode().strip()
        await asyncio.wait_for(killed.wait(), PATIENCE_S)
    finally:
        if killed.returncode is None:
            killed.kill()
            await killed.wait()
    store = SqlStore(url)
    await store.open()
    bench = bench_on(store, folder, this_instance(Uuid7Ids().new(), SystemClock().now()))
    await bench.bench.runs.open_up()
    run = await bench.bench.runs.get(bench.bench.scope, run_id)
    await answered(bench, run)
    await whole(bench, run, folder)
    await bench.close()
    await store.close()
    return killed.returncode == -signal.SIGKILL


@pytest.mark.parametrize("number", [2, 5, 9])
async def test_a_workflow_goes_on_after_its_process_was_killed(tmp_path: Path, number: int) -> None:
    assert await goes_on_after_a_kill_at(number, tmp_path)


@pytest.mark.long
async def test_a_workflow_goes_on_after_its_process_was_killed_at_any_append(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    number = 1
    while await goes_on_after_a_kill_at(number, tmp_path_factory.mktemp("one")):
        number += 1
    assert number > len(FLOW.nodes)
