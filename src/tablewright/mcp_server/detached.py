"""Works on a call in a task of its own, which ends when the call is cancelled or its client has gone."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import anyio

STOP_S = 10.0

T = TypeVar("T")


class CallStopped(Exception):
    """The work ended before it was done, and its call was not cancelled: its client has gone."""


async def detached(work: Coroutine[Any, Any, T], gone: asyncio.Event | None = None) -> T:
    """Return what `work` returns. When this is cancelled, or `gone` is set, `work` is cancelled and waited for (bounded);
    for `gone`, `CallStopped` is raised.

    The protocol's library cancels a call by a scope, again and again until the call has ended: what cleans up would be
    cancelled in the middle of that too, and a cancellation that comes back by another way than it went in would end the
    whole session. `work` is cancelled once."""
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
    """Cancel `task` where it has not ended, and wait for that, whatever else is being cancelled around this."""
    if not task.done():
        task.cancel()
        with anyio.move_on_after(STOP_S, shield=True):
            await asyncio.wait((task,))
    if task.done() and not task.cancelled():
        task.exception()  # whoever called has gone: what the work raised at the end is for nobody
