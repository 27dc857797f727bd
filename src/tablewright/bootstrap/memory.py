"""Hands the memory that was freed back to the system while a service runs: its allocator keeps it for later."""

from __future__ import annotations

import asyncio
import ctypes
import gc
from collections.abc import Callable
from contextlib import AsyncExitStack

from tablewright.domain.ids import Clock
from tablewright.method_code import METHODS

EVERY_S = 30.0
"""Seconds between two times. Each takes a few milliseconds of a thread of its own, and holds nobody up."""
COLLECT_AFTER = (700, 10, 10)
"""When a service looks for garbage, as by default; its command looks seldom, as what it imports stays."""


def hand_back() -> None:
    """Return free memory to the system, where the C library can be told to."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def settle() -> None:
    """Have the collector pass over all that is in use now."""
    gc.collect()
    gc.freeze()


def hand_back_at_times(clock: Clock, stack: AsyncExitStack, hand_back: Callable[[], None] = hand_back) -> None:
    """Begin to hand memory back every `EVERY_S` seconds until `stack` is closed; returns at once.

    What is there when this is called, and what has been imported by the first of these times, is no longer looked at
    for garbage: each look at all of it would hold up every run by a tenth of a second.
    """
    gc.set_threshold(*COLLECT_AFTER)
    gc.freeze()
    task = asyncio.create_task(_hand_back(clock, hand_back), name="memory")

    async def end() -> None:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    stack.push_async_callback(end)


async def _hand_back(clock: Clock, hand_back: Callable[[], None]) -> None:
    await clock.sleep(EVERY_S)
    await asyncio.to_thread(METHODS.end)  # nearly everything has been imported
    settle()
    while True:
        await asyncio.to_thread(hand_back)
        await clock.sleep(EVERY_S)
