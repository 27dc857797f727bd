"""The supervisor's side of a zygote: start it, have it fork workers, receive their endings."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from pathlib import Path
from typing import Any

from tablewright.errors import SandboxUnavailable
from tablewright.sandbox import frames
from tablewright.sandbox.base import Level
from tablewright.sandbox.embedded.worker import EmbeddedWorker, OnClose, StrayOutput
from tablewright.sandbox.process import SILENT, ProcessExit
from tablewright.sandbox.worker.program import ENVIRONMENT, FOLDER

_PACKET_BYTES = 65_536
_LEVELS = {"NONE": Level.NONE, "L1": Level.L1, "L2b": Level.L2B, "L2": Level.L2}
_STOP_S = 5.0
_SPAWN_S = 30.0
_SEEN_S = 1.0
_LEVEL_S = 30.0
_BUFFER_BYTES = 1024**2

log = logging.getLogger(__name__)


class ZygoteProcess:
    """One zygote and its process tree.

    `lost` is set when it has ended, whatever the cause; `governed` tells whether Landlock works here.
    """

    def __init__(self, process: Process, control: socket.socket) -> None:
        self._process = process
        self._control = control
        self._loop = asyncio.get_running_loop()
        self._spawning: dict[str, asyncio.Future[int]] = {}
        self._workers: dict[str, EmbeddedWorker] = {}
        self._endings: dict[str, ProcessExit] = {}
        self._level: asyncio.Future[dict[str, Any]] = self._loop.create_future()
        self._ready: asyncio.Future[dict[str, Any]] = self._loop.create_future()
        self._count = 0
        self.lost = asyncio.Event()
        self.level = Level.NONE
        self.governed = False
        self.reason = ""
        self._words = bytearray()
        self._ending = False
        self._loop.add_reader(control.fileno(), self._on_packet)
        self._watching = asyncio.create_task(self._watch())

    @classmethod
    async def launch(cls, python: Path, message: dict[str, Any]) -> ZygoteProcess:
        """Start a zygote and learn its isolation level; it then waits for `load`.

        Raises `SandboxUnavailable` or `OSError`.
        """
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.setblocking(False)  # noqa: FBT003 - the library has it so
        command = (python, "-I", "-X", "utf8", FOLDER / "launch.py", "zygote", str(theirs.fileno()))
        try:
            with theirs:
                process = await asyncio.create_subprocess_exec(
                    *command,
                    stdin=DEVNULL,
                    stdout=DEVNULL,
                    stderr=PIPE,
                    env=ENVIRONMENT,
                    cwd="/",
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,
                )
        except BaseException:
            ours.close()
            raise
        zygote = cls(process, ours)
        try:
            await zygote._find_level(message)
        except BaseException:
            await zygote.stop()
            raise
        return zygote

    async def _find_level(self, message: dict[str, Any]) -> None:
        self._send(json.dumps(message).encode())
        try:
            async with asyncio.timeout(_LEVEL_S):
                found = await asyncio.shield(self._level)
        except TimeoutError:
            raise SandboxUnavailable("sandbox_silent") from None
        self.level = _LEVELS[found["level"]]
        self.governed = found["landlock"] > 0
        self.reason = found["reason"]

    def _send(self, packet: bytes) -> None:
        try:
            self._control.send(packet)
        except OSError as error:
            raise _ended(error) from error

    @property
    def process(self) -> int:
        """Return the id of the launched process, the root of the zygote's process tree."""
        return self._process.pid

    async def is_lost(self) -> bool:
        """Return whether it has ended; what fails because it ends may be seen a moment before."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_SEEN_S):
                await self.lost.wait()
        return self.lost.is_set()

    async def load(self) -> None:
        """Have it jail itself and load the packages. Raises `SandboxUnavailable`."""
        self._send(b"go")
        if missing := (await asyncio.shield(self._ready))["missing"]:
            log.warning("the sandbox has no %s to import ahead", ", ".join(missing))

    async def spawn(self, user: int | None, on_close: OnClose) -> EmbeddedWorker:
        """Have it fork a worker, which is then ready for a lease."""
        self._count += 1
        tag = str(self._count)
        ours, theirs = socket.socketpair()
        reading, writing = os.pipe2(os.O_CLOEXEC)
        self._spawning[tag] = answer = self._loop.create_future()
        try:
            with theirs:
                packet = json.dumps({"tag": tag, "user": user}).encode()
                socket.send_fds(self._control, [packet], [theirs.fileno(), writing])
            handle = await answer
        except BaseException as error:
            ours.close()
            os.close(reading)
            if isinstance(error, OSError):
                raise _ended(error) from error
            raise
        finally:
            os.close(writing)
            self._spawning.pop(tag, None)
        return await self._connect(tag, handle, user, ours, reading, on_close)

    async def _connect(
        self, tag: str, handle: int, user: int | None, ours: socket.socket, reading: int, on_close: OnClose
    ) -> EmbeddedWorker:
        reader, writer = await asyncio.open_unix_connection(sock=ours, limit=_BUFFER_BYTES)
        transport, stray = await self._loop.connect_read_pipe(StrayOutput, os.fdopen(reading, "rb", buffering=0))
        worker = EmbeddedWorker(
            handle=handle,
            level=self.level,
            user=user,
            reader=reader,
            writer=writer,
            stray=stray,
            stray_transport=transport,
            on_close=on_close,
        )
        self._workers[tag] = worker
        if tag in self._endings or self.lost.is_set():
            worker.end(self._endings.pop(tag, ProcessExit(code=None)))
        try:
            async with asyncio.timeout(_SPAWN_S):
                frame = await frames.read(reader)
        except TimeoutError:
            frame = None
        if frame is None or frame.kind != "ready":
            await worker.ended_or_killed()
            detail = worker.take_stray()
            await worker.close()
            raise SandboxUnavailable("sandbox_worker_failed", words=detail or SILENT)
        return worker

    def _on_packet(self) -> None:
        while True:
            try:
                packet, descriptors, _, _ = socket.recv_fds(self._control, _PACKET_BYTES, 1)
            except BlockingIOError:
                return
            except OSError:
                packet, descriptors = b"", []
            if not packet:
                self._loop.remove_reader(self._control.fileno())
                return
            self._on_message(json.loads(packet), descriptors)

    def _on_message(self, message: dict[str, Any], descriptors: list[int]) -> None:
        kind = message["kind"]
        if kind == "level":
            self._level.set_result(message)
        elif kind == "ready":
            self._ready.set_result(message)
        elif kind == "exited":
            self._on_exit(message)
        else:
            waiting = self._spawning.get(message["tag"])
            if waiting is None or waiting.done():
                for descriptor in descriptors:
                    os.close(descriptor)
            elif kind == "spawned":
                waiting.set_result(descriptors[0])
            else:
                waiting.set_exception(SandboxUnavailable("sandbox_worker_failed", words=message["reason"]))

    def _on_exit(self, message: dict[str, Any]) -> None:
        ending = ProcessExit(code=message["code"])
        worker = self._workers.pop(message["tag"], None)
        if worker is None:
            self._endings[message["tag"]] = ending
        else:
            worker.end(ending)

    async def _watch(self) -> None:
        """Collect its last output, and settle everything when it ends."""
        assert self._process.stderr is not None
        while chunk := await self._process.stderr.read(4096):
            self._words = (self._words + chunk)[-8192:]
        code = await self._process.wait()
        self._loop.remove_reader(self._control.fileno())
        self._on_packet_rest()
        self.lost.set()
        words = self._words.decode(errors="replace").strip()
        if words and not self._ending:  # last output is not worth logging if the end was requested
            log.warning("the zygote ended with code %s and these words:\n%s", code, words)
        error = SandboxUnavailable("sandbox_process_ended", status=code, words=words.rpartition("\n")[2] or SILENT)
        waiters: list[asyncio.Future[Any]] = [self._level, self._ready, *self._spawning.values()]
        for waiting in waiters:
            _fail(waiting, error)
        for worker in self._workers.values():
            worker.end(ProcessExit(code=None))
        self._workers.clear()

    def _on_packet_rest(self) -> None:
        with suppress(OSError):
            self._on_packet()

    async def stop(self) -> None:
        """End it and all its workers. Idempotent; returns when every process is gone."""
        self._ending = True
        for worker in list(self._workers.values()):
            worker.kill()
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)
        try:
            async with asyncio.timeout(_STOP_S):
                await asyncio.shield(self._watching)
        except TimeoutError:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._watching
        self._control.close()


def _ended(error: OSError) -> SandboxUnavailable:
    return SandboxUnavailable("sandbox_process_ended", status="EOF", words=str(error))


def _fail(waiting: asyncio.Future[Any], error: Exception) -> None:
    if not waiting.done():
        waiting.set_exception(error)
        # Marks the exception as retrieved, since possibly nobody waits for it.
        waiting.exception()
