"""Sandbox sessions of conversations.

Each conversation has at most one session, parked with its variables between runs until another needs its worker.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from tablewright.domain.events import EventBody
from tablewright.domain.ids import Clock
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.sandbox.base import TOOLS, Input, Layer, LeaseScope, Level, Limits, PoolStats, Sandbox, Session
from tablewright.service.history import CELL_TYPES, EarlierRun, EarlierRuns, cells_of, earlier_than, events_of
from tablewright.service.sessions.kept_session import KeptSession
from tablewright.store.base import Store

MAIN = LeaseScope(run_id="").scope
Key = tuple[str, str, str]
"""Tenant, owner, conversation id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parked:
    """A session between runs, the ids of the runs whose cells it has seen, and the runs already read from logs."""

    session: Session
    seen: frozenset[str]
    known: tuple[EarlierRun, ...]


class ConversationSessions:
    """Keeps at most one session per conversation. A session is never shared between conversations."""

    def __init__(self, sandbox: Sandbox, store: Store, clock: Clock) -> None:
        self.sandbox = sandbox
        self.store = store
        self.clock = clock
        self._parked: dict[Key, Parked] = {}
        self._users: dict[Key, RunSandbox] = {}
        self._single: set[str] = set()

    def of_run(self, scope: Scope, run: Run, tell: Callable[[EventBody], Awaitable[None]]) -> RunSandbox:
        """Return the sandbox for one iteration of `run`, to be settled at its end; `tell` takes events to record."""
        keeps = run.parent_id is None and run.conversation_id not in self._single
        return RunSandbox(self, scope, run, tell, keeps=keeps)

    @contextmanager
    def single(self, conversation_id: str) -> Iterator[None]:
        """Keep no session for runs of the conversation that begin within this context."""
        self._single.add(conversation_id)
        try:
            yield
        finally:
            self._single.discard(conversation_id)

    async def forget(self, scope: Scope, conversation_id: str) -> None:
        """Release the conversation's session. If a run is still using it, that run releases it."""
        key = _key(scope, conversation_id)
        self._users.pop(key, None)
        if (parked := self._parked.pop(key, None)) is not None:
            await parked.session.release()

    def taken_by(self, user: RunSandbox, key: Key) -> Parked | None:
        """Hand over the parked session, if any. From now on only `user` may park a session for the conversation."""
        self._users[key] = user
        return self._parked.pop(key, None)

    async def keep(self, user: RunSandbox, key: Key, parked: Parked) -> bool:
        """Park the session of a run that has ended.

        Returns False, without parking, if a later run has begun or no session may be kept.
        """
        if self._users.get(key) is not user:
            return False
        del self._users[key]
        self._parked[key] = parked
        await parked.session.park()
        await self._sweep()
        return True

    def leave(self, user: RunSandbox, key: Key) -> None:
        """Note that the run has ended without leaving a session."""
        if self._users.get(key) is user:
            del self._users[key]

    async def _sweep(self) -> None:
        """Drop parked sessions that have ended by themselves."""
        for key, parked in list(self._parked.items()):
            if (await parked.session.info()).lost and self._parked.get(key) is parked:
                del self._parked[key]


class RunSandbox:
    """Implements `Sandbox` for one iteration of a run; its main session is the conversation's."""

    def __init__(
        self,
        sessions: ConversationSessions,
        scope: Scope,
        run: Run,
        tell: Callable[[EventBody], Awaitable[None]],
        *,
        keeps: bool,
    ) -> None:
        self._sessions = sessions
        self._sandbox = sessions.sandbox
        self._scope = scope
        self._run = run
        self._tell = tell
        self._keeps = keeps
        self._key = _key(scope, run.conversation_id)
        self._kept: KeptSession | None = None
        self._others: list[Session] = []

    async def start(self) -> None:
        """Do nothing: the service starts and stops the sandbox, a run only leases from it."""

    async def stop(self) -> None:
        """Do nothing; see `start`."""

    async def acquire(self, scope: LeaseScope, inputs: Sequence[Input] = (), limits: Limits | None = None) -> Session:
        scope = replace(scope, turn=self._run.stream_id)
        if scope.scope not in {MAIN, TOOLS} or self._kept is not None or not self._keeps:
            self._others.append(await self._sandbox.acquire(scope, inputs, limits))
            return self._others[-1]

        async def fresh() -> Session:
            return await self._sandbox.acquire(scope, inputs, limits)

        parked = self._sessions.taken_by(self, self._key)
        session = None if parked is None else parked.session
        try:
            known = () if parked is None else parked.known
            earlier = await earlier_than(self._sessions.store, self._scope, self._run, known)
            if scope.scope == TOOLS:
                earlier = await self._with_own(earlier)
            if session is None or parked is None or not await self._resumes(parked, inputs):
                parked, session = None, await self._instead_of(session, fresh)
            kept = self._made(session, earlier, frozenset() if parked is None else parked.seen, fresh)
            await kept.begin()
        except BaseException:
            if session is not None:
                await session.release()
            raise
        self._kept = kept
        return kept

    async def _with_own(self, earlier: EarlierRuns) -> EarlierRuns:
        """Add what this run itself has executed before it waited: its agent does not execute that again."""
        events = await events_of(self._sessions.store, self._scope, self._run.id, CELL_TYPES)
        own = cells_of(self._run.id, events)
        return replace(earlier, runs=(*earlier.runs, own)) if own.cells else earlier

    async def _resumes(self, parked: Parked, inputs: Sequence[Input]) -> bool:
        """Unpark the session and return whether that worked.

        Refused if it has seen part of this same run, which starts over.
        """
        if self._run.id in parked.seen:
            return False
        return await parked.session.unpark(inputs, for_s=self._run.limits.wall_clock_s)

    @staticmethod
    async def _instead_of(session: Session | None, fresh: Callable[[], Awaitable[Session]]) -> Session:
        if session is not None:
            await session.release()
        return await fresh()

    def _made(
        self, session: Session, earlier: EarlierRuns, seen: frozenset[str], fresh: Callable[[], Awaitable[Session]]
    ) -> KeptSession:
        clock = self._sessions.clock
        return KeptSession(session, earlier=earlier, seen=seen, clock=clock, tell=self._tell, renew=fresh)

    async def settle(self, *, keep: bool) -> None:
        """End the iteration: park the session for the conversation if `keep`, otherwise release it."""
        kept, self._kept = self._kept, None
        others, self._others = self._others, []
        for other in others:
            await other.release()
        if kept is None:
            self._sessions.leave(self, self._key)
            return
        session = kept.inner
        if keep and not (await session.info()).lost:
            parked = Parked(session=session, seen=kept.seen | {self._run.id}, known=self._others_of(kept))
            if await self._sessions.keep(self, self._key, parked):
                return
        self._sessions.leave(self, self._key)
        await session.release()

    def _others_of(self, kept: KeptSession) -> tuple[EarlierRun, ...]:
        return tuple(run for run in kept.earlier.runs if run.run_id != self._run.id)

    async def give_up(self) -> None:
        """Release the conversation's session, if the run has it, while others work for the run."""
        if self._kept is not None:
            await self.settle(keep=False)

    def level(self) -> Level:
        return self._sandbox.level()

    def layers(self) -> tuple[Layer, ...]:
        return self._sandbox.layers()

    def stats(self) -> PoolStats:
        return self._sandbox.stats()


def _key(scope: Scope, conversation_id: str) -> Key:
    return scope.tenant, scope.owner, conversation_id
