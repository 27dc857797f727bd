"""The parent's side: a few child processes that open files, killed when they exceed their limits or are not used."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import struct
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Coroutine, Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

from tablewright.data.base import OpenLimits
from tablewright.data.fair_queue import QueueLoad
from tablewright.data.turns import Turns
from tablewright.domain.scope import acting_scope
from tablewright.errors import FileTooLarge, FileUnreadable, InvalidInput, ReadersUnavailable

log = logging.getLogger(__name__)

USES = 64
"""The number of files after which a child process is replaced in any case."""
RETIRE_BYTES = 400 * 1024**2
"""A child process that still uses more memory than this after a file is replaced."""
TIMED_BYTES = 100 * 1024**2
IDLE_S = 60.0
"""A child process that has not been used for this long ends, and gives its memory back."""
PACKED = frozenset({".xlsx", ".xlsm", ".xlsb", ".ods", ".parquet"})
PACKED_TIMES = 8
"""How many times its size a packed file weighs in the queue: about as much as it holds unpacked."""
MOST_ANSWER_BYTES = 256 * 1024**2
_START_S = 30.0
_MEMORY_WORDS = (
    b"memory allocation of",
    b"out of memory",
    b"MemoryError",
    b"Cannot allocate memory",
    b"capacity overflow",
)


class _Child:
    """One child process and the pipe to it."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.uses = 0
        self._said = bytearray()
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def start(cls, modules: tuple[str, ...]) -> _Child:
        """Start a child process and wait until it is ready. Raises `ReadersUnavailable` with its last error output."""
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-I", "-m", "tablewright.data.worker", *modules,
                stdin=PIPE, stdout=PIPE, stderr=PIPE, env={}, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise ReadersUnavailable(words=str(error)) from error
        child = cls(process)
        try:
            async with asyncio.timeout(_START_S):
                await child._read()
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

    async def ask(self, request: bytes) -> bytes:
        """Send a request and return the answer. Raises `ConnectionError` when the process is gone."""
        assert self.process.stdin is not None
        self.uses += 1
        self.process.stdin.write(struct.pack(">I", len(request)) + request)
        await self.process.stdin.drain()
        return await self._read()

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


