"""Reading off the event loop: a long question about a wide table takes seconds, and must not hold up other requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from tablewright.data.base import ValueLookup
from tablewright.domain.dataset import DistinctValues

T = TypeVar("T")
READERS = 2
"""How many questions are read at the same time; further ones wait their turn."""


class FerriedValues:
    """A `ValueLookup` for use in another thread: lookups run on the event loop that `values` belongs to."""

    def __init__(self, values: ValueLookup, home: asyncio.AbstractEventLoop) -> None:
        self._values = values
        self._home = home

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        looking = asyncio.run_coroutine_threadsafe(self._values.values(profile_ref, column), self._home)
        return await asyncio.wrap_future(looking)


class Apart:
    """Runs slow work in a few threads of its own. A caller may stop waiting; the work then finishes and its result
    is dropped."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="analyst")

    async def do(self, values: ValueLookup, work: Callable[[ValueLookup], Coroutine[Any, Any, T]]) -> T:
        """Return the result of `work`, called in one of the threads with a lookup that is safe to use there."""
        home = asyncio.get_running_loop()
        return await home.run_in_executor(self._threads, lambda: asyncio.run(work(FerriedValues(values, home))))
