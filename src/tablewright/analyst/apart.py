"""Reading apart from the event loop: a long sentence about a wide table takes seconds, and nobody else waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import DistinctValues

T = TypeVar("T")
READERS = 2
"""So many sentences are read at the same time; more wait their turn."""


class FerriedValues:
    """A `ValueLookup` for another thread: what it is asked is looked up on the loop that `values` belongs to."""

    def __init__(self, values: ValueLookup, home: asyncio.AbstractEventLoop) -> None:
        self._values = values
        self._home = home

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        looking = asyncio.run_coroutine_threadsafe(self._values.values(profile_ref, column), self._home)
        return await asyncio.wrap_future(looking)


class Apart:
    """Does what takes long in a few threads of its own; who awaits it may leave, then it ends unheard."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="analyst")

    async def do(self, values: ValueLookup, work: Callable[[ValueLookup], Coroutine[Any, Any, T]]) -> T:
        """Return what `work` returns; it is given `values` as they can be asked from there."""
        home = asyncio.get_running_loop()
        return await home.run_in_executor(self._threads, lambda: asyncio.run(work(FerriedValues(values, home))))
