"""Writes the log of one run while one attempt executes it.

Items that arrive together are written in one transaction. Adjacent deltas are merged into one event and wait at most
`LINGER_S`. Any other event is written at once, together with all that waits, such as the transcript entry it shows.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import TypeVar

from tablewright.domain.conversation import ConversationMessage
from tablewright.domain.events import DELTAS, CodeDelta, EventBody, RouteChosen, TextDelta, ThinkingDelta
from tablewright.domain.ids import Clock
from tablewright.domain.message import TranscriptEntry
from tablewright.domain.run import OpenRequest, Run
from tablewright.domain.scope import Scope
from tablewright.service.runs.event_bus import EventBus
from tablewright.service.runs.race import set_within
from tablewright.store.run_store import Batch, Fenced, RunEnd, Stamped

LINGER_S = 0.05
BREATH_TURNS = 12
"""So many turns of the loop what follows at once, such as the next node after the end of one, has to join the same
transaction. Where somebody waits until all is stored, nothing more is waited for."""
PENDING_LIMIT = 1_000

Recordable = EventBody | TranscriptEntry | OpenRequest | ConversationMessage | RunEnd
Delta = ThinkingDelta | TextDelta | CodeDelta
PLACE = {kind: attrgetter(*(each.name for each in fields(kind) if each.name != "text")) for kind in DELTAS}
"""What a delta has beside its text, by its kind."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildOf:
    """The place of a child: every event of it names its parent and, unless it names a task of its own, its task."""

    top_id: str
    parent_id: str
    task_id: str

    @classmethod
    def place(cls, run: Run) -> ChildOf | None:
        """Return the place of `run`, or None if it has no parent."""
        if run.top_id is None or run.parent_id is None or run.task_id is None:
            return None
        return cls(top_id=run.top_id, parent_id=run.parent_id, task_id=run.task_id)


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
        self._pending: list[Stamped | Recordable] = []
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
        if len(self._pending) > PENDING_LIMIT:
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
            event = not isinstance(item, TranscriptEntry | OpenRequest | ConversationMessage | RunEnd)
            self._pending.append(self._stamped(item, now) if event else item)  # type: ignore[arg-type]
            if event and not isinstance(item, DELTAS):
                self._urgent.set()
        self._arrived.set()

    def _stamped(self, body: EventBody, now: datetime) -> Stamped:
        if self._child is not None:
            body = replace(body, task_id=body.task_id or self._child.task_id, parent_id=self._child.parent_id)
        return Stamped(at=now, body=body)

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    async def _write(self) -> None:
        while True:
            await self._arrived.wait()
            if self._urgent.is_set():
                await self._breathe()
            else:
                await set_within(self._urgent, self._clock.sleep(LINGER_S))
            pending, self._pending = self._pending, []
            flushes, self._flushes = self._flushes, []
            self._arrived.clear()
            self._urgent.clear()
            try:
                if pending:
                    await self._bus.append(self._scope, self._batch(pending))
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

    def _batch(self, pending: list[Stamped | Recordable]) -> Batch:
        events = joined(_of(Stamped, pending))
        return Batch(
            run_id=self._run_id,
            attempt=self._attempt,
            top_id=None if self._child is None else self._child.top_id,
            agent=next((event.body.agent for event in events if isinstance(event.body, RouteChosen)), None),
            events=tuple(events),
            transcript=_of(TranscriptEntry, pending),
            requests=_of(OpenRequest, pending),
            messages=_of(ConversationMessage, pending),
            end=next(iter(_of(RunEnd, pending)), None),
        )


def joined(events: Iterable[Stamped]) -> list[Stamped]:
    """Merge adjacent deltas of the same kind and place, keeping the time of the last."""
    return [_one(list(group)) for _, group in groupby(events, _kind_and_place)]


def _one(group: list[Stamped]) -> Stamped:
    last = group[-1]
    if len(group) == 1 or not isinstance(last.body, Delta):
        return last
    text = "".join(event.body.text for event in group if isinstance(event.body, Delta))
    return Stamped(at=last.at, body=replace(last.body, text=text))


def _kind_and_place(event: Stamped) -> object:
    """Return what two deltas have in common that may be merged; of any other event, what it has alone."""
    body = event.body
    return (type(body), *PLACE[type(body)](body)) if isinstance(body, Delta) else id(event)


def _of(kind: type[T], items: Iterable[object]) -> tuple[T, ...]:
    return tuple(item for item in items if isinstance(item, kind))


def _settle(flushes: Iterable[asyncio.Future[None]], failure: Exception | None) -> None:
    for stored in flushes:
        if stored.done():
            continue
        if failure is None:
            stored.set_result(None)
        else:
            stored.set_exception(failure)
