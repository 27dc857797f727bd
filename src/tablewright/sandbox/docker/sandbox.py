"""The Docker backend: a pool of containers, each created with the folders of its future session."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tablewright.domain.ids import Clock, Ids, SystemClock, Uuid7Ids
from tablewright.errors import MachineError, SandboxUnavailable
from tablewright.sandbox import folders
from tablewright.sandbox.base import Input, Layer, LeaseScope, Level, Limits, PoolStats, Session
from tablewright.sandbox.docker import containers
from tablewright.sandbox.docker.config import NO_NETWORK, DockerConfig
from tablewright.sandbox.docker.engine import DockerEngine, Labelled
from tablewright.sandbox.docker.worker import DockerWorker
from tablewright.sandbox.pool import Pool
from tablewright.sandbox.process import SILENT, WorkerProcess
from tablewright.sandbox.session import LeasedSession
from tablewright.sandbox.worker import program
from tablewright.sandbox.workers import affordable, lease, tend, users, vacate

_SPARE_USERS = 16
_TRIES = 5
_OVERHEAD_BYTES = 256 * 1024**2
"""The part of a container's memory used by the interpreter, its packages and gVisor's kernel."""
_LEAST_BYTES = 64 * 1024**2


class DockerSandbox:
    """Implements `Sandbox` with containers; needs a Docker daemon and the image."""

    def __init__(self, config: DockerConfig, *, ids: Ids | None = None, clock: Clock | None = None) -> None:
        self._config = config
        self._ids = ids or Uuid7Ids()
        self._clock = clock or SystemClock()
        self._parent = config.folder or Path(tempfile.gettempdir(), f"tablewright-docker-{os.geteuid()}")
        self._state = folders.StateFolder(self._parent, self._ids.new())
        self._size = affordable(config.size, config.limits.memory_bytes)
        self._free_users = list(users(self._size.maximum + _SPARE_USERS))
        self._pool = Pool(self._spawn, self._size)
        self._engine: DockerEngine | None = None
        self._place = ""
        self._program = ""
        self._level = Level.NONE
        self._governed = False
        self._workers: set[DockerWorker] = set()
        self._making: set[str] = set()
        self._sessions: set[LeasedSession] = set()
        self._tending: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Determine the isolation level by starting a container; the pool is filled after this returns."""
        self._engine = engine = DockerEngine(self._config.socket)
        try:
            await self._check(engine)
            await asyncio.to_thread(self._state.open)
            try:
                self._place = await asyncio.to_thread(containers.place, self._parent)
                self._program = await asyncio.to_thread(program.digest)
                await self._sweep(engine)
                await self._find_level()
            except BaseException:
                await asyncio.to_thread(self._state.close)
                raise
        except BaseException:
            await engine.close()
            self._engine = None
            raise
        self._pool.fill()
        self._tending = asyncio.create_task(self._tend())

    async def _check(self, engine: DockerEngine) -> None:
        """Raise an error for any problem that the operator can fix."""
        config = self._config
        found = await engine.runtimes()
        if config.runtime not in found:
            raise SandboxUnavailable("docker_runtime_missing", runtime=config.runtime, known=", ".join(sorted(found)))
        if not await engine.has_image(config.image):
            raise SandboxUnavailable("docker_image_missing", image=config.image)
        if config.network != NO_NETWORK and not await engine.is_internal(config.network):
            raise SandboxUnavailable("docker_network_open", network=config.network)

    async def _find_level(self) -> None:
        worker = await self._make()
        level, reason = worker.level, worker.reason
        self._governed = worker.governed
        await self._discard(worker)
        required = max(self._config.min_isolation, Level.L1)
        if level < required:
            words = {"level": level.name, "required": required.name, "reason": reason or SILENT}
            raise SandboxUnavailable("docker_isolation_low", **words)
        self._level = level

    async def _sweep(self, engine: DockerEngine) -> None:
        """Remove the leftovers of services that are gone, and our own containers and volumes that nobody uses."""
        label = f"{containers.PLACE_LABEL}={self._place}"
        known = {worker.container for worker in self._workers}
        for container in await engine.containers(label):
            if container.id not in known and await self._is_left(container):
                await engine.remove(container.id)
        for volume in await engine.idle_volumes(label):
            if await self._is_left(volume):
                await engine.remove_volume(volume.id)

    async def _is_left(self, found: Labelled) -> bool:
        instance = found.labels.get(containers.INSTANCE_LABEL, "")
        if instance == self._state.root.name:
            return not self._making
        return not await asyncio.to_thread(containers.is_held, self._parent / instance)

    async def _make(self) -> DockerWorker:
        """Create and start a container with the folders of a session."""
        engine = self._engine
        if engine is None:
            raise SandboxUnavailable("sandbox_not_started")
        name = self._ids.new()
        room = containers.room(self._state.root, name)
        user = self._free_users.pop(0) if self._free_users else None
        labels = {containers.PLACE_LABEL: self._place, containers.INSTANCE_LABEL: self._state.root.name}
        self._making.add(name)
        try:
            await asyncio.to_thread(folders.make, room.host, (), user)
            body = containers.specification(self._config, room, user=user, labels=labels)
            container = await engine.create(f"tablewright-{name}", body)
            worker = DockerWorker(
                engine,
                container,
                room=room,
                user=user,
                image=self._config.image,
                program=self._program,
                on_close=self._on_close,
            )
            self._workers.add(worker)
        except BaseException:
            self._free_users += [user] if user is not None else []
            await asyncio.to_thread(self._state.discard, room.host)
            raise
        finally:
            self._making.discard(name)
        try:
            await worker.start()
        except BaseException:
            await self._discard(worker)
            raise
        return worker

    def _on_close(self, worker: DockerWorker) -> None:
        self._workers.discard(worker)
        if worker.user is not None:
            self._free_users.append(worker.user)

    async def _discard(self, worker: DockerWorker) -> None:
        try:
            await worker.close()
        finally:
            await asyncio.to_thread(self._state.discard, worker.room.host)

    async def _spawn(self) -> WorkerProcess:
        worker = await self._make()
        try:
            if worker.level is not self._level:
                raise SandboxUnavailable("docker_isolation_fell", before=self._level.name, level=worker.level.name)
            await worker.load_packages(self._config.preload)
        except BaseException:
            await self._discard(worker)
            raise
        return worker

    async def _tend(self) -> None:
        """Check sessions and workers, and remove leftovers."""
        while True:
            await self._clock.sleep(self._config.health_check_s)
            await tend(self._sessions, self._pool)
            if self._engine is not None:
                with suppress(MachineError):
                    await self._sweep(self._engine)

    async def acquire(self, scope: LeaseScope, inputs: Sequence[Input] = (), limits: Limits | None = None) -> Session:
        if self._engine is None:
            raise SandboxUnavailable("sandbox_not_started")
        limits = limits or self._config.limits
        worker = await self._leased(scope.turn, inputs, limits)
        session = LeasedSession(
            scope=scope,
            worker=worker,
            room=worker.room,
            inputs=inputs,
            limits=limits,
            clock=self._clock,
            parking=self._pool,
            on_release=self._released,
        )
        self._sessions.add(session)
        return session

    async def _leased(self, turn: str, inputs: Sequence[Input], limits: Limits) -> DockerWorker:
        """Take a worker and lease it, skipping those whose containers have ended meanwhile."""
        for _ in range(_TRIES):
            worker = await self._pool.take(turn)
            assert isinstance(worker, DockerWorker)
            try:
                await self._lease(worker, inputs, limits)
            except BaseException as error:
                alive = worker.alive
                try:
                    await worker.close()
                finally:
                    await vacate(self._state, worker.room, self._pool)
                if alive or not isinstance(error, SandboxUnavailable):
                    raise
            else:
                return worker
        raise SandboxUnavailable("docker_containers_end")

    async def _lease(self, worker: DockerWorker, inputs: Sequence[Input], limits: Limits) -> None:
        await asyncio.to_thread(folders.fill, worker.room.host / "shared", inputs)
        await lease(worker, worker.room, limits, memory_bytes=self._memory(limits), imports=self._config.imports)
        await worker.measured.wait()

    def _memory(self, limits: Limits) -> int:
        """Return the memory limit of the process: the container's memory less what else is charged to it."""
        config = self._config
        whole = min(limits.memory_bytes, config.limits.memory_bytes)
        return max(_LEAST_BYTES, whole - config.tmp_bytes - config.shm_bytes - _OVERHEAD_BYTES)

    async def _released(self, session: LeasedSession) -> None:
        self._sessions.discard(session)
        await vacate(self._state, session.room, self._pool)

    async def stop(self) -> None:
        if self._engine is None:
            return
        if self._tending is not None:
            self._tending.cancel()
            await asyncio.gather(self._tending, return_exceptions=True)
        for session in list(self._sessions):
            await session.release()
        await self._pool.close()
        for worker in list(self._workers):
            await worker.close()
        with suppress(MachineError):
            await self._sweep(self._engine)
        await self._engine.close()
        self._engine = None
        await asyncio.to_thread(self._state.close)

    def level(self) -> Level:
        return self._level

    def layers(self) -> tuple[Layer, ...]:
        if self._level is Level.NONE:
            return ()
        kernel: tuple[Layer, ...] = ("kernel",) if self._level is Level.GVISOR else ()
        rules: tuple[Layer, ...] = ("landlock",) if self._governed else ()
        return ("container", *kernel, *rules, "seccomp", "limits")

    def stats(self) -> PoolStats:
        return self._pool.stats()
