"""A pool of warm workers, leased in fair order."""

from __future__ import annotations

import asyncio
import logging
import math
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from tablewright.errors import Busy, MachineError
from tablewright.sandbox.base import PoolStats
from tablewright.sandbox.process import WorkerProcess
from tablewright.sandbox.waiting import Waiter, Waiters

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolSize:
    """How many workers to keep, and how many callers may wait (`waiting`, for `wait_s` seconds).

    More workers are started when more than the share `grow_above` is in use; idle ones are ended while less than the
    share `shrink_below` is.
    """

    minimum: int = 2
    maximum: int = 5
    grow_above: float = 0.8
    shrink_below: float = 0.3
    waiting: int = 64
    wait_s: float = 30.0


class Parkable(Protocol):
    """A session that is not in use."""

    async def release(self) -> None:
        """End the session, which returns its worker."""
        ...


class Pool:
    """Counts workers, starts them ahead of demand, and hands them out."""

    def __init__(self, spawn: Callable[[], Awaitable[WorkerProcess]], size: PoolSize) -> None:
        self._spawn = spawn
        self._size = size
        self._idle: deque[WorkerProcess] = deque()
        self._waiters: Waiters[WorkerProcess] = Waiters()
        self._spawning: set[asyncio.Task[None]] = set()
        self._closing: set[asyncio.Task[None]] = set()
        self._parked: dict[Parkable, None] = {}
        self._yielding: set[asyncio.Task[None]] = set()
        self._leased = 0
        self._failure = ""
        self._closed = False

    def stats(self) -> PoolStats:
        """Return the number of workers by state."""
        return PoolStats(
            idle=len(self._idle),
            leased=self._leased,
            waiting=len(self._waiters),
            limit=self._size.maximum,
            failure=self._failure,
        )

    def _wanted(self) -> int:
        demand = self._leased + len(self._waiters)
        return min(self._size.maximum, max(self._size.minimum, math.ceil(demand / self._size.grow_above)))

    def fill(self) -> None:
        """Start missing workers, end surplus ones."""
        if self._closed:
            return
        total = len(self._idle) + len(self._spawning) + self._leased
        for _ in range(self._wanted() - total):
            task = asyncio.create_task(self._add())
            self._spawning.add(task)
            task.add_done_callback(self._spawning.discard)
        while self._idle and total > self._wanted() and self._leased < self._size.shrink_below * total:
            self._end(self._idle.pop())
            total -= 1
        self._yield()

    def park(self, session: Parkable) -> None:
        """Keep a session leased until its worker is needed."""
        self._parked[session] = None
        self.fill()

    def unpark(self, session: Parkable) -> bool:
        """Stop keeping a session; return whether it was still kept."""
        if session not in self._parked:
            return False
        del self._parked[session]
        return True

    def _yield(self) -> None:
        """Release parked sessions, longest parked first, if their workers are needed.

        They are needed by those who wait, and to keep a warm worker for the next lease: parked sessions never occupy
        the last worker if there is more than one.
        """
        coming = len(self._idle) + len(self._spawning) + len(self._yielding)
        needed = max(len(self._waiters), min(1, self._size.maximum - 1))
        for session in list(self._parked)[: max(0, needed - coming)]:
            del self._parked[session]
            task = asyncio.create_task(self._release(session))
            self._yielding.add(task)

    async def _release(self, session: Parkable) -> None:
        try:
            await session.release()
        except Exception:
            log.exception("a parked session could not be cleared away")
        finally:
            if (this := asyncio.current_task()) is not None:
                self._yielding.discard(this)
            self.fill()

    def _end(self, worker: WorkerProcess) -> None:
        task = asyncio.create_task(worker.close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def _add(self) -> None:
        try:
            worker = await self._spawn()
        except Exception as error:
            if not isinstance(error, MachineError | OSError):
                log.exception("a worker could not be started")
            self.fail(error)
            while (waiter := self._waiters.next()) is not None:
                waiter.future.set_exception(error)
            return
        if self._closed:
            await worker.close()
            return
        if (this := asyncio.current_task()) is not None:
            self._spawning.discard(this)
        self._failure = ""
        self._hand(worker)

    def fail(self, error: Exception) -> None:
        """Note why no worker can be started at present."""
        self._failure = error.code if isinstance(error, MachineError) else type(error).__name__

    def _hand(self, worker: WorkerProcess) -> None:
        if (waiter := self._waiters.next()) is None:
            self._idle.append(worker)
            return
        self._leased += 1
        waiter.future.set_result(worker)

    async def take(self, turn: str = "") -> WorkerProcess:
        """Lease a worker. Waits in the queue, where all of one `turn` share a turn, then raises Busy."""
        if self._idle and not self._waiters:
            self._leased += 1
            worker = self._idle.popleft()
            self.fill()
            return worker
        if len(self._waiters) >= self._size.waiting:
            raise Busy(what="sandbox", waited_s=0)
        waiter = self._waiters.add(turn, asyncio.get_running_loop().create_future())
        self.fill()
        try:
            async with asyncio.timeout(self._size.wait_s):
                return await asyncio.shield(waiter.future)
        except TimeoutError:
            self._withdraw(waiter)
            raise Busy(what="sandbox", waited_s=self._size.wait_s) from None
        except asyncio.CancelledError:
            self._withdraw(waiter)
            raise

    def _withdraw(self, waiter: Waiter[WorkerProcess]) -> None:
        """Leave the queue; a worker handed over at the same moment goes to the next in line."""
        self._waiters.remove(waiter)
        handed = waiter.future
        if handed.done() and not handed.cancelled() and handed.exception() is None:
            self._leased -= 1
            self._hand(handed.result())
        else:
            handed.cancel()

    def give_back(self) -> None:
        """Note that a leased worker has ended."""
        self._leased -= 1
        self.fill()

    def drop_idle(self) -> None:
        """Drop the idle workers, whose backend is gone."""
        while self._idle:
            self._end(self._idle.popleft())

    async def check(self, healthy: Callable[[WorkerProcess], Awaitable[bool]]) -> None:
        """Replace idle workers that do not respond."""
        for _ in range(len(self._idle)):
            if not self._idle:
                break
            worker = self._idle.popleft()
            if await healthy(worker):
                self._hand(worker)
            else:
                self._end(worker)
        self.fill()

    async def close(self) -> None:
        """End every idle worker and refuse everyone who waits."""
        self._closed = True
        for waiter in self._waiters:
            if not waiter.future.done():
                waiter.future.set_exception(Busy(what="sandbox_stopping", waited_s=0))
        self._waiters.clear()
        self.drop_idle()
        await asyncio.gather(*self._spawning, *self._closing, *self._yielding, return_exceptions=True)
