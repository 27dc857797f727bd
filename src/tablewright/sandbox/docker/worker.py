"""A container as seen by the supervisor: its worker's frames, and the reports of its agent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from tablewright.errors import MachineError, SandboxUnavailable
from tablewright.sandbox import frames
from tablewright.sandbox.base import Level
from tablewright.sandbox.docker.attachment import Attachment, attach
from tablewright.sandbox.docker.engine import DockerEngine
from tablewright.sandbox.process import SILENT, Load, ProcessExit, SessionPaths

_HELLO_S = 30.0
_READY_S = 60.0
_KILL_S = 1.0
_STRAY_CHARS = 16 * 1024
_KILLED = -9
_LEVELS = {"NONE": Level.NONE, "L1": Level.L1, "GVISOR": Level.GVISOR}

OnClose = Callable[["DockerWorker"], None]


class DockerWorker:
    """Implements `WorkerProcess` with a container.

    `level` is the level that the container detected, `governed` whether Landlock works in it. `program` is the digest
    of the service's own worker program, which the one in the image must match.
    """

    def __init__(
        self,
        engine: DockerEngine,
        container: str,
        *,
        room: SessionPaths,
        user: int | None,
        image: str,
        program: str,
        on_close: OnClose,
    ) -> None:
        self._engine = engine
        self.container = container
        self.room = room
        self._user = user
        self._image = image
        self._program = program
        self._on_close = on_close
        self._attachment: Attachment
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter
        self._level = Level.NONE
        self.reason = ""
        self.governed = False
        self._hello: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._ending: asyncio.Future[ProcessExit] = asyncio.get_running_loop().create_future()
        self._load: Load | None = None
        self._orphan_bytes: int | None = 0
        self._born_bytes: int | None = None
        self.measured = asyncio.Event()
        self._stray = ""
        self._tasks: list[asyncio.Task[None]] = []
        self._closed = False

    async def start(self) -> None:
        """Attach, start the container and wait for its hello message.

        Raises SandboxUnavailable after closing itself.
        """
        try:
            self._attachment = await attach(self._engine.socket, self.container, self._on_message)
            self.reader, self.writer = self._attachment.reader, self._attachment.writer
            self._tasks.append(asyncio.create_task(self._watch()))
            await self._engine.start(self.container)
            try:
                async with asyncio.timeout(_HELLO_S):
                    await asyncio.shield(self._hello)
            except TimeoutError:
                raise self._not_started() from None
        except BaseException:
            await self.close()
            raise

    async def load_packages(self, packages: tuple[str, ...]) -> None:
        """Have the worker import `packages`; it is then ready for a lease.

        Raises SandboxUnavailable after closing itself.
        """
        self.writer.write(frames.encode("begin", packages=packages))
        try:
            async with asyncio.timeout(_READY_S):
                frame = await frames.read(self.reader)
        except (TimeoutError, frames.ProtocolViolation):
            frame = None
        if frame is None or frame.kind != "ready":
            detail = self.take_stray() or self._attachment.log()
            await self.close()
            raise SandboxUnavailable("sandbox_worker_failed", words=detail or SILENT)

    def _on_message(self, message: dict[str, Any]) -> None:
        kind = message["kind"]
        if kind == "hello":
            self._on_hello(message)
        elif kind == "load":
            self._measure(int(message["memory_bytes"]), float(message["cpu_s"]))
            self._orphan_bytes = None if message["orphan_bytes"] is None else int(message["orphan_bytes"])
        elif kind == "stray":
            self._stray = (self._stray + str(message["text"]))[:_STRAY_CHARS]
        elif kind == "exited":
            self._end(ProcessExit(code=int(message["code"])))
            self.reader.feed_eof()

    def _measure(self, memory_bytes: int, cpu_s: float) -> None:
        if self._born_bytes is None:
            self._born_bytes = memory_bytes
        self._load = Load(memory_bytes=max(0, memory_bytes - self._born_bytes), cpu_s=cpu_s)
        self.measured.set()

    def _on_hello(self, message: dict[str, Any]) -> None:
        self._level = _LEVELS[message["level"]]
        self.reason = str(message["reason"])
        self.governed = int(message["landlock"]) > 0
        if self._hello.done():
            return
        if message["program"] == self._program:
            self._hello.set_result(None)
        else:
            self._fail(SandboxUnavailable("docker_image_old", image=self._image))

    def _not_started(self) -> SandboxUnavailable:
        return SandboxUnavailable("docker_container_failed", words=self._attachment.log() or SILENT)

    def _fail(self, error: SandboxUnavailable) -> None:
        if not self._hello.done():
            self._hello.set_exception(error)
            self._hello.exception()

    def _end(self, ending: ProcessExit) -> None:
        if not self._ending.done():
            self._ending.set_result(ending)

    async def _watch(self) -> None:
        """Find out how the container ended if its agent could not report it."""
        await self._attachment.closed.wait()
        self._fail(self._not_started())
        code = None
        if not self._ending.done():
            with suppress(MachineError):
                code = _KILLED if await self._engine.ran_out_of_memory(self.container) else None
        self._end(ProcessExit(code=code))

    @property
    def level(self) -> Level:
        return self._level

    @property
    def process(self) -> int | None:
        """Return None: the process is in another pid namespace."""
        return None

    @property
    def user(self) -> int | None:
        return self._user

    def _say(self, kind: str) -> None:
        if not self._ending.done() and not self._closed:
            self.writer.write(frames.encode(kind))

    def interrupt(self) -> None:
        self._say("interrupt")

    def pause(self) -> None:
        self._say("pause")

    def resume(self) -> None:
        self._say("resume")

    def kill(self) -> None:
        self._say("kill")
        self._attachment.ignore_readers()
        self._tasks.append(asyncio.create_task(self._kill_container()))

    async def _kill_container(self) -> None:
        """Make sure that the container ends, even if its agent does not end it."""
        try:
            async with asyncio.timeout(_KILL_S):
                await self.ended()
        except TimeoutError:
            with suppress(MachineError):
                await self._engine.kill(self.container)

    def load(self) -> Load | None:
        return None if self._ending.done() else self._load

    def orphan_bytes(self, folders: Sequence[str]) -> int | None:  # noqa: ARG002 - the agent knows the folder
        return self._orphan_bytes

    def take_stray(self) -> str:
        text, self._stray = self._stray, ""
        return text

    async def ended(self) -> ProcessExit:
        return await asyncio.shield(self._ending)

    @property
    def alive(self) -> bool:
        """Return whether the container is still running."""
        return not self._ending.done() and not self._attachment.closed.is_set()

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            with suppress(MachineError):
                await self._engine.remove(self.container)
        finally:
            self._end(ProcessExit(code=None))
            if hasattr(self, "writer"):
                self.writer.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            self._on_close(self)
