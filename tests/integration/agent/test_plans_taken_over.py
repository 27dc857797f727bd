"""Plans pass from process to process: whatever is killed, and whenever, what was finished is not done again.

Of the four tasks that are carried out at the same time one fails, and one hangs until its time is over.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.killed_plan import AT_ONCE, PlanHistory, check, kept_of, service_on
from tests.support.killing import Killing

from tablewright.domain.ids import SystemClock, Uuid7Ids
from tablewright.service.runs.leases import this_instance
from tablewright.store.memory import MemoryStore
from tablewright.store.sql import SqlStore


@pytest.mark.requirement("plans-are-taken-over")
async def test_a_plan_goes_on_after_its_process_died_at_any_append(tmp_path: Path) -> None:
    number, died = 0, True
    in_the_middle = 0
    while died:
        number += 1
        for written in (True, False):
            store = MemoryStore()
            history = PlanHistory(store, tmp_path)
            await history.begin(number, written=written)
            died = history.life.dead
            await history.finish()
            await check(history.told, store, history.run, history.acted, history.kept, history.kills)
            in_the_middle += 0 < len(history.kept) < AT_ONCE
    assert in_the_middle > 10


async def goes_on_after_a_kill_at(number: int, folder: Path, killing: Killing) -> bool:
    """Kill a process at one of its appends; the next brings its plan to the end.

    Returns whether there was an append of this number to be killed at.
    """
    left = await killing.at(number, "tests.integration.agent.killed_plan_process", folder)
    store = SqlStore(left.url)
    await store.open()
    effects = folder / "effects"
    kept = await kept_of(store, left.run_id, effects.read_text().split() if effects.exists() else [])
    told = service_on(store, folder, this_instance(Uuid7Ids().new(), SystemClock().now()))
    await told.bench.runs.open_up()
    run = await told.bench.runs.get(told.bench.scope, left.run_id)
    await told.ended(run)
    await check(told, store, run, effects.read_text().split(), kept, int(left.killed))
    await told.close()
    await store.close()
    return left.killed


@pytest.mark.requirement("plans-are-taken-over")
@pytest.mark.parametrize("number", [7, 10])
async def test_a_plan_goes_on_after_its_process_was_killed(tmp_path: Path, number: int, killing: Killing) -> None:
    assert await goes_on_after_a_kill_at(number, tmp_path, killing)


@pytest.mark.long
@pytest.mark.requirement("plans-are-taken-over")
async def test_a_plan_goes_on_after_its_process_was_killed_at_any_append(
    tmp_path_factory: pytest.TempPathFactory, killing: Killing
) -> None:
    number = 1
    while await goes_on_after_a_kill_at(number, tmp_path_factory.mktemp("one"), killing):
        number += 1
    assert number > 10
