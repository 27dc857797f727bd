"""The inbox of a run, as its agent waits for it."""

from __future__ import annotations

import asyncio

from tablewright.domain.inbox import InboxItem
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.service.runs.event_bus import EventBus
from tablewright.store.base import Store


class RunInbox:
    """Implements `Inbox` for one attempt of a run."""

    def __init__(self, store: Store, bus: EventBus, scope: Scope, run: Run) -> None:
        self._store = store
        self._bus = bus
        self._scope = scope
        self._run = run
        self._taking: asyncio.Task[tuple[InboxItem, ...]] | None = None

    async def next(self) -> tuple[InboxItem, ...]:
        """Wait until something reaches the run, and return it. Raises `Fenced` once another attempt has the run."""
        with self._bus.waiting_for(self._run.id) as wakes:
            while True:
                wakes.clear()
                if items := await self._kept():
                    return items
                await self._bus.woken(wakes)

    async def taken(self) -> tuple[InboxItem, ...]:
        """Return what has reached the run and was not taken yet."""
        return await self._take() if self._taking is None else await self._kept()

    async def left(self) -> tuple[InboxItem, ...]:
        """Return what `next` had taken when it was cancelled."""
        return () if self._taking is None else await self._kept()

    async def _kept(self) -> tuple[InboxItem, ...]:
        """Take what has reached the run; where this is cancelled meanwhile, the next call returns it."""
        if self._taking is None:
            self._taking = asyncio.create_task(self._take())
            self._taking.add_done_callback(_noticed)
        try:
            items = await asyncio.shield(self._taking)
        except Exception:
            self._taking = None
            raise
        self._taking = None
        return items

    async def _take(self) -> tuple[InboxItem, ...]:
        entries = await self._store.log.take(self._scope, self._run.id, attempt=self._run.attempt)
        return tuple(entry.item for entry in entries)


def _noticed(taking: asyncio.Task[tuple[InboxItem, ...]]) -> None:
    """Take note of a failure, which nobody waits for where `next` was cancelled and the run has another attempt."""
    if not taking.cancelled():
        taking.exception()
