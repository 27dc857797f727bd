"""Trees of runs pass from process to process: whatever is killed, and whenever, nothing is lost and nothing doubled."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.support.killing import Killing
from tests.support.parent_agents import STEPS, TASKS, service_on, whole
from tests.support.patience import PATIENCE_S

from tablewright.domain.ids import SystemClock, Uuid7Ids
from tablewright.service.runs.leases import this_instance
from tablewright.store.sql import SqlStore

RUNS = 50


@asynccontextmanager
async def process(url: str, folder: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    started = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.integration.service.takeover_process",
        url,
        str(folder),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    )
    try:
        yield started
    finally:
        if started.returncode is None:
            started.kill()
        await started.wait()


async def told(one: asyncio.subprocess.Process, line: str) -> str:
    """Send a line and return the answer."""
    assert one.stdin is not None
    assert one.stdout is not None
    one.stdin.write(f"{line}\n".encode())
    return (await asyncio.wait_for(one.stdout.readline(), PATIENCE_S)).decode().strip()


def effects(folder: Path) -> list[str]:
    return sorted((folder / "effects").read_text().split())


ALL_EFFECTS = sorted(f"{task}{number}" for task in TASKS for number in range(STEPS))


async def goes_on_after_a_kill_at(number: int, folder: Path, killing: Killing) -> bool:
    """Kill a process at one of its appends; the next takes all its runs over and brings them to their end.

    Returns whether there was an append of this number to be killed at.
    """
    left = await killing.at(number, "tests.integration.service.takeover_process", folder)
    store = SqlStore(left.url)
    await store.open()
    service = service_on(store, folder, this_instance(Uuid7Ids().new(), SystemClock().now()))
    await service.runs.open_up()
    await whole(service, await service.runs.get(service.scope, left.run_id))
    assert effects(folder) == ALL_EFFECTS
    await service.runs.close()
    await store.close()
    return left.killed


@pytest.mark.requirement("runs-are-taken-over")
@pytest.mark.parametrize("number", [2, 9, 16])
async def test_a_tree_goes_on_after_its_process_was_killed(tmp_path: Path, number: int, killing: Killing) -> None:
    assert await goes_on_after_a_kill_at(number, tmp_path, killing)


@pytest.mark.long
@pytest.mark.requirement("runs-are-taken-over")
async def test_a_tree_goes_on_after_its_process_was_killed_at_any_append(
    tmp_path_factory: pytest.TempPathFactory, killing: Killing
) -> None:
    number = 1
    while await goes_on_after_a_kill_at(number, tmp_path_factory.mktemp("one"), killing):
        number += 1
    assert number > len(TASKS) * STEPS


@pytest.mark.long
@pytest.mark.requirement("runs-are-taken-over")
async def test_a_rolling_restart_of_two_servers_loses_and_doubles_no_run(postgres_url: str, tmp_path: Path) -> None:
    store = SqlStore(postgres_url)
    await store.open()
    service = service_on(store, tmp_path, this_instance(Uuid7Ids().new(), SystemClock().now()))
    run_ids: list[str] = []
    async with process(postgres_url, tmp_path) as one, process(postgres_url, tmp_path) as other:
        for _ in range(RUNS // 2):
            run_ids += [await told(one, "ask"), await told(other, "ask")]
        assert await told(one, "close") == "closed"
        async with process(postgres_url, tmp_path):
            assert await told(other, "close") == "closed"
            async with process(postgres_url, tmp_path):
                for run_id in run_ids:
                    await whole(service, await service.runs.get(service.scope, run_id))
    await store.close()
