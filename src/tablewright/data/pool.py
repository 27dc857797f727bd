"""The parent's side: a few child processes that open files, killed when they exceed their limits or are not used."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

from tablewright.data.base import OpenLimits
from tablewright.data.child import MOST_DELAY, Child
from tablewright.data.fair_queue import QueueLoad
from tablewright.data.lane import Lane
from tablewright.data.turns import Turns
from tablewright.domain.scope import acting_scope
from tablewright.errors import FileTooLarge, FileUnreadable, InvalidInput, ReadersUnavailable

RETIRE_BYTES = 400 * 1024**2
"""A child process that still uses more memory than this after a file is replaced."""
TIMED_BYTES = 100 * 1024**2
IDLE_S = 60.0
"""A child process that has not been used for this long ends, and gives its memory back."""
PACKED = frozenset({".xlsx", ".xlsm", ".xlsb", ".ods", ".parquet"})
PACKED_TIMES = 8
"""How many times its size a packed file weighs in the queue: about as much as it holds unpacked."""
_MEMORY_WORDS = (
    b"memory allocation of",
    b"out of memory",
    b"MemoryError",
    b"Cannot allocate memory",
    b"capacity overflow",
)


class WorkerPool:
    """Runs operations on users' files in child processes, up to `size` at a time, with the modules `warm` imported.

    Further callers wait for their turn, which `FairQueue` decides by owner and size. With more than one at a time,
    large files are read by child processes that give way, and one is kept for small files that never does. A child
    process that takes too much time or memory is killed; if none is used for `idle_s` they end, and the next file
    starts another.

    Raises any `CallerError` of the operation; `FileUnreadable` if the child process crashed or ran out of memory or
    time; `FileTooLarge` before a child process is involved; `ReadersUnavailable` if none can be started.
    """

    def __init__(
        self, limits: OpenLimits, *, size: int = 2, warm: tuple[str, ...] = (), idle_s: float = IDLE_S
    ) -> None:
        self._limits = limits
        self._turns = Turns(size)
        self._divided = size > 1
        self._small = Lane(warm, idle_s=idle_s, needed_until=self._needed_until)
        self._large = Lane(warm, idle_s=idle_s, background=True)
        self._idle_s = idle_s
        self._used_at = 0.0
        self._busy: set[Child] = set()
        self._stopped = False

    @property
    def load(self) -> QueueLoad:
        """How much there is to do at present."""
        return self._turns.load

    async def start(self) -> None:
        """Start one child process ahead of the first file; others start as they are needed."""
        self._stopped = False
        if self._small.empty:
            await self._small.start_ahead()

    async def stop(self) -> None:
        """End the child processes; calls in progress fail."""
        self._stopped = True
        busy = [*self._busy]
        await asyncio.gather(self._small.stop(), self._large.stop(), *(child.kill() for child in busy))

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
        given = {"operation": operation, "path": str(path), "arguments": dict(arguments)}
        async with self._turns.turn(_owner(), _weight(name, size_bytes)) as call:
            child = await self._take(background=self._divided and not call.small)
            self._busy.add(child)
            try:
                if self._stopped:  # while the child process was starting
                    raise ReadersUnavailable("readers_stopped")
                answer = await self._asked(child, given, name, limits)
            except BaseException:
                await self._discard(child)
                raise
            await self._give_back(child)
        return _result(answer)

    async def _asked(self, child: Child, given: Mapping[str, Any], name: str, limits: OpenLimits) -> bytes:
        longest_s = limits.timeout_s * (MOST_DELAY if child.background else 1)
        request = json.dumps({**given, "memory_bytes": limits.memory_bytes, "timeout_s": longest_s}).encode()
        try:
            return await child.ask(request, limits.timeout_s)
        except TimeoutError as error:
            raise FileUnreadable("file_too_slow", name=name, limit_s=round(limits.timeout_s, 3)) from error
        except ConnectionError as error:
            await child.kill()
            words = await child.last_words()
            memory = any(word in words for word in _MEMORY_WORDS)
            raise FileUnreadable("file_too_much_memory" if memory else "file_crashed", name=name) from error

    async def _take(self, *, background: bool) -> Child:
        if not background:
            return await self._small.take()
        child = self._small.spare() if self._large.empty else None  # it is warm, and another follows it
        if child is None:
            child = await self._large.take()
        elif self._small.empty:
            self._small.start_ahead()
        child.give_way()
        return child

    async def _give_back(self, child: Child) -> None:
        self._used_at = asyncio.get_running_loop().time()
        if self._stopped or child.resident_bytes() > RETIRE_BYTES:
            await self._discard(child)
        else:
            self._busy.discard(child)
            self._lane(child).keep(child)

    async def _discard(self, child: Child) -> None:
        """Kill a child process and start a new one in the background, unless another is idle."""
        self._busy.discard(child)
        await child.kill()
        if not self._stopped and (lane := self._lane(child)).empty:
            lane.start_ahead()

    def _lane(self, child: Child) -> Lane:
        return self._large if child.background else self._small

    def _needed_until(self) -> float:
        """Return until when, by the loop's time, a child process is kept for small files."""
        return (asyncio.get_running_loop().time() if self._busy else self._used_at) + self._idle_s


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
