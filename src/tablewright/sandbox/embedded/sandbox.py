"""The embedded backend: a pool of workers of one zygote, which is replaced when it dies."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tablewright.domain.ids import Clock, Ids, SystemClock, Uuid7Ids
from tablewright.errors import MachineError, SandboxUnavailable
from tablewright.sandbox import environment, folders
from tablewright.sandbox.base import Input, Layer, LeaseScope, Level, Limits, PoolStats, Session
from tablewright.sandbox.embedded import cgroups, fonts, lease
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.worker import EmbeddedWorker
from tablewright.sandbox.embedded.zygote import ZygoteProcess
from tablewright.sandbox.pool import Pool
from tablewright.sandbox.process import SILENT, WorkerProcess
from tablewright.sandbox.session import LeasedSession
from tablewright.sandbox.workers import affordable, tend, users, vacate

_BACK_OFF_S = (0.1, 0.5, 2.0, 5.0, 15.0)
_SPARE_USERS = 16
_STEADY_S = 60.0
_NOTICED, _NOTICED_S = 500, 0.01
"""How often and how far apart it is looked whether the loss of a zygote was noticed."""


class EmbeddedSandbox:
    """Implements `Sandbox` without root, Docker or network; leaves nothing behind."""

    def __init__(self, config: EmbeddedConfig, *, ids: Ids | None = None, clock: Clock | None = None) -> None:
        self._config = config
        self._ids = ids or Uuid7Ids()
        self._clock = clock or SystemClock()
        parent = config.folder or Path(tempfile.gettempdir(), f"tablewright-{os.geteuid()}")
        self._state = folders.StateFolder(parent, self._ids.new())
        self._size = affordable(config.size, config.limits.memory_bytes + config.limits.disk_bytes)
        self._users = list(users(self._size.maximum + _SPARE_USERS))
        self._free_users = list(self._users)
        self._pool = Pool(self._spawn, self._size)
        self._groups: cgroups.Groups | None = None
        self._sessions: set[LeasedSession] = set()
        self._zygote: ZygoteProcess | None = None
        self._loaded: asyncio.Future[ZygoteProcess] | None = None
        self._level = Level.NONE
        self._own_disks = False
        self._python = Path()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Determine the isolation level; loading and warming up continue after this returns."""
        config = self._config
        self._python = await asyncio.to_thread(environment.ensure, config.python, config.progress, cache=config.cache)
        await asyncio.to_thread(self._state.open)
        try:
            zygote = await self._launch()
        except BaseException:
            await asyncio.to_thread(self._state.close)
            raise
        self._loaded = asyncio.get_running_loop().create_future()
        self._tasks = [asyncio.create_task(self._keep(zygote)), asyncio.create_task(self._tend())]

    async def _launch(self) -> ZygoteProcess:
        config, root = self._config, self._state.root
        told = {
            "base": str(root / "root"),
            "sessions": str(root / "sessions"),
            "tmp": str(root / "tmp"),
            "fonts": fonts.PLACE,
            "users": self._users,
            "tmp_bytes": config.tmp_bytes,
            "shm_bytes": config.shm_bytes,
            "packages": config.preload,
            "landlock": config.landlock,
            "strongest": "L1" if config.strongest is Level.L1 else "L2",
        }
        try:
            await asyncio.to_thread(fonts.lend, config.cache, root / "sessions")
            zygote = await ZygoteProcess.launch(self._python, told)
        except OSError as error:
            raise SandboxUnavailable("sandbox_start_failed", words=str(error)) from error
        try:
            self._level = zygote.level = await self._settle_level(zygote)
        except BaseException:
            await zygote.stop()
            raise
        self._own_disks = lease.sees_disks(self._level)
        self._zygote = zygote
        return zygote

    async def _settle_level(self, zygote: ZygoteProcess) -> Level:
        config, level = self._config, zygote.level
        if level >= Level.L1 and config.strongest is Level.L3:
            self._groups = await asyncio.to_thread(cgroups.find, self._state.root.name, zygote.process)
            if level is Level.L2 and self._groups is not None:
                level = Level.L3
        required = max(config.min_isolation, Level.L1)
        if level < required:
            words = {"level": level.name, "required": required.name, "reason": zygote.reason or SILENT}
            raise SandboxUnavailable("sandbox_isolation_low", **words)
        return level

    async def _keep(self, zygote: ZygoteProcess) -> None:
        """Load, fill the pool, and start over with a new zygote whenever one is lost."""
        failures = 0
        while True:
            try:
                await zygote.load()
                assert self._loaded is not None
                self._loaded.set_result(zygote)
                self._pool.fill()
                loaded_at = self._clock.monotonic()
                await asyncio.to_thread(fonts.keep, self._config.cache, self._state.root / "sessions")
                await zygote.lost.wait()
                self._pool.fail(SandboxUnavailable("sandbox_process_ended"))
                self._pool.drop_idle()
                if self._clock.monotonic() - loaded_at > _STEADY_S:
                    failures = 0
            except asyncio.CancelledError:
                await zygote.stop()
                raise
            except MachineError as error:
                self._fail(error)
            self._loaded = asyncio.get_running_loop().create_future()
            await zygote.stop()
            zygote = await self._relaunch(failures)
            failures += 1

    def _fail(self, error: MachineError) -> None:
        """Tell everyone who waits for a zygote that there is none."""
        self._pool.fail(error)
        if self._loaded is not None and not self._loaded.done():
            self._loaded.set_exception(error)
            self._loaded.exception()

    async def _relaunch(self, failures: int) -> ZygoteProcess:
        while True:
            await self._clock.sleep(_BACK_OFF_S[min(failures, len(_BACK_OFF_S) - 1)])
            try:
                return await self._launch()
            except MachineError as error:
                self._fail(error)
                self._loaded = asyncio.get_running_loop().create_future()
                failures += 1

    async def _tend(self) -> None:
        while True:
            await self._clock.sleep(self._config.health_check_s)
            await tend(self._sessions, self._pool)

    async def _spawn(self) -> WorkerProcess:
        if self._loaded is None:
            raise SandboxUnavailable("sandbox_not_started")
        zygote = await asyncio.shield(self._loaded)
        try:
            return await self._spawn_from(zygote)
        except SandboxUnavailable:
            if not await zygote.is_lost():
                raise
        return await self._spawn_from(await self._after(zygote))  # whoever waits may come later than the loss

    async def _after(self, lost: ZygoteProcess) -> ZygoteProcess:
        """Return the zygote that takes the place of one that is lost."""
        for _ in range(_NOTICED):
            loaded = self._loaded
            if loaded is not None and not (loaded.done() and loaded.exception() is None and loaded.result() is lost):
                return await asyncio.shield(loaded)
            await asyncio.sleep(_NOTICED_S)
        raise SandboxUnavailable("sandbox_process_ended")

    async def _spawn_from(self, zygote: ZygoteProcess) -> WorkerProcess:
        user = self._free_users.pop(0) if self._free_users else None
        try:
            worker = await zygote.spawn(user, self._on_close)
        except BaseException:
            if user is not None and user not in self._free_users:
                self._free_users.append(user)
            raise
        # Joining a group takes the kernel several milliseconds: better now than during a lease.
        try:
            await asyncio.to_thread(self._bind, worker, self._config.limits)
        except BaseException:
            await worker.close()
            raise
        return worker

    def _bind(self, worker: WorkerProcess, limits: Limits) -> None:
        if self._groups is not None and worker.process is not None:
            try:
                # Its files are in memory, beside the memory of its process.
                whole = limits.memory_bytes + (limits.disk_bytes if self._own_disks else 0)
                self._groups.make(str(worker.process), worker.process, dataclasses.replace(limits, memory_bytes=whole))
            except OSError as error:
                raise SandboxUnavailable("sandbox_groups_failed", words=str(error)) from error

    def _on_close(self, worker: EmbeddedWorker) -> None:
        if worker.user is not None:
            self._free_users.append(worker.user)
        if self._groups is not None and worker.process is not None:
            asyncio.get_running_loop().run_in_executor(None, self._groups.remove, str(worker.process))

    async def acquire(self, scope: LeaseScope, inputs: Sequence[Input] = (), limits: Limits | None = None) -> Session:
        if self._loaded is None:
            raise SandboxUnavailable("sandbox_not_started")
        limits = limits or self._config.limits
        worker = await self._pool.take(scope.turn)
        assert isinstance(worker, EmbeddedWorker)
        room = lease.room(self._state.root, self._ids.new(), self._level)
        try:
            await asyncio.to_thread(folders.make, room.host, inputs, worker.user)
            if limits != self._config.limits:
                await asyncio.to_thread(self._bind, worker, limits)
            room = await lease.lease(worker, room, limits, self._config, own_disk=self._own_disks)
        except BaseException:
            try:
                await worker.close()
            finally:
                await vacate(self._state, room, self._pool)
            raise
        session = LeasedSession(
            scope=scope,
            worker=worker,
            room=room,
            inputs=inputs,
            limits=limits,
            clock=self._clock,
            parking=self._pool,
            on_release=self._released,
        )
        self._sessions.add(session)
        return session

    async def _released(self, session: LeasedSession) -> None:
        self._sessions.discard(session)
        await vacate(self._state, session.room, self._pool)

    async def stop(self) -> None:
        for session in list(self._sessions):
            await session.release()
        await self._pool.close()
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        self._tasks = []
        self._loaded = None
        if self._zygote is not None:
            await self._zygote.stop()
        if self._groups is not None:
            self._groups.close()
        await asyncio.to_thread(self._state.close)

    def level(self) -> Level:
        return self._level

    def layers(self) -> tuple[Layer, ...]:
        if self._level is Level.NONE or self._zygote is None:
            return ()
        found: dict[Layer, bool] = {
            "namespaces": self._level > Level.L1,
            "cgroup": self._groups is not None,
            "landlock": self._zygote.governed,
        }
        return (*(layer for layer, there in found.items() if there), "seccomp", "limits")

    def stats(self) -> PoolStats:
        return self._pool.stats()
