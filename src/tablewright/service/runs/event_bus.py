"""Append to the log first, then publish: watchers see exactly what the store holds.

Watchers within the process are handed what was stored, as it was stored; where that does not go on from what they have,
they read the store, as they do when database notifications from other processes wake them. Those that were not woken
for `POLL_S` seconds also look without having been told, and less often where more than `PROMPT_WATCHERS` watch, so that
what they read in vain stays the same however many they are.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from tablewright.domain.events import Event
from tablewright.domain.ids import Clock
from tablewright.domain.scope import Scope
from tablewright.service.runs.linger import Linger
from tablewright.service.runs.race import set_within
from tablewright.store.base import Store
from tablewright.store.codec import as_stored
from tablewright.store.run_store import Batch

POLL_S = 0.2
PROMPT_WATCHERS = 5
T = TypeVar("T")
PAGE_EVENTS = 500
HANDED_EVENTS = 200
"""How many events are held for a watcher that is slower than the run; further ones it reads from the store."""


class EventBus:
    """The only access to a run's log, for writers and watchers alike; `observers` are told of what was written.

    Who follows a run hears of all that is written in its stream. Who waits for something to reach a run hears only of
    `wake`: to look is a statement, or a transaction, for each.
    """

    def __init__(self, store: Store, clock: Clock, observers: Sequence[Callable[[Scope, Batch], None]] = ()) -> None:
        self._store = store
        self._observers = observers
        self._clock = clock
        self.linger = Linger(clock)
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self._following: dict[str, set[_Follower]] = {}

    async def append(self, scope: Scope, batch: Batch) -> int:
        """Write `batch`, let those who follow the run know and return its last `seq`.

        Raises `Fenced` if the writer no longer owns the run.
        """
        last = await self._store.log.append(scope, batch)
        for observe in self._observers:
            observe(scope, batch)
        self._hand_over(batch, last)
        for run_id in filter(None, (batch.run_id, batch.top_id)):
            for follower in self._following.get(run_id, ()):
                follower.wakes.set()
        return last

    @property
    def watching(self) -> int:
        """The number of those who follow or wait."""
        return sum(map(len, self._waiting.values())) + sum(map(len, self._following.values()))

    def wake(self, run_id: str) -> None:
        """Make those who follow the run, or wait for something to reach it, look."""
        for wakes in self._waiting.get(run_id, ()):
            wakes.set()
        for follower in self._following.get(run_id, ()):
            follower.wakes.set()

    @contextmanager
    def waiting_for(self, run_id: str) -> Iterator[asyncio.Event]:
        """Provide an event that is set whenever something may have reached the run, or a child of it; see `woken`."""
        with _listed(self._waiting, run_id, asyncio.Event()) as wakes:
            yield wakes

    async def woken(self, wakes: asyncio.Event) -> None:
        """Wait until `wakes` is set, or until it is time to look without having been told."""
        await set_within(wakes, self._clock.sleep(self._pause_s))

    async def follow(
        self, scope: Scope, run_id: str, *, after: int = 0, until_rest: bool = False
    ) -> AsyncIterator[Event]:
        """Yield every event with `seq > after`, including new ones, until the run's own last. Raises `NotFound`.

        Those of the runs below a run without a parent are among them. With `until_rest`, also ends when the run is
        waiting for a person.
        """
        with _listed(self._following, run_id, _Follower()) as follower, self._polling(follower):
            while True:
                follower.wakes.clear()
                handed = follower.after(after)
                events = handed or await self._store.log.events(scope, run_id, after=after, limit=PAGE_EVENTS)
                for event in events:
                    yield event
                    after = event.seq
                    if event.ends(run_id):
                        return
                if len(events) == PAGE_EVENTS:
                    continue
                looks = not handed and (until_rest or not events)
                if looks and await self._ended(scope, run_id, after, until_rest=until_rest):
                    return
                await follower.woken()

    @property
    def _pause_s(self) -> float:
        """How long somebody waits before looking without having been told."""
        return POLL_S * max(1.0, self.watching / PROMPT_WATCHERS)

    @contextmanager
    def _polling(self, follower: _Follower) -> Iterator[None]:
        """Have the follower look now and then: one task for all its waits, of which it has many a second."""
        polling = asyncio.create_task(self._poll(follower), name="watcher's polling")
        try:
            yield
        finally:
            polling.cancel()

    async def _poll(self, follower: _Follower) -> None:
        while True:
            before = follower.waits
            await self._clock.sleep(self._pause_s)
            if follower.waits == before:
                follower.wakes.set()

    def _hand_over(self, batch: Batch, last: int) -> None:
        """Give those who follow a run what was stored of it; `last` is the number of the last event.

        The events of a child are numbered in the stream of its top run, which only the store knows.
        """
        followers = self._following.get(batch.run_id)
        if not followers or batch.top_id is not None:
            return
        bodies = [as_stored(event.body) for event in batch.events]
        first = last - len(bodies) + 1
        events = [
            Event(run_id=batch.run_id, seq=first + place, at=event.at, body=body)
            for place, (event, body) in enumerate(zip(batch.events, bodies, strict=True))
        ]
        for follower in followers:
            follower.hand(events)

    async def _ended(self, scope: Scope, run_id: str, after: int, *, until_rest: bool) -> bool:
        """Return whether a watcher that has seen `after` has seen all, or, with `until_rest`, all until an answer."""
        run = await self._store.runs.get(scope, run_id)
        if after < run.last_seq:
            return False
        if run.state != "waiting" or not until_rest:
            return run.state == "finished"
        # a run whose request was answered resumes in a moment
        return any(request.answer is None for request in await self._store.log.requests(scope, run_id))


class _Follower:
    """Somebody who follows a run: `wakes` is set where there may be news, some of which are handed over at once."""

    def __init__(self) -> None:
        self.wakes = asyncio.Event()
        self.waits = 0
        self._handed: deque[Event] = deque(maxlen=HANDED_EVENTS)

    async def woken(self) -> None:
        """Wait until there may be news."""
        self.waits += 1
        await self.wakes.wait()

    def hand(self, events: Sequence[Event]) -> None:
        """Hold `events`, and of too many the last: what is missing before them is read from the store."""
        self._handed.extend(events)

    def after(self, seq: int) -> list[Event]:
        """Take all, and return those that go on after `seq` without a gap; none if what comes next is not there."""
        found: list[Event] = []
        for event in self._handed:
            if event.seq == seq + len(found) + 1:
                found.append(event)
        self._handed.clear()
        return found


@contextmanager
def _listed(listeners: dict[str, set[T]], run_id: str, own: T) -> Iterator[T]:
    listeners.setdefault(run_id, set()).add(own)
    try:
        yield own
    finally:
        listeners[run_id].discard(own)
        if not listeners[run_id]:
            del listeners[run_id]
