from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from tests.support.patience import PATIENCE_S

from tablewright.domain.ids import ManualClock
from tablewright.errors import SandboxUnavailable
from tablewright.sandbox.base import ErrorOutput, Sandbox, Session, TextOutput
from tablewright.sandbox.conformance import LeasesConformance, ParkingConformance, QueueConformance
from tablewright.sandbox.conformance.examples import SCOPE, SCRIPT, end, one, run
from tablewright.sandbox.memory import MemorySandbox, Pause


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    fake = MemorySandbox(SCRIPT)
    await fake.start()
    yield fake
    await fake.stop()


@pytest.fixture
async def session(sandbox: Sandbox) -> Session:
    return await sandbox.acquire(SCOPE)


@pytest.fixture
async def small() -> AsyncIterator[Sandbox]:
    fake = MemorySandbox(SCRIPT, limit=1, wait_s=PATIENCE_S)
    await fake.start()
    yield fake
    await fake.stop()


@pytest.fixture
async def short_queue() -> AsyncIterator[Sandbox]:
    fake = MemorySandbox(SCRIPT, limit=1, wait_s=0.1)
    await fake.start()
    yield fake
    await fake.stop()


class TestMemoryLeases(LeasesConformance):
    pass


class TestMemoryParking(ParkingConformance):
    pass


class TestMemoryQueue(QueueConformance):
    pass


async def test_code_that_is_not_scripted_fails_and_is_never_run(session: Session) -> None:
    outputs = await run(session, "raise SystemExit(7)")
    assert one(outputs, ErrorOutput).name == "LookupError"
    assert end(outputs).status == "error"


async def test_nothing_is_leased_before_the_start() -> None:
    with pytest.raises(SandboxUnavailable):
        await MemorySandbox({}).acquire(SCOPE)


async def test_the_fake_remembers_what_was_asked_of_it() -> None:
    fake = MemorySandbox(lambda _code: ())
    await fake.start()
    await run(await fake.acquire(SCOPE), "x = 1")
    assert [session.executed for session in fake.sessions] == [["x = 1"]]


async def test_code_that_takes_its_time_takes_it_by_the_clock() -> None:
    clock = ManualClock()
    fake = MemorySandbox({"slow": (Pause(seconds=3600.0), TextOutput(text="at last"))}, clock=clock)
    await fake.start()
    running = asyncio.create_task(run(await fake.acquire(SCOPE), "slow"))
    for _ in range(5):
        await asyncio.sleep(0)
    assert not running.done()
    await clock.advance(3600.0)
    assert one(await running, TextOutput).text == "at last"
    await fake.stop()
