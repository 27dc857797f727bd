"""On PostgreSQL, what one process does wakes the others at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.patience import PATIENCE_S
from tests.support.service_bench import bench
from tests.unit.service.scripts import answering, endless

from tablewright.domain.ids import ManualClock
from tablewright.domain.scope import SystemScope
from tablewright.errors import StoreUnavailable
from tablewright.store.conformance.examples import ANN, after, batch, begun, progress
from tablewright.store.run_store import Instance, RunNotice
from tablewright.store.sql import SqlStore

SYSTEM = SystemScope(instance_id="i-9")


async def test_the_server_tells_of_events_and_cancels(postgres_store: SqlStore) -> None:
    heard: list[RunNotice] = []

    async def hear() -> None:
        async for notice in postgres_store.notices(SYSTEM):
            heard.append(notice)  # looked at while it grows
            if notice.cancel:
                return

    await begun(postgres_store)
    hearing = asyncio.create_task(hear())
    async with asyncio.timeout(PATIENCE_S):
        while not heard:  # until the server has taken note that somebody listens
            await postgres_store.log.append(ANN, batch(*progress(1)))
            await asyncio.wait((hearing,), timeout=0.01)
        await postgres_store.runs.request_cancel(ANN, "r-1", at=after(1))
        await postgres_store.runs.request_cancel(ANN, "r-1", at=after(2))
        await hearing
    assert heard[0] == RunNotice(run_id="r-1", cancel=False)
    assert [notice for notice in heard if notice.cancel] == [RunNotice(run_id="r-1", cancel=True)]


async def test_a_file_tells_nothing(sqlite_store: SqlStore) -> None:
    assert [notice async for notice in sqlite_store.notices(SYSTEM)] == []


async def test_a_server_that_does_not_answer_is_said() -> None:
    store = SqlStore("postgresql+psycopg://ann:secret@127.0.0.1:1/none")
    with pytest.raises(StoreUnavailable) as refused:
        await anext(store.notices(SYSTEM))
    assert "secret" not in str(refused.value)
    await store.close()


async def test_a_watcher_and_a_stop_in_another_process_need_no_look(postgres_store: SqlStore, tmp_path: Path) -> None:
    still = ManualClock()  # whoever looks from time to time never does
    one, two = (Instance(id=host, host=host, pid=1, boot_id="b", heartbeat_at=after(0)) for host in ("one", "two"))
    owner = bench(tmp_path, endless, store=postgres_store, instance=one)
    other = bench(tmp_path, answering, store=postgres_store, clock=still, instance=two)
    run = await owner.ask()
    await owner.runs.open_up()
    await other.runs.open_up()
    watcher: AsyncIterator[object] = other.runs.follow(other.scope, run.id)
    async with asyncio.timeout(PATIENCE_S):
        for _ in range(12):
            await anext(watcher)
        await owner.runs.cancel(owner.scope, run.id)
        rest = [event async for event in watcher]
    assert rest
    await other.runs.close()
    await owner.runs.close()
