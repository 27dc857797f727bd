"""Workers that are ill are replaced before anybody gets one, and a full pool says so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.support.patience import PATIENCE_S

from tablewright.domain.ids import ManualClock
from tablewright.errors import Busy
from tablewright.sandbox import workers
from tablewright.sandbox.conformance.examples import PRINTS, SCOPE, end, run, until
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.sandbox import EmbeddedSandbox
from tablewright.sandbox.pool import PoolSize


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def sandbox(tmp_path: Path, clock: ManualClock) -> AsyncIterator[EmbeddedSandbox]:
    size = PoolSize(minimum=2, maximum=2, waiting=1, wait_s=PATIENCE_S)
    running = EmbeddedSandbox(EmbeddedConfig(folder=tmp_path, preload=(), size=size), clock=clock)
    await running.start()
    await until(lambda: running.stats().idle == 2)
    yield running
    await running.stop()


@pytest.mark.requirement("sandbox-sick-workers-replaced")
async def test_a_worker_that_lives_but_does_not_answer_is_replaced_at_the_next_look(
    sandbox: EmbeddedSandbox, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_PING_S", 3.0)
    sick, well = sandbox._pool._idle
    sick.pause()
    await clock.advance(29)
    assert sick in sandbox._pool._idle
    await clock.advance(2)
    await until(lambda: sandbox.stats().idle == 2 and sick not in sandbox._pool._idle)
    assert well in sandbox._pool._idle
    assert (await sick.ended()).code == -9
    for session in [await sandbox.acquire(SCOPE), await sandbox.acquire(SCOPE)]:
        assert end(await run(session, PRINTS)).status == "ok"
        await session.release()


@pytest.mark.requirement("sandbox-queue-bounded")
async def test_a_full_queue_refuses_at_once_and_goes_on_in_order(sandbox: EmbeddedSandbox) -> None:
    first, second = await sandbox.acquire(SCOPE), await sandbox.acquire(SCOPE)
    waiting = asyncio.create_task(sandbox.acquire(SCOPE))
    await until(lambda: sandbox.stats().waiting == 1)
    async with asyncio.timeout(PATIENCE_S):
        with pytest.raises(Busy) as refused:
            await sandbox.acquire(SCOPE)
    assert refused.value.params["what"] == "sandbox"
    await first.release()
    async with asyncio.timeout(PATIENCE_S):
        third = await waiting
    assert end(await run(third, PRINTS)).status == "ok"
    await second.release()
    await third.release()
