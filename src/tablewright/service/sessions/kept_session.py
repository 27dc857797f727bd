"""A conversation's session as used by one run: what earlier runs left is restored when code first uses it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable, Sequence
from typing import Literal

from tablewright.agent.cell_names import CellNames, names_of
from tablewright.domain.events import EventBody, SessionLost, WarningRaised
from tablewright.domain.events.runs import FILES_GONE, REPLAY_FAILED, REPLAY_TOO_LONG
from tablewright.domain.ids import Clock
from tablewright.models.streams import closing
from tablewright.sandbox.base import Done, Input, Output, Session, SessionFile, SessionInfo
from tablewright.service.history import EarlierRuns, UnseenState, unseen

REPLAY_S = 60.0
"""The time limit for re-creating what earlier runs left."""
REPLAY_STEP = "replay"
VARIABLES_LOST = "variables_lost"

log = logging.getLogger(__name__)


class KeptSession:
    """Implements `Session` on top of a session that has `seen` some of the `earlier` runs.

    Before the first cell that uses something the session has not seen, the cells of all earlier runs are executed
    silently in a fresh session, in order, followed by this run's own. If that fails, the run continues without them and
    `tell` is given the reason. `renew` leases a fresh session.
    """

    def __init__(
        self,
        session: Session,
        *,
        earlier: EarlierRuns,
        seen: frozenset[str],
        clock: Clock,
        tell: Callable[[EventBody], Awaitable[None]],
        renew: Callable[[], Awaitable[Session]],
    ) -> None:
        self._session = session
        self._earlier = earlier
        self._seen = seen
        self._unseen = UnseenState()
        self._clock = clock
        self._tell = tell
        self._renew = renew
        self._own: list[str] = []
        self._made: set[str] = set()
        self._tried = False
        self._before: dict[str, tuple[int, int]] = {}

    async def begin(self) -> None:
        """Determine what is already in the session and what is missing."""
        self._unseen = await asyncio.to_thread(unseen, self._earlier.runs, self._seen)
        await self._look()

    async def _look(self) -> None:
        self._before = {file.path: _state(file) for file in await self._session.files()}

    @property
    def inner(self) -> Session:
        """The underlying session."""
        return self._session

    @property
    def earlier(self) -> EarlierRuns:
        """The earlier runs."""
        return self._earlier

    @property
    def seen(self) -> frozenset[str]:
        """The ids of earlier runs whose cells the session has seen or will never need."""
        return self._seen if self._unseen.cells else frozenset(run.run_id for run in self._earlier.runs)

    async def execute(self, code: str, *, step_id: str, timeout_s: float | None = None) -> AsyncGenerator[Output]:
        names = names_of(code) if self._unseen.cells else CellNames()
        if self._unseen.wanted_by(names, self._made):
            await self._catch_up()
        async with closing(self._session.execute(code, step_id=step_id, timeout_s=timeout_s)) as outputs:
            async for output in outputs:
                if isinstance(output, Done) and output.status == "ok" and self._unseen.cells:
                    self._own.append(code)
                    self._made |= names.bound
                yield output

    async def _catch_up(self) -> None:
        """Re-create what earlier runs left. Afterwards nothing counts as unseen, whether that worked or not."""
        deadline = self._clock.monotonic() + REPLAY_S
        reason = await self._replay(deadline)
        self._unseen = UnseenState()
        if reason is not None:
            log.info("what earlier runs left could not be made again: %s", reason)
            await self._tell(SessionLost(reason=reason))
            await self._tell(WarningRaised(code=VARIABLES_LOST))
        if not self._tried:
            return
        if reason is not None:
            await self._start_afresh()  # a partial replay could be mistaken for a complete one
        await self._look()
        await self._run(self._own, deadline + REPLAY_S)

    async def _start_afresh(self) -> None:
        await self._session.release()
        self._session = await self._renew()

    async def _replay(self, deadline: float) -> str | None:
        """Execute all earlier cells; return the reason if that was not possible, otherwise None."""
        if not self._earlier.whole:
            return FILES_GONE
        if sum(cell.elapsed_s for cell in self._earlier.cells) > REPLAY_S:
            return REPLAY_TOO_LONG
        self._tried = True
        if self._own or self._seen:
            await self._start_afresh()
        if await self._run([cell.code for cell in self._earlier.cells], deadline):
            return None
        return REPLAY_TOO_LONG if self._clock.monotonic() >= deadline else REPLAY_FAILED

    async def _run(self, cells: Iterable[str], deadline: float) -> bool:
        """Execute `cells` silently; return False at the first that fails or exceeds the deadline."""
        for code in cells:
            left = deadline - self._clock.monotonic()
            if left <= 0:
                return False
            status = None
            async with closing(self._session.execute(code, step_id=REPLAY_STEP, timeout_s=left)) as outputs:
                async for output in outputs:
                    if isinstance(output, Done):
                        status = output.status
            if status != "ok":
                return False
        return True

    async def check(self, code: str) -> Literal["complete", "incomplete", "invalid"]:
        return await self._session.check(code)

    async def interrupt(self) -> None:
        await self._session.interrupt()

    async def files(self) -> tuple[SessionFile, ...]:
        return tuple(
            SessionFile(
                path=file.path,
                size_bytes=file.size_bytes,
                modified_ns=file.modified_ns,
                earlier=self._before.get(file.path) == _state(file),
            )
            for file in await self._session.files()
        )

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
        """Do nothing: `RunSandbox.settle` decides whether the conversation keeps the session."""


def _state(file: SessionFile) -> tuple[int, int]:
    return file.size_bytes, file.modified_ns
