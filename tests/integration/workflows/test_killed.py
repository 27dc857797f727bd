"""A workflow whose process is killed at an append goes on in the next: no node that had ended runs again, nothing is
asked twice, and the outcome is the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.killed_workflow import FLOW, answered, bench_on, whole
from tests.support.killing import Killing

from tablewright.domain.ids import SystemClock, Uuid7Ids
from tablewright.service.runs.leases import this_instance
from tablewright.store.sql import SqlStore


async def goes_on_after_a_kill_at(number: int, folder: Path, killing: Killing) -> bool:
    """Return whether there was an append of this number to be killed at."""
    left = await killing.at(number, "tests.integration.workflows.killed_process", folder)
    store = SqlStore(left.url)
    await store.open()
    bench = bench_on(store, folder, this_instance(Uuid7Ids().new(), SystemClock().now()))
    await bench.bench.runs.open_up()
    run = await bench.bench.runs.get(bench.bench.scope, left.run_id)
    await answered(bench, run)
    await whole(bench, run, folder)
    await bench.close()
    await store.close()
    return left.killed


@pytest.mark.parametrize("number", [2, 5, 9])
async def test_a_workflow_goes_on_after_its_process_was_killed(tmp_path: Path, number: int, killing: Killing) -> None:
    assert await goes_on_after_a_kill_at(number, tmp_path, killing)


@pytest.mark.long
async def test_a_workflow_goes_on_after_its_process_was_killed_at_any_append(
    tmp_path_factory: pytest.TempPathFactory, killing: Killing
) -> None:
    number = 1
    while await goes_on_after_a_kill_at(number, tmp_path_factory.mktemp("one"), killing):
        number += 1
    assert number > len(FLOW.nodes)
