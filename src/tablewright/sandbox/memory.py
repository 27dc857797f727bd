"""A fake sandbox for tests: code is looked up in a script, never run."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tablewright.domain.ids import Clock, CountingIds, Ids, SystemClock
from tablewright.errors import Busy, NotFound, SandboxUnavailable
from tablewright.sandbox.base import (
    Done,
    ErrorOutput,
    Input,
    Layer,
    LeaseScope,
    Level,
    Limits,
    Output,
    PoolStats,
    Session,
    SessionFile,
    SessionInfo,
    Usage,
    Verdict,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hang:
    """Script entry: code that runs until it is interrupted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """Script entry: code that takes some time."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """Script entry: code that writes a file to the working folder."""

    path: str
    content: bytes


Scripted = Output | Hang | Pause | Write
Script = Mapping[str, Sequence[Scripted]] | Callable[[str], Sequence[Scripted]]
_UNKNOWN = ErrorOutput(name="LookupError", message="nothing is scripted for this code", traceback="")
_USED = Usage(elapsed_s=0.001, cpu_s=0.001, peak_memory_bytes=1024)


def done(*, status: Literal["ok", "error"] = "ok") -> Done:
    """Return the end of an execution after which the session can be used further."""
    return Done(status=status, session_lost=False, usage=_USED)


class MemorySandbox:
    """Implements `Sandbox`. `script` maps code to outputs; a missing `Done` is added."""

    def __init__(
        self,
        script: Script,
        *,
        limit: int = 5,
        wait_s: float = 30.0,
        ids: Ids | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._script = script
        self._limit = limit
        self._wait_s = wait_s
        self._ids = ids or CountingIds("session")
        self._clock = clock or SystemClock()
        self._started = False
        self._slots = asyncio.Semaphore(limit)
        self._waiting = 0
        self.sessions: list[MemorySession] = []
        """Every session that was ever leased, including released ones."""

    async def start(self) -> None:
        self._started = True

    async def stop(self) -> None:
        for session in self._live():
            await session.release()
        self._started = False

    def _live(self) -> list[MemorySession]:
        return [session for session in self.sessions if not session.released]

    async def acquire(self, scope: LeaseScope, inputs: Sequence[Input] = (), limits: Limits | None = None) -> Session:
        if not self._started:
            raise SandboxUnavailable("sandbox_not_started")
        await self._wait()
        session = MemorySession(self, self._ids.new(), scope, tuple(inputs), limits or Limits())
        self.sessions.append(session)
        return session

    async def _wait(self) -> None:
        self._waiting += 1
        if self._slots.locked():
            await self.yield_one()
        try:
            async with asyncio.timeout(self._wait_s):
                await self._slots.acquire()
        except TimeoutError:
            raise Busy(what="sandbox", waited_s=self._wait_s) from None
        finally:
            self._waiting -= 1

    async def yield_one(self) -> None:
        """Release the session parked first, if somebody waits."""
        parked = next((session for session in self._live() if session.parked), None)
        if self._waiting and parked is not None:
            await parked.release()

    def freed(self) -> None:
        """Note that a session was released, and let the first in the queue proceed."""
        self._slots.release()

    def outputs(self, code: str) -> Sequence[Scripted]:
        """Look up `code`."""
        if callable(self._script):
            return self._script(code)
        return self._script.get(code, (_UNKNOWN, done(status="error")))

    async def pause(self, seconds: float) -> None:
        """Let time pass on the clock."""
        await self._clock.sleep(seconds)

    def age(self, since: float) -> float:
        """Return the seconds since the monotonic time `since`."""
        return self._clock.monotonic() - since

    def layers(self) -> tuple[Layer, ...]:
        return ()

    def level(self) -> Level:
        return Level.L2

    def stats(self) -> PoolStats:
        leased = len(self._live())
        return PoolStats(idle=self._limit - leased, leased=leased, waiting=self._waiting, limit=self._limit)


class MemorySession:
    """Implements `Session`. `executed` lists the code it was asked to run, `inputs` the inputs of the lease."""

    def __init__(
        self, sandbox: MemorySandbox, name: str, scope: LeaseScope, inputs: tuple[Input, ...], limits: Limits
    ) -> None:
        self.id = name
        self.inputs = inputs
        self.limits = limits
        self.executed: list[str] = []
        self.released = False
        self.parked = False
        self._sandbox = sandbox
        self._scope = scope
        self._lost = False
        self._files: dict[str, bytes] = {}
        self._lock = asyncio.Lock()
        self._interrupted = asyncio.Event()
        self._since = sandbox.age(0.0)

    async def execute(
        self,
        code: str,
        *,
        step_id: str,  # noqa: ARG002 - the port's
        timeout_s: float | None = None,
    ) -> AsyncGenerator[Output]:
        async with self._lock:
            if self._lost or self.released:
                yield Done(status="backend_lost", session_lost=True, usage=Usage(elapsed_s=0.0))
                return
            self.executed.append(code)
            self._interrupted.clear()
            limit = min(timeout_s or self.limits.step_timeout_s, self.limits.execution_timeout_s)
            for item in [*self._sandbox.outputs(code), done()]:
                if isinstance(item, Write):
                    self._files[item.path] = item.content
                elif isinstance(item, Pause):
                    await self._sandbox.pause(item.seconds)
                elif isinstance(item, Hang):
                    for output in await self._hang(limit):
                        yield output
                    return
                else:
                    self._lost = isinstance(item, Done) and item.session_lost
                    yield item
                    if isinstance(item, Done):
                        return

    async def _hang(self, limit_s: float) -> tuple[Output, ...]:
        name = "KeyboardInterrupt"
        try:
            async with asyncio.timeout(limit_s):
                await self._interrupted.wait()
        except TimeoutError:
            name = "TimeoutError"
        error = ErrorOutput(name=name, message="", traceback=name)
        return error, Done(status="interrupted", session_lost=False, usage=_USED)

    async def check(self, code: str) -> Verdict:
        try:
            compile(code, "<cell>", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        except SyntaxError as error:
            unfinished = (
                "was never closed",
                "unexpected EOF",
                "expected an indented block",
                "unterminated triple-quoted",
            )
            return "incomplete" if any(words in (error.msg or "") for words in unfinished) else "invalid"
        return "complete"

    async def interrupt(self) -> None:
        self._interrupted.set()

    async def files(self) -> tuple[SessionFile, ...]:
        return tuple(SessionFile(path=path, size_bytes=len(content)) for path, content in sorted(self._files.items()))

    async def read(self, path: str) -> AsyncIterator[bytes]:
        if path not in self._files or self.released:
            raise NotFound(kind="file", id=path)
        yield self._files[path]

    async def info(self) -> SessionInfo:
        return SessionInfo(
            id=self.id,
            scope=self._scope,
            level=self._sandbox.level(),
            executions=len(self.executed),
            age_s=self._sandbox.age(self._since),
            lost=self._lost or self.released,
        )

    async def add(self, inputs: Sequence[Input]) -> bool:
        known = {item.name: item.path for item in self.inputs}
        if self._lost or self.released or any(known.get(item.name, item.path) != item.path for item in inputs):
            return False
        self.inputs = (*self.inputs, *(item for item in inputs if item.name not in known))
        return True

    async def park(self) -> None:
        self.parked = True
        if self._lost:
            await self.release()
        await self._sandbox.yield_one()

    async def unpark(self, inputs: Sequence[Input] = (), *, for_s: float = 0.0) -> bool:
        parked, self.parked = self.parked, False
        tired = self._sandbox.age(self._since) + for_s > self.limits.lifetime_s
        if not parked or self.released or self._lost or tired or not set(self.inputs) <= set(inputs):
            return False
        self.inputs = tuple(inputs)
        return True

    async def release(self) -> None:
        if not self.released:
            self.released = True
            self._interrupted.set()
            self._sandbox.freed()
