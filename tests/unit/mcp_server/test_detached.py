from __future__ import annotations

import asyncio

import anyio
import pytest

from tablewright.mcp_server.detached import CallStopped, detached


class Work:
    """Waits until it is stopped, and then has some steps of clearing up to do."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.cancels = 0
        self.cleared = False

    async def __call__(self) -> str:
        self.begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancels += 1
            for _ in range(5):
                try:
                    await asyncio.sleep(0)
                except asyncio.CancelledError:
                    self.cancels += 1
            self.cleared = True
            raise asyncio.CancelledError from None  # it does not come back as it went in
        return "never"


@pytest.mark.requirement("mcp-cancel-leaves-nothing")
async def test_a_scope_that_cancels_again_and_again_cancels_the_work_once_and_waits_for_its_clearing_up() -> None:
    work = Work()
    with anyio.CancelScope() as scope:
        async with anyio.create_task_group() as group:
            group.start_soon(_cancel_when_begun, work, scope)
            await detached(work())
    assert scope.cancelled_caught
    assert (work.cancels, work.cleared) == (1, True)
    assert asyncio.current_task().cancelling() == 0  # type: ignore[union-attr]  # a test is a task


async def test_a_task_that_is_cancelled_stops_the_work() -> None:
    work = Work()
    task = asyncio.create_task(detached(work()))
    await work.begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert work.cleared


async def test_a_client_that_has_gone_stops_the_work_and_the_call_ends_as_an_error() -> None:
    work, gone = Work(), asyncio.Event()
    task = asyncio.create_task(detached(work(), gone))
    await work.begun.wait()
    gone.set()
    with pytest.raises(CallStopped):
        await task
    assert work.cleared


async def test_what_the_work_returns_or_raises_comes_out() -> None:
    async def fails() -> None:
        raise ValueError("no")

    async def works() -> int:
        await asyncio.sleep(0)
        return 7

    assert await detached(works(), asyncio.Event()) == 7
    with pytest.raises(ValueError, match="no"):
        await detached(fails())


async def _cancel_when_begun(work: Work, scope: anyio.CancelScope) -> None:
    await work.begun.wait()
    scope.cancel()
