from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tablewright.errors import SandboxUnavailable
from tablewright.sandbox.base import ErrorOutput, Sandbox, Session
from tablewright.sandbox.conformance import LeasesConformance, ParkingConformance, QueueConformance
from tablewright.sandbox.conformance.examples import SCOPE, SCRIPT, end, one, run
from tablewright.sandbox.memory import MemorySandbox


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
    fake = MemorySandbox(SCRIPT, limit=1, wait_s=1.0)
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
