"""What happens to a run at a time: its agent goes on, or a request that it has open expires.

While the run works, a request that may expire has a task; at rest there is only the time in the run's row.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from datetime import datetime

from tablewright.domain.run import OpenRequest, RequestAnswer, Run
from tablewright.domain.scope import Scope
from tablewright.errors import Conflict, TablewrightError
from tablewright.service.runs.parts import EngineParts
from tablewright.service.runs.recorder import Recorder

EXPIRED = RequestAnswer(decision="expired")
"""What closes a request that nobody has answered in time."""
LONGEST_SLEEP_S = 60.0
"""After so long the clock is read again: it may have been set."""

log = logging.getLogger(__name__)


class RunAlarms:
    """The alarms of one attempt of a run."""

    def __init__(self, parts: EngineParts, scope: Scope, run: Run, recorder: Recorder) -> None:
        self._parts = parts
        self._scope = scope
        self._run = run
        self._recorder = recorder
        self._wake: datetime | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def wake(self, at: datetime) -> None:
        """Have the run resumed at `at` once it rests; of several times, the earliest counts."""
        self._wake = at if self._wake is None else min(self._wake, at)

    def reset(self) -> None:
        """Forget when the run is to be resumed: its agent says so anew."""
        self._wake = None

    async def take_up(self) -> None:
        """Close the requests of earlier attempts that have expired meanwhile, and watch the others."""
        if self._run.attempt == 1:
            return
        for request in self._expiring(await self._parts.store.log.requests(self._scope, self._run.id)):
            assert request.expires_at is not None
            if request.expires_at <= self._parts.clock.now():
                await self._close(request.id)
            else:
                self.watch(request)

    def watch(self, request: OpenRequest) -> None:
        """Close an open request when its time has passed, while the run works."""
        if request.expires_at is not None:
            expiry = self._expire(request.id, request.expires_at)
            self._tasks.add(asyncio.create_task(expiry, name=f"expiry of {request.id}"))

    def wake_at(self, requests: Iterable[OpenRequest]) -> datetime | None:
        """Return when the run, at rest with these requests, is to be resumed, or None."""
        expiries = [request.expires_at for request in self._expiring(requests) if request.expires_at is not None]
        return min([*expiries, *(() if self._wake is None else (self._wake,))], default=None)

    async def withdraw(self, request_id: str) -> None:
        """Close an open request before its time."""
        await self._recorder.flush()  # the request may not be stored yet
        await self._close(request_id)

    async def close(self) -> None:
        """End the tasks."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()

    def _expiring(self, requests: Iterable[OpenRequest]) -> list[OpenRequest]:
        own = (request for request in requests if request.run_id == self._run.id)
        return [request for request in own if request.answered_at is None and request.expires_at is not None]

    async def _expire(self, request_id: str, at: datetime) -> None:
        clock = self._parts.clock
        while (left_s := (at - clock.now()).total_seconds()) > 0:
            await clock.sleep(min(left_s, LONGEST_SLEEP_S))
        try:
            await self.withdraw(request_id)
        except TablewrightError:
            log.warning("request %s could not be closed; it is when the run is resumed", request_id, exc_info=True)

    async def _close(self, request_id: str) -> None:
        try:
            await self._parts.store.log.answer(
                self._scope, self._run.id, request_id, EXPIRED, at=self._parts.clock.now()
            )
        except Conflict:
            return  # somebody has answered in time
        self._parts.bus.wake(self._run.id)
        self._parts.bus.wake(self._run.stream_id)
