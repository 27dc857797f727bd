"""What reaches a run that plans while it works: taken at once, whatever the run is doing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Self

from tablewright.agent.base import Inbox
from tablewright.agent.emission import stopped
from tablewright.domain.inbox import InboxItem


class News:
    """Takes what comes into `inbox`, from its entry to its exit, and gives it to `take`."""

    def __init__(self, inbox: Inbox | None, take: Callable[[tuple[InboxItem, ...]], None]) -> None:
        self._inbox = inbox
        self._take = take
        self._came = asyncio.Event()
        self._listening: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        if self._inbox is not None:
            self._listening = asyncio.create_task(self._listen(self._inbox))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        if self._listening is not None:
            await stopped(self._listening)

    async def come(self) -> None:
        """Return once something has come since this returned last. Raises what the inbox raises."""
        while not self._came.is_set():
            coming = asyncio.create_task(self._came.wait())
            listening = () if self._listening is None else (self._listening,)
            try:
                await asyncio.wait((coming, *listening), return_when=asyncio.FIRST_COMPLETED)
            finally:
                await stopped(coming)
            if self._listening is not None and self._listening.done():
                await self._listening
        self._came.clear()

    async def _listen(self, inbox: Inbox) -> None:
        while True:
            self._take(await inbox.next())
            self._came.set()
