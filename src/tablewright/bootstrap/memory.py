"""Hands the memory that was freed back to the system while a service runs: its allocator keeps it for later."""

from __future__ import annotations

import asyncio
import ctypes
import gc
from collections.abc import Callable
from contextlib import AsyncExitStack

from tablewright.domain.ids import Clock

EVERY_S = 30.0
"""Seconds between two times. Each takes a few milliseconds of a thread of its own, and holds nobody up."""
COLLECT_AFTER = (700, 10, 10)
"""When a service looks for garbage, as by default; its command looks seldom, as what it imports stays."""


def hand_back() -> None:
    """Return free memory to the system, where the C library can be told to."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def hand_back_at_times(clock: Clock, stack: AsyncExitStack, hand_back: Callable[[], None] = hand_back) -> None:
    """Begin to hand memory back every `EVERY_S` seconds until `stack` is closed; returns at once."""
    gc.set_threshold(*COLLECT_AFTER)
    task = asyncio.create_task(_hand_back(clock, hand_back), name="memory")

    async def end() -> None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    stack.push_async_callback(end)


async def _hand_back(clock: Clock, hand_back: Callable[[], None]) -> None:
    while True:
        await clock.sleep(EVERY_S)
        await asyncio.to_thread(hand_back)
