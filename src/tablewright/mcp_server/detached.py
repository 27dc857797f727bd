"""Runs the work of a call in a separate task, which ends when the call is cancelled or its client disconnects."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import anyio

STOP_S = 10.0

T = TypeVar("T")


class CallStopped(Exception):
    """The work was stopped although its call was not cancelled: the client has disconnected."""


async def detached(work: Coroutine[Any, Any, T], gone: asyncio.Event | None = None) -> T:
    """Return the result of `work`, run in a task of its own. When the caller is cancelled or `gone` is set, `work` is
    cancelled and awaited (bounded); in the latter case `CallStopped` is raised.

    The MCP library cancels a call through a cancel scope, repeatedly until the call has ended. That would also cancel
    cleanup halfway, and a cancellation that returns by another path than it came would end the whole session. Hence
    `work` is cancelled only once.
    """
    task = asyncio.create_task(work)
    leaving = asyncio.create_task(gone.wait()) if gone is not None else None
    try:
        await asyncio.wait({task, *filter(None, (leaving,))}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        if leaving is not None:
            leaving.cancel()
        await _ended(task)
    if not task.done() or task.cancelled():
        raise CallStopped
    return task.result()


async def _ended(task: asyncio.Task[Any]) -> None:
    """Cancel `task` unless it has ended, and wait for it, shielded from any surrounding cancellation."""
    if not task.done():
        task.cancel()
        with anyio.move_on_after(STOP_S, shield=True):
            await asyncio.wait((task,))
    if task.done() and not task.cancelled():
        task.exception()  # the caller has gone, so nobody can receive what the work raised
