"""Who follows a run sees its stored events, each once and in order, whichever way they come."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.support.patience import PATIENCE_S

from tablewright.domain.events import Event
from tablewright.domain.ids import ManualClock
from tablewright.domain.scope import Scope
from tablewright.service.runs.event_bus import HANDED_EVENTS, EventBus
from tablewright.store.conformance.examples import ANN, T0, batch, begun, end_of, progress
from tablewright.store.memory import MemoryStore
from tablewright.store.memory.log import MemoryLog


class CountedLog(MemoryLog):
    """Counts how often events are read."""

    reads = 0

    async def events(
        self,
        scope: Scope,
        run_id: str,
        *,
        after: int = 0,
        limit: int = 1000,
        types: Sequence[str] = (),
        own: bool = False,
    ) -> tuple[Event, ...]:
        self.reads += 1
        return await super().events(scope, run_id, after=after, limit=limit, types=types, own=own)


class Following:
    """A run that one watcher follows."""

    def __init__(self, store: MemoryStore, log: CountedLog) -> None:
        self.store, self.log = store, log
        self.bus = EventBus(store, ManualClock(T0))
        self.seen: list[Event] = []
        self._more = asyncio.Condition()
        self._watching = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        async for event in self.bus.follow(ANN, "r-1"):
            async with self._more:
                self.seen.append(event)
                self._more.notify_all()

    async def has_seen(self, count: int) -> None:
        async with asyncio.timeout(PATIENCE_S), self._more:
            await self._more.wait_for(lambda: len(self.seen) >= count)

    async def ended(self) -> None:
        await self.bus.append(ANN, end_of())
        async with asyncio.timeout(PATIENCE_S):
            await self._watching


@pytest.fixture
async def following() -> Following:
    store = MemoryStore()
    log = store._log = CountedLog(store.log._rows)
    await begun(store)
    setting = Following(store, log)
    await setting.has_seen(1)
    return setting


async def test_what_a_watcher_is_handed_is_what_the_store_holds_and_is_not_read_again(following: Following) -> None:
    reads = following.log.reads
    for start in range(1, 30):
        await following.bus.append(ANN, batch(*progress(2, start)))
        await following.has_seen(1 + 2 * start)
    assert following.log.reads == reads
    await following.ended()
    assert following.seen == list(await following.store.log.events(ANN, "r-1"))


async def test_what_another_process_has_stored_meanwhile_is_read(following: Following) -> None:
    await following.store.log.append(ANN, batch(*progress(3)))
    await following.bus.append(ANN, batch(*progress(2, 4)))
    await following.has_seen(6)
    await following.ended()
    assert [event.seq for event in following.seen] == list(range(1, 8))
    assert following.seen == list(await following.store.log.events(ANN, "r-1"))


async def test_characters_that_are_not_stored_are_not_seen_either(following: Following) -> None:
    odd = replace(progress(1)[0], message="half \ud83d a sign")
    await following.bus.append(ANN, batch(odd))
    await following.has_seen(2)
    await following.ended()
    assert following.seen[1].body == replace(odd, message="half ? a sign")


async def test_a_watcher_that_is_slow_misses_nothing_and_is_held_little(following: Following) -> None:
    for start in range(3 * HANDED_EVENTS):
        await following.bus.append(ANN, batch(*progress(1, start)))
    await following.ended()
    assert [event.seq for event in following.seen] == list(range(1, 3 * HANDED_EVENTS + 3))
