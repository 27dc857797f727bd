"""A worker forked by the zygote, as seen by the supervisor: a process handle, a socket, and a pipe of stray output."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import BufferedIOBase
from pathlib import Path

from tablewright.sandbox.base import Level
from tablewright.sandbox.process import Load, ProcessExit
from tablewright.sandbox.worker import orphans

_END_S = 10.0
_STRAY_BYTES = 16 * 1024
_PIPE_BYTES = 64 * 1024
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")


class StrayOutput(asyncio.Protocol):
    """Reads everything and keeps the beginning, so that the pipe never fills up and blocks the worker."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._pipe: BufferedIOBase = transport.get_extra_info("pipe")

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self.closed.set_result(None)

    def data_received(self, data: bytes) -> None:
        self._kept += data[: _STRAY_BYTES - len(self._kept)]

    def take(self) -> str:
        """Return what was kept since the last call, and what the event loop has not read yet."""
        with suppress(BlockingIOError, ValueError):  # nothing is there, or the pipe is closed
            self.data_received(os.read(self._pipe.fileno(), _PIPE_BYTES))
        text = self._kept.decode(errors="replace")
        self._kept.clear()
        return text


def process_id(handle: int) -> int | None:
    """Return the id of the process behind a process handle, in this process's pid namespace."""
    for line in Path(f"/proc/self/fdinfo/{handle}").read_text().splitlines():
        if line.startswith("Pid:"):
            number = int(line.split()[1])
            return number if number > 0 else None
    return None


OnClose = Callable[["EmbeddedWorker"], None]


class EmbeddedWorker:
    """Implements `WorkerProcess`."""

    def __init__(
        self,
        *,
        handle: int,
        level: Level,
        user: int | None,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        stray: StrayOutput,
        stray_transport: asyncio.BaseTransport,
        on_close: OnClose,
    ) -> None:
        self._handle = handle
        self._level = level
        self._user = user
        self.reader = reader
        self.writer = writer
        self._stray = stray
        self._stray_transport = stray_transport
        self._on_close = on_close
        self._pid = process_id(handle)
        self._shared_bytes = 0
        self._ending: asyncio.Future[ProcessExit] = asyncio.get_running_loop().create_future()
        self._closed = False

    @property
    def level(self) -> Level:
        return self._level

    @property
    def process(self) -> int | None:
        """Return its process id, or None if this process cannot see it."""
        return self._pid

    @property
    def user(self) -> int | None:
        return self._user

    def _signal(self, number: signal.Signals) -> None:
        if not self._ending.done():
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, number)

    @property
    def alive(self) -> bool:
        """Return whether its process id is still its own."""
        try:
            signal.pidfd_send_signal(self._handle, 0)
        except OSError:
            return False
        return True

    def interrupt(self) -> None:
        self._signal(signal.SIGINT)

    def pause(self) -> None:
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    def load(self) -> Load | None:
        if self._pid is None or self._ending.done():
            return None
        try:
            with open(f"/proc/{self._pid}/statm", encoding="ascii") as file:  # noqa: PTH123 - ten times a second
                memory = file.read().split()
            with open(f"/proc/{self._pid}/stat", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
                times = file.read().rpartition(")")[2].split()
        except (OSError, ValueError):
            return None
        resident = int(memory[1]) * _PAGE
        # Memory used at birth is shared with all siblings.
        self._shared_bytes = self._shared_bytes or resident
        return Load(
            memory_bytes=max(0, resident - self._shared_bytes),
            cpu_s=(int(times[11]) + int(times[12])) / _TICKS,
            threads=int(times[17]),
        )

    def orphan_bytes(self, folders: Sequence[str]) -> int | None:
        return 0 if self._pid is None or self._ending.done() else orphans.space(self._pid, folders)

    def take_stray(self) -> str:
        return self._stray.take()

    async def ended(self) -> ProcessExit:
        return await asyncio.shield(self._ending)

    async def ended_or_killed(self) -> None:
        """Kill the process and wait for its end and its last output."""
        self.kill()
        await self.ended()
        await self._stray.closed

    def end(self, ending: ProcessExit) -> None:
        """Record the end, which the zygote observed."""
        if not self._ending.done():
            self._ending.set_result(ending)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        self.kill()
        with suppress(TimeoutError):
            async with asyncio.timeout(_END_S):
                await self.ended()
        self.writer.close()
        self._stray_transport.close()
        os.close(self._handle)
        self._on_close(self)