class WorkerPool:
    """Runs operations on users' files in up to `size` child processes, with the modules `warm` imported.

    Further callers wait for their turn, which `FairQueue` decides by owner and size. A child process that takes too
    much time or memory is killed; one that is not used for `idle_s` ends, and the next file starts another.

    Raises any `CallerError` of the operation; `FileUnreadable` if the child process crashed or ran out of memory or
    time; `FileTooLarge` before a child process is involved; `ReadersUnavailable` if none can be started.
    """

    def __init__(
        self, limits: OpenLimits, *, size: int = 2, warm: tuple[str, ...] = (), idle_s: float = IDLE_S
    ) -> None:
        self._limits = limits
        self._warm = warm
        self._turns = Turns(size)
        self._idle_s = idle_s
        self._idle: dict[_Child, asyncio.TimerHandle] = {}
        self._busy: set[_Child] = set()
        self._background: set[asyncio.Task[None]] = set()
        self._stopped = False

    @property
    def load(self) -> QueueLoad:
        """How much there is to do at present."""
        return self._turns.load

    async def start(self) -> None:
        """Start one child process ahead of the first file; others start as they are needed."""
        self._stopped = False
        if not self._idle:
            await self._refill()

    async def stop(self) -> None:
        """End the child processes; calls in progress fail."""
        self._stopped = True
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        children = [*self._idle, *self._busy]
        for timer in self._idle.values():
            timer.cancel()
        self._idle.clear()
        await asyncio.gather(*(child.kill() for child in children))

    async def call(
        self, operation: str, path: Path, arguments: Mapping[str, Any], limits: OpenLimits | None = None
    ) -> bytes:
        """Run `operation`, a `module:function` of this package that takes `(path, **arguments)`, and return its bytes.

        `arguments` must be JSON-serializable; `name` among them is the file's name in error messages.
        """
        limits = limits or self._limits
        name = str(arguments.get("name", path.name))
        size_bytes = _accepted_size(path, name, limits)
        limits = _scaled(limits, size_bytes)
        request = json.dumps({
            "operation": operation, "path": str(path), "arguments": dict(arguments),
            "memory_bytes": limits.memory_bytes, "timeout_s": limits.timeout_s,
        }).encode()  # fmt: skip
        async with self._turns.turn(_owner(), _weight(name, size_bytes)):
            child = await self._take()
            self._busy.add(child)
            try:
                if self._stopped:  # while the child process was starting
                    raise ReadersUnavailable("readers_stopped")
                answer = await self._asked(child, request, name, limits)
            except BaseException:
                self._busy.discard(child)
                await child.kill()
                self._replace()
                raise
            self._busy.discard(child)
            await self._give_back(child)
        return _result(answer)

    async def _asked(self, child: _Child, request: bytes, name: str, limits: OpenLimits) -> bytes:
        try:
            async with asyncio.timeout(limits.timeout_s):
                return await child.ask(request)
        except TimeoutError as error:
            raise FileUnreadable("file_too_slow", name=name, limit_s=round(limits.timeout_s, 3)) from error
        except ConnectionError as error:
            await child.kill()
            words = await child.last_words()
            memory = any(word in words for word in _MEMORY_WORDS)
            raise FileUnreadable("file_too_much_memory" if memory else "file_crashed", name=name) from error

    async def _take(self) -> _Child:
        while self._idle:
            child, timer = self._idle.popitem()
            timer.cancel()
            if child.alive:
                return child
        try:
            return await _Child.start(self._warm)
        except ReadersUnavailable as error:
            log.warning("a process that opens files did not start, and is tried once more: %s", error)
            return await _Child.start(self._warm)

    async def _give_back(self, child: _Child) -> None:
        if self._stopped or child.uses >= USES or child.resident_bytes() > RETIRE_BYTES:
            await child.kill()
            self._replace()
        else:
            self._keep(child)

    def _keep(self, child: _Child) -> None:
        """Keep an idle child process for the next file, which takes the one that was used last."""
        self._idle[child] = asyncio.get_running_loop().call_later(self._idle_s, self._retire, child)

    def _retire(self, child: _Child) -> None:
        """End a child process that was not used for long."""
        del self._idle[child]
        self._busy.add(child)
        self._in_background(self._kill(child))

    async def _kill(self, child: _Child) -> None:
        await child.kill()
        self._busy.discard(child)

    def _replace(self) -> None:
        """Start a new child process in the background, unless another is idle."""
        if not self._stopped and not self._idle:
            self._in_background(self._refill())

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Discard the error of a child process that did not start: the next file starts one and reports the problem."""
        self._background.discard(task)
        if not task.cancelled():
            task.exception()

    async def _refill(self) -> None:
        self._keep(await _Child.start(self._warm))


def _owner() -> str:
    """Return the owner that the queue knows a call by; one for all calls whose owner is not known."""
    scope = acting_scope()
    return "" if scope is None else f"{scope.tenant}:{scope.owner}"


def _weight(name: str, size_bytes: int) -> int:
    """Return how many bytes a file is about to hold."""
    return size_bytes * (PACKED_TIMES if PurePath(name).suffix.lower() in PACKED else 1)


def _accepted_size(path: Path, name: str, limits: OpenLimits) -> int:
    try:
        size = path.stat().st_size
    except OSError as error:
        raise FileUnreadable("file_missing", name=name) from error
    if size > limits.size_bytes:
        raise FileTooLarge(name=name, limit_bytes=limits.size_bytes)
    return size


def _scaled(limits: OpenLimits, size_bytes: int) -> OpenLimits:
    """Scale the time limit with the file's size: the base amount is granted again for each `TIMED_BYTES`."""
    return replace(limits, timeout_s=limits.timeout_s * (1 + size_bytes / TIMED_BYTES))


def _result(answer: bytes) -> bytes:
    head, _, body = answer.partition(b"\n")
    told = json.loads(head)
    if told.get("ok"):
        return body
    kinds = {kind.code: kind for kind in _kinds(InvalidInput)}
    raise kinds.get(told["code"], FileUnreadable)(told["detail"], field=told["field"], **told["params"])


def _kinds(base: type[InvalidInput]) -> Iterator[type[InvalidInput]]:
    yield base
    for kind in base.__subclasses__():
        yield from _kinds(kind)
