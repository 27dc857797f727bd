"""Waiting for the first of several awaitables."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from functools import partial
from typing import Any


async def first_of(*waits: Coroutine[Any, Any, object]) -> None:
    """Return when one of `waits` has ended, cancelling the others; raise what the ended one raised."""
    tasks = [asyncio.create_task(wait) for wait in waits]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


async def set_within(event: asyncio.Event, pause: Coroutine[Any, Any, None]) -> None:
    """Return once `event` is set, as it is at the end of `pause` too. Called often, and cheaper than `first_of`."""
    if event.is_set():
        pause.close()
        return
    timer = asyncio.create_task(pause)
    timer.add_done_callback(partial(_ring, event))
    try:
        await event.wait()
    finally:
        timer.cancel()


def _ring(event: asyncio.Event, timer: asyncio.Task[None]) -> None:
    if not timer.cancelled():
        event.set()
