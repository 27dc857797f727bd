"""A child process that opens files, and the pipe to it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import struct
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from tablewright.data.priority import delayed_s, give_way
from tablewright.errors import ReadersUnavailable

USES = 64
"""The number of files after which a child process is replaced in any case."""
MOST_ANSWER_BYTES = 256 * 1024**2
MOST_DELAY = 5
"""How many times its limit a call may take at most in a child process that gives way, waiting for a processor."""
_START_S = 30.0
_LOOK_S = 0.05


class Child:
    """One child process and the pipe to it; `background`: it gives way to others."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.background = False
        self.uses = 0
        self._said = bytearray()
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def start(cls, modules: tuple[str, ...], *, background: bool = False) -> Child:
        """Start a child process and wait until it is ready. Raises `ReadersUnavailable` with its last error output."""
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-I", "-m", "tablewright.data.worker", *modules,
                stdin=PIPE, stdout=PIPE, stderr=PIPE, env={}, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise ReadersUnavailable(words=str(error)) from error
        child = cls(process)
        if background:
            child.give_way()
        try:
            await child._within(_START_S, child._read())
        except TimeoutError as error:
            await child.kill()
            raise ReadersUnavailable("readers_slow", limit_s=_START_S) from error
        except ConnectionError as error:
            await child.kill()  # it may have closed its pipe without exiting
            said = (await child.last_words()).decode(errors="replace").strip().splitlines()
            raise ReadersUnavailable(words=said[-1] if said else "") from error
        except BaseException:
            await child.kill()
            raise
        return child

    @property
    def alive(self) -> bool:
        return self.process.returncode is None

    def give_way(self) -> None:
        """Let it give way to others from now on, for good."""
        self.background = True
        give_way(self.process.pid)

    @property
    def worn(self) -> bool:
        """Whether it has opened as many files as one should."""
        return self.uses >= USES

    async def ask(self, request: bytes, limit_s: float) -> bytes:
        """Send a request and return the answer.

        Raises `ConnectionError` when the process is gone, and `TimeoutError` after `limit_s`. In a child process that
        gives way the time that it waits for a processor does not count, up to `MOST_DELAY` times the limit in all.
        """
        self.uses += 1
        return await self._within(limit_s, self._exchange(request))

    async def kill(self) -> None:
        """Kill the process and wait until it is gone."""
        if self.alive:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
        await self.process.wait()
        await self._listening

    async def last_words(self) -> bytes:
        """Wait for the end of the process and return the end of its standard error output."""
        await self.process.wait()
        await self._listening
        return bytes(self._said)

    def resident_bytes(self) -> int:
        """Return the memory that the process uses now, in bytes."""
        with contextlib.suppress(OSError, IndexError, ValueError):
            pages = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1]
            return int(pages) * os.sysconf("SC_PAGE_SIZE")
        return 0

    async def _within(self, limit_s: float, exchange: Coroutine[Any, Any, bytes]) -> bytes:
        clock, pid = asyncio.get_running_loop().time, self.process.pid
        begun, before, left_s = clock(), delayed_s(pid), limit_s
        task = asyncio.create_task(exchange)
        try:
            while not (await asyncio.wait({task}, timeout=left_s))[0]:
                delay_s = delayed_s(pid) - before if self.background else 0.0
                left_s = min(limit_s + delay_s, limit_s * MOST_DELAY) - (clock() - begun)
                if left_s <= 0:
                    raise TimeoutError
                left_s = max(left_s, _LOOK_S)
            return task.result()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _exchange(self, request: bytes) -> bytes:
        assert self.process.stdin is not None
        self.process.stdin.write(struct.pack(">I", len(request)) + request)
        await self.process.stdin.drain()
        return await self._read()

    async def _read(self) -> bytes:
        assert self.process.stdout is not None
        try:
            (length,) = struct.unpack(">I", await self.process.stdout.readexactly(4))
            if length > MOST_ANSWER_BYTES:
                raise ConnectionError("the child answers too much")
            return await self.process.stdout.readexactly(length)
        except asyncio.IncompleteReadError as error:
            raise ConnectionError("the child ended") from error

    async def _listen(self) -> None:
        assert self.process.stderr is not None
        while block := await self.process.stderr.read(4096):
            self._said = (self._said + block)[-8192:]
