"""A lease of a worker process, independent of the backend."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import Protocol

from tablewright.domain.ids import Clock
from tablewright.sandbox import beneath, folders, verdicts
from tablewright.sandbox.base import Done, Input, LeaseScope, Limits, Output, SessionFile, SessionInfo, Usage, Verdict
from tablewright.sandbox.execution import Execution
from tablewright.sandbox.process import SessionPaths, WorkerProcess
from tablewright.sandbox.watch import Pace, Watch

log = logging.getLogger(__name__)

_CHUNK_BYTES = 1024**2


class ParkingLot(Protocol):
    """Keeps sessions that are not in use, and releases them when a worker is needed."""

    def park(self, session: LeasedSession) -> None:
        """Keep the session until its worker is needed."""
        ...

    def unpark(self, session: LeasedSession) -> bool:
        """Stop keeping a session; return whether it was still kept."""
        ...


class LeasedSession:
    """Implements `Session` with a leased worker."""

    def __init__(
        self,
        *,
        scope: LeaseScope,
        worker: WorkerProcess,
        room: SessionPaths,
        inputs: Sequence[Input],
        limits: Limits,
        clock: Clock,
        parking: ParkingLot,
        on_release: Callable[[LeasedSession], Awaitable[None]],
    ) -> None:
        self._scope = scope
        self._worker = worker
        self.room = room
        self._inputs = {item.name: item.path for item in inputs}
        self._parking = parking
        self._limits = limits
        self._clock = clock
        self._pace = Pace()
        self._on_release = on_release
        self._lock = asyncio.Lock()
        self._execution: Execution | None = None
        self._executions = 0
        self._lost = False
        self._released = False
        self.leased_at = clock.monotonic()
        self.used_at = self.leased_at

    @property
    def id(self) -> str:
        """Return the session's name, which is also the name of its working folder."""
        return self.room.name

    def expired(self) -> bool:
        """Return whether it exceeded its idle time or its lifetime."""
        now = self._clock.monotonic()
        idle = self._execution is None and now - self.used_at > self._limits.idle_s
        return idle or now - self.leased_at > self._limits.lifetime_s

    async def execute(self, code: str, *, step_id: str, timeout_s: float | None = None) -> AsyncGenerator[Output]:
        limit = self._limits
        allowed = min(timeout_s or limit.step_timeout_s, limit.execution_timeout_s)
        async with self._lock:
            if self._lost or self._released:
                yield Done(status="backend_lost", session_lost=True, usage=Usage(elapsed_s=0.0))
                return
            self._executions += 1
            self._execution = execution = Execution(self._worker, self.room, limit, self._clock, self._pace)
            try:
                async with aclosing(execution.run(code, allowed, self._executions)) as outputs:
                    async for output in outputs:
                        if isinstance(output, Done) and output.session_lost:
                            log.info("session %s ended with step %s: %s", self.id, step_id, output.status)
                        yield output
            finally:
                self._lost = execution.lost
                self._execution = None
                self.used_at = self._clock.monotonic()

    async def check(self, code: str) -> Verdict:
        async with self._lock:
            if self._lost or self._released:
                return "invalid"
            watch = Watch(self._worker, self.room, self._limits, self._clock, self._pace)
            verdict = await verdicts.verdict(self._worker, watch, self._clock, code)
            if verdict is not None:
                self._worker.pause()
                return verdict
            self._worker.kill()
            self._lost = True
            if watch.cause is not None:
                log.info("session %s ended while it checked code: %s", self.id, watch.cause[0])
            return "invalid"

    async def interrupt(self) -> None:
        if self._execution is not None:
            self._execution.stop()

    async def files(self) -> tuple[SessionFile, ...]:
        found = await asyncio.to_thread(beneath.survey, self.room.files, max_entries=self._limits.files)
        return tuple(found.files)

    async def read(self, path: str) -> AsyncIterator[bytes]:
        handle = await asyncio.to_thread(beneath.open_file, self.room.files, path)
        try:
            while chunk := await asyncio.to_thread(os.read, handle, _CHUNK_BYTES):
                yield chunk
        finally:
            os.close(handle)

    async def info(self) -> SessionInfo:
        return SessionInfo(
            id=self.id,
            scope=self._scope,
            level=self._worker.level,
            executions=self._executions,
            age_s=self._clock.monotonic() - self.leased_at,
            lost=self._lost or self._released,
        )

    async def add(self, inputs: Sequence[Input]) -> bool:
        async with self._lock:
            if self._lost or self._released:
                return False
            wanted = {item.name: item.path for item in inputs}
            if any(self._inputs.get(name, path) != path for name, path in wanted.items()):
                return False
            await self._bring(inputs)
            return True

    async def park(self) -> None:
        if self._lost or self._released:
            await self.release()
            return
        self.used_at = self._clock.monotonic()
        self._parking.park(self)

    async def unpark(self, inputs: Sequence[Input] = (), *, for_s: float = 0.0) -> bool:
        if not self._parking.unpark(self):
            return False
        self.used_at = self._clock.monotonic()
        wanted = {item.name: item.path for item in inputs}
        if self.used_at - self.leased_at + for_s > self._limits.lifetime_s or self._inputs.items() - wanted.items():
            return False
        await self._bring(inputs)
        # Its process may have ended meanwhile: only a response proves that it is alive.
        return await self.check("") == "complete"

    async def _bring(self, inputs: Sequence[Input]) -> None:
        new = [item for item in inputs if item.name not in self._inputs]
        await asyncio.to_thread(folders.fill, self.room.host / "shared", new)
        self._inputs |= {item.name: item.path for item in new}

    async def release(self) -> None:
        if self._released:
            return
        self._released = True
        self._parking.unpark(self)
        if self._execution is not None:
            self._execution.end("The session was released, or reached the end of its lifetime.")
        try:
            await self._worker.close()
        finally:
            await self._on_release(self)
