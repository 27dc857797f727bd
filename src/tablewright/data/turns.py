"""Turns at the workers of a pool, granted in the order of a `FairQueue`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

from tablewright.data.fair_queue import Call, FairQueue, QueueLoad


class Turns:
    """Grants turns at `workers` workers."""

    def __init__(self, workers: int) -> None:
        self._queue = FairQueue(workers=workers)
        self._ids = count(1)
        self._granted: dict[int, asyncio.Future[None]] = {}

    @property
    def load(self) -> QueueLoad:
        """How much there is to do at present."""
        return self._queue.load

    @asynccontextmanager
    async def turn(self, owner: str, size_bytes: int) -> AsyncIterator[Call]:
        """Wait for a worker to be free for a call of `owner` on this many bytes, and hold it within the context."""
        call = Call(id=next(self._ids), owner=owner, size_bytes=size_bytes)
        self._granted[call.id] = granted = asyncio.get_running_loop().create_future()
        self._queue = self._queue.with_call(call)
        self._grant()
        try:
            await granted
            yield call
        finally:
            del self._granted[call.id]
            self._queue = self._queue.without(call.id)
            self._grant()

    def _grant(self) -> None:
        while (found := self._queue.granted()) is not None:
            call, self._queue = found
            if not (granted := self._granted[call.id]).done():  # a caller that was cancelled gives its turn back itself
                granted.set_result(None)
