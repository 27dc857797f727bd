"""Several processes on one database: one dies, one stops the other's run, one watches the other's."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from tests.support.databases import sqlite_url
from tests.support.patience import PATIENCE_S, slow
from tests.support.service_bench import Bench, bench
from tests.unit.service.scripts import answering

from tablewright.domain.ids import SystemClock, Uuid7Ids
from tablewright.service.runs.leases import process_alive, this_instance
from tablewright.service.runs.runs import Ask
from tablewright.store.sql import SqlStore


@asynccontextmanager
async def owner(folder: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, str, str]]:
    """Another process with a run that does not end; gives the ids of the run and of its conversation."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.integration.service.owner_process",
        str(folder),
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    )
    try:
        assert process.stdout is not None
        line = await asyncio.wait_for(process.stdout.readline(), PATIENCE_S)
        run_id, conversation_id = line.decode().split()
        yield process, run_id, conversation_id
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@asynccontextmanager
async def service_at(path: Path) -> AsyncIterator[Bench]:
    """A service of this process on the same database."""
    store = SqlStore(sqlite_url(path))
    await store.open()
    this = this_instance(Uuid7Ids().new(), SystemClock().now())
    yield bench(path.parent, answering, store=store, instance=this, alive=process_alive)
    await store.close()


@pytest.mark.requirement("run-orphan-is-ended")
async def test_when_the_owner_is_killed_the_next_process_ends_its_run_and_the_conversation_goes_on(
    sqlite_path: Path,
) -> None:
    async with owner(sqlite_path.parent) as (process, run_id, conversation_id):
        process.send_signal(signal.SIGKILL)
        await process.wait()
        async with service_at(sqlite_path) as service:
            await service.runs.open_up()
            ended = await service.runs.get(service.scope, run_id)
            assert (ended.state, ended.outcome) == ("finished", "failed")
            assert ended.failure is not None
            assert ended.failure.code == "owner_lost"
            events = await service.events(ended)
            assert [event.seq for event in events] == list(range(1, ended.last_seq + 1))
            assert [event.body.type for event in events].count("run.finished") == 1
            assert events[-1].body.type == "run.finished"
            again = await service.runs.start(service.scope, conversation_id, Ask(text="And now?"))
            assert (await service.settled(again)).outcome == "completed"
            await service.runs.close()


@pytest.mark.requirement("run-of-a-live-process-is-left-alone")
async def test_a_process_that_opens_leaves_the_runs_of_a_live_one_alone(sqlite_path: Path) -> None:
    async with owner(sqlite_path.parent) as (_, run_id, _), service_at(sqlite_path) as service:
        await service.runs.open_up()
        run = await service.runs.get(service.scope, run_id)
        assert run.state == "running"
        watcher = service.runs.follow(service.scope, run_id, after=run.last_seq)
        async with asyncio.timeout(PATIENCE_S):
            assert (await anext(watcher)).seq == run.last_seq + 1
        await service.runs.cancel(service.scope, run_id)
        async with asyncio.timeout(PATIENCE_S):
            rest = [event async for event in watcher]
        assert rest[-1].body.type == "run.finished"
        stopped = await service.runs.get(service.scope, run_id)
        assert stopped.outcome == "cancelled"
        assert stopped.cancel_requested_at is not None
        assert stopped.finished_at is not None
        assert stopped.finished_at - stopped.cancel_requested_at < timedelta(seconds=slow(1.0))
        await service.runs.close()
