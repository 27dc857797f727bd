"""Append to the log first, then publish: watchers see exactly what the store holds.

Watchers are woken within the process, or by database notifications from other processes, and then read the store. They
also look without having been told: every `POLL_S` seconds, and less often where more than `PROMPT_WATCHERS` watch, so
that what they read in vain stays the same however many they are.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager

from tablewright.domain.events import Event
from tablewright.domain.ids import Clock
from tablewright.domain.scope import Scope
from tablewright.service.runs.race import first_of
from tablewright.store.base import Store
from tablewright.store.run_store import Batch

POLL_S = 0.2
PROMPT_WATCHERS = 5
PAGE_EVENTS = 500


class EventBus:
    """The only access to a run's log, for writers and watchers alike; `observers` are told of what was written."""

    def __init__(self, store: Store, clock: Clock, observers: Sequence[Callable[[Scope, Batch], None]] = ()) -> None:
        self._store = store
        self._observers = observers
        self._clock = clock
        self._watchers: dict[str, set[asyncio.Event]] = {}

    async def append(self, scope: Scope, batch: Batch) -> int:
        """Write `batch`, wake the run's watchers and return its last `seq`.

        Raises `Fenced` if the writer no longer owns the run.
        """
        last = await self._store.log.append(scope, batch)
        for observe in self._observers:
            observe(scope, batch)
        self.wake(batch.run_id)
        if batch.top_id is not None:
            self.wake(batch.top_id)
        return last

    @property
    def watching(self) -> int:
        """The number of watchers."""
        return sum(map(len, self._watchers.values()))

    def wake(self, run_id: str) -> None:
        """Make the run's watchers read the store."""
        for watcher in self._watchers.get(run_id, ()):
            watcher.set()

    @contextmanager
    def watching_run(self, run_id: str) -> Iterator[asyncio.Event]:
        """Provide an event that is set whenever there may be news of the run; see `woken`."""
        woken = asyncio.Event()
        self._watchers.setdefault(run_id, set()).add(woken)
        try:
            yield woken
        finally:
            self._watchers[run_id].discard(woken)
            if not self._watchers[run_id]:
                del self._watchers[run_id]

    async def woken(self, wakes: asyncio.Event) -> None:
        """Wait until `wakes` is set, or until it is time to look without having been told."""
        pause = POLL_S * max(1.0, self.watching / PROMPT_WATCHERS)
        await first_of(wakes.wait(), self._clock.sleep(pause))

    async def follow(
        self, scope: Scope, run_id: str, *, after: int = 0, until_rest: bool = False
    ) -> AsyncIterator[Event]:
        """Yield every event with `seq > after`, including new ones, until the run's own last. Raises `NotFound`.

        Those of the runs below a run without a parent are among them. With `until_rest`, also ends when the run is
        waiting for a person.
        """
        with self.watching_run(run_id) as wakes:
            while True:
                wakes.clear()
                events = await self._store.log.events(scope, run_id, after=after, limit=PAGE_EVENTS)
                for event in events:
                    yield event
                    after = event.seq
                    if event.ends(run_id):
                        return
                if len(events) == PAGE_EVENTS:
                    continue
                if (until_rest or not events) and await self._ended(scope, run_id, after, until_rest=until_rest):
                    return
                await self.woken(wakes)

    async def _ended(self, scope: Scope, run_id: str, after: int, *, until_rest: bool) -> bool:
        """Return whether a watcher that has seen `after` has seen all, or, with `until_rest`, all until an answer."""
        run = await self._store.runs.get(scope, run_id)
        if after < run.last_seq:
            return False
        if run.state != "waiting" or not until_rest:
            return run.state == "finished"
        # a run whose request was answered resumes in a moment
        return any(request.answer is None for request in await self._store.log.requests(scope, run_id))
