"""The logs of structured rounds: kept up with what is stored, and made whole again after a crash."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import timedelta
from itertools import count

from tablewright.agent.structured.transcript import call_scope
from tablewright.domain.events import RoundAnswered, RunFinished, ToolFinished
from tablewright.domain.ids import Clock
from tablewright.domain.message import Message
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import NotFound, TablewrightError
from tablewright.service.conversation_logs.fold import ModelCall, log_lines
from tablewright.service.conversation_logs.folder import LogFolder
from tablewright.service.history import events_of
from tablewright.store.base import Store
from tablewright.store.run_store import Batch

AGENT = "structured"
LOOKED_BACK = timedelta(days=2)
"""Of runs that ended before a start by less than this, the logs are made whole."""
REST_S = 0.5
"""The time between two looks at what has grown."""
_GROWTH = (RoundAnswered, ToolFinished, RunFinished)

log = logging.getLogger(__name__)


class ConversationLogs:
    """Writes the log of each run anew when it has grown."""

    def __init__(self, store: Store, folder: LogFolder, clock: Clock, system: SystemScope) -> None:
        self._store = store
        self._folder = folder
        self._clock = clock
        self._system = system
        self._grown: dict[str, Scope] = {}
        self._wake = asyncio.Event()
        self._writing = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    def observe(self, scope: Scope, batch: Batch) -> None:
        """Note that the log of a run has grown."""
        if any(isinstance(event.body, _GROWTH) for event in batch.events):
            self._grown[batch.run_id] = scope
            self._wake.set()

    async def open_up(self) -> None:
        """Begin to keep up, with the logs first that a process which died has left unfinished."""
        self._task = asyncio.create_task(self._keep_up(), name="conversation logs")

    async def close(self) -> None:
        """Write what has grown since, and stop. A log that is being written is written to its end first."""
        if self._task is not None:
            async with self._writing:
                self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        await self._catch_up()

    async def write(self, scope: Scope, run_id: str) -> None:
        """Write the log of a run from the store; none of a run of another agent. Raises `NotFound`."""
        run = await self._store.runs.get(scope, run_id)
        if run.agent != AGENT:
            return
        events = await events_of(self._store, scope, run_id)
        calls = [call async for call in self._calls(scope, run_id)]
        await asyncio.to_thread(self._folder.write, run, log_lines(events, calls))
        if run.state == "finished":
            await asyncio.to_thread(self._folder.rotate)

    async def remove(self, conversation_id: str) -> None:
        """Remove the logs of a conversation that was deleted."""
        await asyncio.to_thread(self._folder.remove, conversation_id)

    async def _calls(self, scope: Scope, run_id: str) -> AsyncIterator[ModelCall]:
        """Yield the model's calls by round, the tries of a round in order, until there is none."""
        for number in count(1):
            for place in count(1):
                said = await self._store.log.transcript(scope, run_id, call_scope(number, place))
                if said:
                    yield _call(number, said)
                    continue
                break
            if place == 1:
                return

    async def _make_whole(self) -> None:
        since = self._clock.now() - LOOKED_BACK
        removed = await asyncio.to_thread(self._folder.removed)
        for owned in await self._store.instances.finished(self._system, agent=AGENT, since=since):
            if not await asyncio.to_thread(self._folder.complete, owned.run, removed):
                self._grown[owned.run.id] = owned.scope
        self._wake.set()

    async def _keep_up(self) -> None:
        try:
            await self._make_whole()
        except TablewrightError:
            log.warning("it could not be seen which logs are unfinished; the next start looks again", exc_info=True)
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self._catch_up()
            await self._clock.sleep(REST_S)

    async def _catch_up(self) -> None:
        async with self._writing:
            while self._grown:
                run_id, scope = self._grown.popitem()
                await self._tried(scope, run_id)

    async def _tried(self, scope: Scope, run_id: str) -> None:
        try:
            await self.write(scope, run_id)
        except NotFound:
            return  # deleted meanwhile
        except (TablewrightError, OSError):
            log.warning(
                "the log of run %s could not be written; it is written again when it grows", run_id, exc_info=True
            )


def _call(number: int, said: tuple[Message, ...]) -> ModelCall:
    ended = said[-1].role == "assistant"
    return ModelCall(round=number, inputs=said[:-1] if ended else said, output=said[-1].text if ended else None)
