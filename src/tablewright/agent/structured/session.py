"""The sandbox as the tools of one run see it: whoever leases a session gets the run's own, with its variables."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from typing import Literal

from tablewright.agent.emission import Emit
from tablewright.domain.events import WarningRaised
from tablewright.models.streams import closing
from tablewright.sandbox.base import (
    Done,
    Input,
    Layer,
    LeaseScope,
    Level,
    Limits,
    Output,
    PoolStats,
    Sandbox,
    Session,
    SessionFile,
    SessionInfo,
)

REPLAY_STEP = "replay"
REPLAY_S = 60.0
VARIABLES_LOST = "variables_lost"


class RunSessions:
    """A `Sandbox` that leases one session per scope, which stays leased until `close`.

    A session that was lost is leased anew. What the run had executed before it was taken up is executed again,
    silently, in the first session that is leased: `earlier` returns its code.
    """

    def __init__(self, sandbox: Sandbox, emit: Emit, earlier: Callable[[], Sequence[str]]) -> None:
        self._sandbox = sandbox
        self._emit = emit
        self._earlier: Callable[[], Sequence[str]] | None = earlier
        self._held: dict[str, Session] = {}
        self._leasing = asyncio.Lock()

    async def start(self) -> None:
        """Do nothing: the service starts and stops the sandbox."""

    async def stop(self) -> None:
        """Do nothing; see `start`."""

    async def acquire(self, scope: LeaseScope, inputs: Sequence[Input] = (), limits: Limits | None = None) -> Session:
        async with self._leasing:
            held = self._held.get(scope.scope)
            if held is not None and (await held.info()).lost:
                await self._held.pop(scope.scope).release()
                held = None
            if held is None:
                held = self._held[scope.scope] = await self._sandbox.acquire(scope, inputs, limits)
                await self._replay(held)
            return HeldSession(held)

    async def close(self) -> None:
        """Release the sessions."""
        held, self._held = self._held, {}
        for session in held.values():
            await session.release()

    def level(self) -> Level:
        return self._sandbox.level()

    def layers(self) -> tuple[Layer, ...]:
        return self._sandbox.layers()

    def stats(self) -> PoolStats:
        return self._sandbox.stats()

    async def _replay(self, session: Session) -> None:
        cells = () if self._earlier is None else self._earlier()
        self._earlier = None
        for code in cells:
            status = None
            async with closing(session.execute(code, step_id=REPLAY_STEP, timeout_s=REPLAY_S)) as outputs:
                async for output in outputs:
                    if isinstance(output, Done):
                        status = output.status
            if status != "ok":
                self._emit(WarningRaised(code=VARIABLES_LOST))
                return


class HeldSession:
    """A session whose release is left to the run."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def execute(self, code: str, *, step_id: str, timeout_s: float | None = None) -> AsyncGenerator[Output]:
        return self._session.execute(code, step_id=step_id, timeout_s=timeout_s)

    async def check(self, code: str) -> Literal["complete", "incomplete", "invalid"]:
        return await self._session.check(code)

    async def interrupt(self) -> None:
        await self._session.interrupt()

    async def files(self) -> tuple[SessionFile, ...]:
        return await self._session.files()

    def read(self, path: str) -> AsyncIterator[bytes]:
        return self._session.read(path)

    async def info(self) -> SessionInfo:
        return await self._session.info()

    async def add(self, inputs: Sequence[Input]) -> bool:
        return await self._session.add(inputs)

    async def park(self) -> None:
        await self._session.park()

    async def unpark(self, inputs: Sequence[Input] = (), *, for_s: float = 0.0) -> bool:
        return await self._session.unpark(inputs, for_s=for_s)

    async def release(self) -> None:
        """Do nothing; see `RunSessions.close`."""
