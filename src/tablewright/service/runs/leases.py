"""Which process executes which run: heartbeats, leases, and the runs that dead processes left behind."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from tablewright.domain.ids import Clock
from tablewright.domain.run import Run, RunFailure
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import OwnerLost, TablewrightError
from tablewright.service.runs.engine import RunEngine
from tablewright.service.runs.event_bus import EventBus
from tablewright.service.runs.parts import LEASE
from tablewright.store.base import Store
from tablewright.store.rules import ending
from tablewright.store.run_store import Fenced, Instance, OwnedRun

HEARTBEAT_S = 5.0
CANCEL_POLL_S = 0.2
WAKE_POLL_S = 1.0
FORGET = timedelta(hours=1)
LOSSES = 3
"""After so many processes in succession that died over it, a run is ended instead of being taken over once more."""

log = logging.getLogger(__name__)


class Leases:
    """Ownership of runs, from the point of view of this process (`instance`)."""

    def __init__(
        self,
        store: Store,
        bus: EventBus,
        engine: RunEngine,
        clock: Clock,
        system: SystemScope,
        *,
        instance: Instance,
        alive: Callable[[int], bool] | None = None,
    ) -> None:
        self._store = store
        self._bus = bus
        self._engine = engine
        self._clock = clock
        self._system = system
        self._instance = instance
        self._alive = alive or process_alive
        self._tasks: list[asyncio.Task[None]] = []
        self._at_wakes: list[Callable[[], Awaitable[None]]] = []
        engine.resume_by(self.resume)

    @property
    def instance_id(self) -> str:
        """The id under which this process owns runs."""
        return self._instance.id

    def at_wakes(self, action: Callable[[], Awaitable[None]]) -> None:
        """Have something done whenever runs are looked for whose time has come; it must be quick."""
        self._at_wakes.append(action)

    async def open_up(self) -> None:
        """Register, see to the runs of processes that are certainly dead, and start renewing leases."""
        known = await self._store.instances.all(self._system)
        dead = surely_dead(known, self._instance, self._alive)
        await self._store.instances.register(self._system, self._instance)
        await self.reap(dead)
        await self._forget(known, dead)
        self._tasks = [
            asyncio.create_task(self._every(HEARTBEAT_S, self.beat), name="heartbeat"),
            asyncio.create_task(self._every(CANCEL_POLL_S, self.look_for_cancels), name="cancels"),
            asyncio.create_task(self._every(WAKE_POLL_S, self.wake_due), name="wakes"),
            *(asyncio.create_task(self._every(WAKE_POLL_S, action), name="wakes") for action in self._at_wakes),
            asyncio.create_task(self._hear(), name="notices"),
        ]

    async def close(self) -> None:
        """Stop renewing leases and unregister this process."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        try:
            await self._store.instances.remove(self._system, self._instance.id)
        except TablewrightError:
            log.warning("this process could not sign off; its entry is forgotten later", exc_info=True)

    async def beat(self) -> None:
        """Send a heartbeat, extend own leases, see to orphaned runs, and resume runs with news that nobody resumed."""
        now = self._clock.now()
        await self._store.instances.beat(self._system, at=now, run_ids=self._engine.live, lease_until=now + LEASE)
        await self.reap()
        for owned in await self._store.instances.unresumed(self._system, before=now - LEASE):
            await self.resume(owned.scope, owned.run)

    async def reap(self, dead: Sequence[str] = ()) -> None:
        """Take over the runs that were released, whose lease has expired or whose owner is one of the `dead` instances.

        Those that cannot be taken over are ended. A run comes before the runs below it, which end with it.
        """
        for orphan in await self._store.instances.orphans(self._system, now=self._clock.now(), dead=dead):
            if orphan.run.id not in self._engine.live:
                await self._see_to(orphan, dead)

    async def look_for_cancels(self) -> None:
        """Stop the runs of this process whose cancellation another process has requested."""
        if self._engine.live:
            for run_id in await self._store.instances.cancels(self._system):
                self._engine.cancel(run_id)

    async def wake_due(self) -> None:
        """Resume the waiting runs whose time has come, unless another process is faster."""
        for owned in await self._store.instances.due(self._system, now=self._clock.now()):
            await self.resume(owned.scope, owned.run)

    async def resume(self, scope: Scope, run: Run) -> None:
        """Execute a waiting run here, unless another process has claimed it first."""
        if run.state != "waiting":
            return
        claimed = await self._store.runs.claim(
            scope,
            run.id,
            attempt=run.attempt,
            instance_id=self._instance.id,
            at=self._clock.now(),
            lease_until=self._clock.now() + LEASE,
        )
        if claimed is not None:
            self._engine.start(scope, claimed)

    async def _see_to(self, orphan: OwnedRun, dead: Sequence[str]) -> None:
        now = self._clock.now()
        run = await self._store.instances.seize(
            self._system, orphan.run.id, attempt=orphan.run.attempt, now=now, lease_until=now + LEASE, dead=dead
        )
        if run is None:
            return
        if run.takeover and run.cancel_requested_at is None and run.losses <= LOSSES:
            log.warning("run %s was left by instance %s and goes on here", run.id, orphan.run.owner_instance)
            self._engine.start(orphan.scope, run)
            return
        await self._end(orphan, run, now)

    async def _end(self, orphan: OwnedRun, run: Run, now: datetime) -> None:
        cancelled = run.cancel_requested_at is not None
        error = OwnerLost(run_id=run.id)
        failure = None if cancelled else RunFailure(code=error.code, params=dict(error.params))
        try:
            await self._bus.append(orphan.scope, ending(run, "cancelled" if cancelled else "failed", now, failure))
        except Fenced:
            return
        log.warning("run %s was left by instance %s and has been ended", run.id, orphan.run.owner_instance)
        if run.parent_id is not None:
            await self.resume(orphan.scope, await self._store.runs.get(orphan.scope, run.parent_id))

    async def _forget(self, known: Sequence[Instance], dead: Sequence[str]) -> None:
        before = self._clock.now() - FORGET
        for instance in known:
            if instance.id in dead or instance.heartbeat_at < before:
                await self._store.instances.remove(self._system, instance.id)

    async def _hear(self) -> None:
        """Wake watchers and stop runs on notifications from the database, which are faster than polling."""
        while True:
            try:
                async for notice in self._store.notices(self._system):
                    if notice.run_id not in self._engine.live:
                        self._bus.wake(notice.run_id)
                    elif notice.cancel:
                        self._engine.cancel(notice.run_id)
                return
            except TablewrightError:
                log.warning("the database tells nothing at the moment; it is looked at instead", exc_info=True)
            await self._clock.sleep(HEARTBEAT_S)

    async def _every(self, seconds: float, action: Callable[[], Awaitable[None]]) -> None:
        while True:
            await self._clock.sleep(seconds)
            try:
                await action()
            except TablewrightError:
                log.warning("%s failed and will be tried again", action.__name__, exc_info=True)


def surely_dead(known: Sequence[Instance], this: Instance, alive: Callable[[int], bool]) -> tuple[str, ...]:
    """Return the ids of instances of this host that cannot be alive.

    They are from another boot, or their pid is this process's own or that of no process.
    """
    here = [instance for instance in known if instance.host == this.host and instance.id != this.id]
    return tuple(
        instance.id
        for instance in here
        if instance.boot_id != this.boot_id or instance.pid == this.pid or not alive(instance.pid)
    )


def process_alive(pid: int) -> bool:
    """Return whether a process with this pid exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def this_instance(instance_id: str, now: datetime) -> Instance:
    """Describe this process. Its PID namespace is part of its host, because pids only mean something within one."""
    pids = Path("/proc/self/ns/pid")
    namespace = str(pids.readlink()) if pids.is_symlink() else ""
    return Instance(
        id=instance_id,
        host=" ".join(filter(None, (socket.gethostname(), _read("/etc/machine-id"), namespace))),
        pid=os.getpid(),
        boot_id=_read("/proc/sys/kernel/random/boot_id"),
        heartbeat_at=now,
    )


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="ascii").strip()
    except OSError:
        return ""
