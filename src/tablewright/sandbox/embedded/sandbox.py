"""The embedded backend: a pool over one zygote, which is replaced when it dies."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tablewright.domain.ids import Clock, Ids, SystemClock, Uuid7Ids
from tablewright.errors import MachineError, SandboxUnavailable
from tablewright.sandbox import environment, folders, frames
from tablewright.sandbox.base import (
    SESSIONS_FOLDER,
    SHARED_FOLDER,
    Input,
    LeaseScope,
    Level,
    Limits,
    PoolStats,
    Session,
)
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.worker import EmbeddedWorker
from tablewright.sandbox.embedded.zygote import Zygote, users
from tablewright.sandbox.pool import Pool
from tablewright.sandbox.process import Room, WorkerProcess
from tablewright.sandbox.session import LeasedSession

_BACK_OFF_S = (0.1, 0.5, 2.0, 5.0, 15.0)
_LEASE_S = 20.0
_PING_S = 5.0
_SPARE_USERS = 16
JAIL_TMP = "/tmp"  # noqa: S108 - a memory file system of the jail


class EmbeddedSandbox:
    """Implements `Sandbox`: no root, no Docker, no network, nothing left behind."""

    def __init__(self, config: EmbeddedConfig, *, ids: Ids | None = None, clock: Clock | None = None) -> None:
        self._config = config
        self._ids = ids or Uuid7Ids()
        self._clock = clock or SystemClock()
        parent = config.folder or Path(tempfile.gettempdir(), f"tablewright-{os.geteuid()}")
        self._state = folders.StateFolder(parent, self._ids.new())
        self._free_users = list(users(config.size.maximum + _SPARE_USERS))
        self._all_users = tuple(self._free_users)
        self._pool = Pool(self._spawn, config.size)
        self._sessions: set[LeasedSession] = set()
        self._loaded: asyncio.Future[Zygote] | None = None
        self._level = Level.NONE
        self._python = Path()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Find the level; loading and warming go on after it returns."""
        found = self._config.python
        self._python = found if found is not None else await asyncio.to_thread(environment.find)
        self._state.open()
        try:
            zygote = await self._launch()
        except BaseException:
            self._state.close()
            raise
        self._level = zygote.level
        self._loaded = asyncio.get_running_loop().create_future()
        self._tasks = [asyncio.create_task(self._keep(zygote)), asyncio.create_task(self._tend())]

    async def _launch(self) -> Zygote:
        config, root = self._config, self._state.root
        zygote = await Zygote.launch(
            self._python,
            {
                "base": str(root / "root"),
                "sessions": str(root / "sessions"),
                "tmp": str(root / "tmp"),
                "users": self._all_users,
                "tmp_bytes": config.tmp_bytes,
                "shm_bytes": config.shm_bytes,
                "packages": config.preload,
                "strongest": "L1" if config.strongest is Level.L1 else "L2",
            },
        )
        if zygote.level < max(config.min_isolation, Level.L1):
            level, reason = zygote.level, zygote.reason
            await zygote.stop()
            raise SandboxUnavailable(
                f"isolation here reaches {level.name}: {reason}", level=level.name, required=config.min_isolation.name
            )
        return zygote

    async def _keep(self, zygote: Zygote) -> None:
        """Load, fill the pool, and begin again with a new zygote when one is lost."""
        failures = 0
        while True:
            try:
                await zygote.load()
                assert self._loaded is not None
                self._loaded.set_result(zygote)
                self._pool.fill()
                failures = 0
                await zygote.lost.wait()
                self._pool.drop_idle()
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
        if self._loaded is not None and not self._loaded.done():
            self._loaded.set_exception(error)
            self._loaded.exception()

    async def _relaunch(self, failures: int) -> Zygote:
        while True:
            await self._clock.sleep(_BACK_OFF_S[min(failures, len(_BACK_OFF_S) - 1)])
            try:
                return await self._launch()
            except MachineError as error:
                self._fail(error)
                self._loaded = asyncio.get_running_loop().create_future()
                failures += 1

    async def _tend(self) -> None:
        """End sessions that outlived their limits, and replace idle workers that are ill."""
        while True:
            await self._clock.sleep(self._config.health_check_s)
            for session in [session for session in self._sessions if session.expired()]:
                await session.release()
            await self._pool.check(self._healthy)

    async def _healthy(self, worker: WorkerProcess) -> bool:
        worker.writer.write(frames.encode("ping"))
        try:
            async with asyncio.timeout(_PING_S):
                frame = await frames.read(worker.reader)
        except (TimeoutError, frames.ProtocolViolation):
            return False
        return frame is not None and frame.kind == "pong"

    async def _spawn(self) -> WorkerProcess:
        if self._loaded is None:
            raise SandboxUnavailable("the sandbox was not started")
        zygote = await asyncio.shield(self._loaded)
        user = self._free_users.pop(0) if self._free_users else None
        try:
            return await zygote.spawn(user, self._on_close)
        except BaseException:
            if user is not None and user not in self._free_users:
                self._free_users.append(user)
            raise

    def _on_close(self, worker: EmbeddedWorker) -> None:
        if worker.user is not None:
            self._free_users.append(worker.user)

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
        await asyncio.to_thread(self._state.close)

    async def acquire(self, scope: LeaseScope, inputs: Sequence[Input] = (), limits: Limits | None = None) -> Session:
        if self._loaded is None:
            raise SandboxUnavailable("the sandbox was not started")
        worker = await self._pool.take()
        room = self._room(self._ids.new())
        try:
            await asyncio.to_thread(folders.make, room.host, inputs, worker.user)
            await self._lease(worker, room, limits or self._config.limits)
        except BaseException:
            await worker.close()
            await asyncio.to_thread(folders.remove, room.host)
            self._pool.give_back()
            raise
        session = LeasedSession(
            scope=scope,
            worker=worker,
            room=room,
            limits=limits or self._config.limits,
            clock=self._clock,
            on_release=self._released,
        )
        self._sessions.add(session)
        return session

    def _room(self, name: str) -> Room:
        host = self._state.root / "sessions" / name
        if self._level is Level.L1:
            return Room(host=host, name=name, shared=f"{host}/shared", work=f"{host}/work", tmp=f"{host}/tmp")
        return Room(host=host, name=name, shared=SHARED_FOLDER, work=f"{SESSIONS_FOLDER}/{name}", tmp=JAIL_TMP)

    async def _lease(self, worker: WorkerProcess, room: Room, limits: Limits) -> None:
        memory = limits.memory_bytes - self._config.tmp_bytes - self._config.shm_bytes
        worker.writer.write(
            frames.encode(
                "lease",
                policy=self._config.import_policy,
                room={"folder": room.name, "shared": room.shared, "work": room.work, "tmp": room.tmp},
                quota={"memory_bytes": memory, "file_bytes": limits.disk_bytes, "cpu_s": int(limits.lifetime_s)},
            )
        )
        try:
            async with asyncio.timeout(_LEASE_S):
                frame = await frames.read(worker.reader)
        except (TimeoutError, frames.ProtocolViolation):
            frame = None
        if frame is None or frame.kind != "leased":
            raise SandboxUnavailable(f"a session could not be closed in: {worker.take_stray() or 'no word from it'}")
        worker.pause()

    async def _released(self, session: LeasedSession) -> None:
        self._sessions.discard(session)
        self._pool.give_back()

    def level(self) -> Level:
        return self._level

    def stats(self) -> PoolStats:
        return self._pool.stats()
