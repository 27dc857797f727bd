"""A sandbox that starts in the background."""

from __future__ import annotations

import pytest
from tests.support.parts import NoSandbox

from tablewright.errors import SandboxUnavailable
from tablewright.sandbox.base import LeaseScope, Level
from tablewright.sandbox.lazy import LazySandbox


async def test_who_needs_a_session_is_told_why_the_sandbox_did_not_start() -> None:
    problem = SandboxUnavailable(level="NONE", required="L1")
    sandbox = LazySandbox(NoSandbox(problem))
    await sandbox.start()
    with pytest.raises(SandboxUnavailable) as raised:
        await sandbox.acquire(LeaseScope(run_id="r"))
    assert raised.value is problem
    assert sandbox.level() is Level.NONE


@pytest.mark.requirement("sandbox-failed-start-is-retried")
async def test_a_start_that_failed_is_tried_again_by_the_next_who_needs_it() -> None:
    inner = NoSandbox(SandboxUnavailable(level="NONE", required="L1"))
    sandbox = LazySandbox(inner)
    await sandbox.start()
    with pytest.raises(SandboxUnavailable):
        await sandbox.ready()
    inner.problem = None
    await sandbox.ready()
    assert sandbox.level() is Level.L2


async def test_an_unexpected_failure_is_told_as_an_unavailable_sandbox() -> None:
    sandbox = LazySandbox(NoSandbox(OSError("no fork")))
    await sandbox.start()
    with pytest.raises(SandboxUnavailable):
        await sandbox.ready()


async def test_stopping_before_it_has_started_stops_the_start() -> None:
    inner = NoSandbox()
    sandbox = LazySandbox(inner)
    await sandbox.start()
    await sandbox.stop()
    assert inner.stopped
