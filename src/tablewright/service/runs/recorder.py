"""Writes the log of one run while one attempt executes it.

Items that arrive together are written in one transaction. Adjacent deltas are merged into one event and wait for each
other (`linger`). Any other event is written at once, together with all that waits, such as the transcript entry it
shows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from tablewright.domain.ids import Clock
from tablewright.domain.scope import Scope
from tablewright.service.runs.event_bus import EventBus
from tablewright.service.runs.unwritten import ChildOf, Recordable, Unwritten
from tablewright.store.run_store import Fenced

BREATH_TURNS = 12
"""So many turns of the loop what follows at once, such as the next node after the end of one, has to join the same
transaction. Where somebody waits until all is stored, nothing more is waited for."""
PENDING_LIMIT = 1_000


class Recorder:
    """Records what happens, in order. A failure to write is raised by the next `add` or `flush`."""

    def __init__(
        self, bus: EventBus, clock: Clock, scope: Scope, run_id: str, attempt: int, *, child: ChildOf | None = None
    ) -> None:
        self._bus = bus
        self._clock = clock
        self._scope = scope
        self._run_id = run_id
        self._attempt = attempt
        self._child = child
        self._pending = Unwritten(child)
        self._flushes: list[asyncio.Future[None]] = []
        self._arrived = asyncio.Event()
        self._urgent = asyncio.Event()
        self._failure: Exception | None = None
        self._sealed = False
        self._writer = asyncio.create_task(self._write(), name=f"recorder of {run_id}")

    @property
    def ended(self) -> asyncio.Task[None]:
        """The writer task; done once nothing more can be written.

        `failure` says why, unless the recorder was closed.
        """
        return self._writer

    @property
    def failure(self) -> Exception | None:
        """The error that stopped writing, or None."""
        return self._failure

    async def add(self, *items: Recordable) -> None:
        """Queue `items`, to be written in one transaction. Waits only if more than `PENDING_LIMIT` are unwritten."""
        if self._sealed:
            raise Fenced(run_id=self._run_id, attempt=self._attempt)
        self._take(items)
        if self._pending.items > PENDING_LIMIT:
            await self.flush()

    async def flush(self) -> None:
        """Return when everything queued so far is stored."""
        self._raise_failure()
        stored = asyncio.get_running_loop().create_future()
        self._flushes.append(stored)
        self._arrived.set()
        self._urgent.set()
        await stored

    async def finish(self, *items: Recordable) -> None:
        """Write `items` as the last of the log; adding anything later raises `Fenced`."""
        self._take(items)
        self._sealed = True
        await self.flush()

    async def close(self) -> None:
        """Stop writing; items that were not flushed are discarded."""
        self._sealed = True
        self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)

    def _take(self, items: Iterable[Recordable]) -> None:
        self._raise_failure()
        now = self._clock.now()
        for item in items:
            if self._pending.add(item, now):
                self._urgent.set()
        self._arrived.set()

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    async def _write(self) -> None:
        while True:
            await self._arrived.wait()
            if self._urgent.is_set():
                await self._breathe()
            else:
                await self._bus.linger.over(self._urgent)
            pending, self._pending = self._pending, Unwritten(self._child)
            flushes, self._flushes = self._flushes, []
            self._arrived.clear()
            self._urgent.clear()
            try:
                if pending.items:
                    await self._bus.append(self._scope, pending.batch(self._run_id, self._attempt))
            except Exception as failure:  # noqa: BLE001  # raised by the next add or flush
                self._failure = failure
                _settle((*flushes, *self._flushes), failure)
                return
            _settle(flushes, None)

    async def _breathe(self) -> None:
        for _ in range(BREATH_TURNS):
            if self._flushes:
                return
            await asyncio.sleep(0)


def _settle(flushes: Iterable[asyncio.Future[None]], failure: Exception | None) -> None:
    for stored in flushes:
        if stored.done():
            continue
        if failure is None:
            stored.set_result(None)
        else:
            stored.set_exception(failure)
