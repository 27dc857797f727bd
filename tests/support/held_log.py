"""A log that keeps the end of a run waiting, as a database does that is busy."""

from __future__ import annotations

import asyncio

from tablewright.domain.scope import Scope
from tablewright.store.memory import MemoryStore
from tablewright.store.memory.log import MemoryLog
from tablewright.store.run_store import Batch


class HeldLog(MemoryLog):
    """Writes ends only once `free` is set."""

    free: asyncio.Event

    async def append(self, scope: Scope, batch: Batch) -> int:
        if batch.end is not None:
            await self.free.wait()
        return await super().append(scope, batch)


def held_ends(store: MemoryStore) -> asyncio.Event:
    """Let no run of `store` end before the event that is returned is set."""
    log = HeldLog(store.log._rows)
    log.free = asyncio.Event()
    store._log = log
    return log.free
