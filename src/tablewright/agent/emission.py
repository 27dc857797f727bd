"""Adapts a coroutine that emits items to the iterator interface of agents."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from tablewright.domain.events import ArtifactCreated, EventBody, UsageReported
from tablewright.domain.message import TranscriptEntry

Item = EventBody | TranscriptEntry
Emit = Callable[[Item], None]
T = TypeVar("T")


async def emitted(
    work: Callable[[Emit], Coroutine[Any, Any, None]],
    late: Callable[[UsageReported | ArtifactCreated], None] | None = None,
) -> AsyncGenerator[Item]:
    """Yield what `work` emits, in order, then raise what it raised.

    Closing or cancelling the iterator cancels `work` and returns once it has cleaned up. Of what it emits during that,
    `late` receives the usage reports and files.
    """
    items: deque[Item] = deque()
    arrived = asyncio.Event()
    closing_down = False

    def emit(item: Item) -> None:
        if not closing_down:
            items.append(item)
            arrived.set()
        elif late is not None and isinstance(item, UsageReported | ArtifactCreated):
            late(item)

    task = asyncio.create_task(work(emit))
    task.add_done_callback(lambda _: arrived.set())
    try:
        while items or not task.done():
            arrived.clear()
            while items:
                yield items.popleft()
            if not task.done():
                await arrived.wait()
        await task
    finally:
        closing_down = True
        await stopped(task)


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
