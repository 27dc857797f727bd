"""Adapts a coroutine that emits items to the iterator interface of agents."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from tablewright.domain.events import ArtifactCreated, EventBody, UsageReported
from tablewright.domain.message import TranscriptEntry

Item = EventBody | TranscriptEntry
Emit = Callable[[Item], None]
T = TypeVar("T")


class Emission:
    """Takes what `work` emits until somebody asks for it; `late` receives the usage reports and files of the end."""

    def __init__(self, late: Callable[[UsageReported | ArtifactCreated], None] | None) -> None:
        self._late = late
        self._items: deque[Item] = deque()
        self._arrived = asyncio.Event()
        self._idle = asyncio.Event()
        self._closing = False

    def __call__(self, item: Item) -> None:
        if not self._closing:
            self._items.append(item)
            self._idle.clear()
            self._arrived.set()
        elif self._late is not None and isinstance(item, UsageReported | ArtifactCreated):
            self._late(item)

    async def taken(self) -> None:
        """Return once whoever iterates has taken all that was emitted so far, and asks for more."""
        await self._idle.wait()

    async def of(self, task: asyncio.Task[None]) -> AsyncGenerator[Item]:
        """Yield what arrives until `task` is done, then raise what it raised."""
        task.add_done_callback(lambda _: self._arrived.set())
        while self._items or not task.done():
            self._arrived.clear()
            while self._items:
                yield self._items.popleft()
            self._idle.set()
            if not task.done():
                await self._arrived.wait()
        await task

    def close(self) -> None:
        """Take nothing more; nobody is kept waiting."""
        self._closing = True
        self._idle.set()


async def emitted(
    work: Callable[[Emit], Coroutine[Any, Any, None]],
    late: Callable[[UsageReported | ArtifactCreated], None] | None = None,
) -> AsyncGenerator[Item]:
    """Yield what `work` emits, in order, then raise what it raised.

    Closing or cancelling the iterator cancels `work` and returns once it has cleaned up. Of what it emits during that,
    `late` receives the usage reports and files.
    """
    emission = Emission(late)
    task = asyncio.create_task(work(emission))
    try:
        async for item in emission.of(task):
            yield item
    finally:
        emission.close()
        await stopped(task)


async def stored(emit: Emit, store: Callable[[], Awaitable[None]] | None) -> None:
    """Return once all that was emitted so far is stored, where it is stored at all: before an effect outside."""
    if store is not None:
        if isinstance(emit, Emission):
            await emit.taken()
        await store()


async def stopped(*tasks: asyncio.Task[Any]) -> None:
    """Cancel `tasks` and wait until they have ended."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def closing(items: AsyncIterator[T]) -> AsyncGenerator[AsyncIterator[T]]:
    """Close `items` on exit if possible, so that a model call or an execution ends now, not when it is collected."""
    try:
        yield items
    finally:
        if isinstance(items, AsyncGenerator):
            await items.aclose()
