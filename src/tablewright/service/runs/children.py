"""The children of a run, as its agent starts them and waits for them."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace

from tablewright.agent.base import ChildTask
from tablewright.domain.events import RunStarted
from tablewright.domain.message import Message, TranscriptEntry
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.errors import RunLimit
from tablewright.service.runs.parts import LEASE, EngineParts, Launcher
from tablewright.store.run_store import Batch, Stamped


class RunChildren:
    """Implements `Children` for one attempt of `run`.

    A child is executed by the process that begins it. What a child may use is taken from what its parent has left; what
    it did not use is the parent's again when it ends. `give_up` gives up the parent's own sandbox session.
    """

    def __init__(
        self,
        parts: EngineParts,
        scope: Scope,
        run: Run,
        launcher: Launcher,
        *,
        give_up: Callable[[], Awaitable[None]],
    ) -> None:
        self._parts = parts
        self._scope = scope
        self._run = run
        self._launcher = launcher
        self._give_up = give_up
        self._shares = asyncio.Lock()

    async def start(self, *tasks: ChildTask) -> tuple[Run, ...]:
        """Begin a child for each task that has none yet, and return the children of the tasks.

        They get equal shares of what is left, of which one stays for what the run does and begins after them.
        Raises `RunLimit` if no tokens are left.
        """
        async with self._shares:  # who begins at the same time must see what the other has taken
            begun = {child.task_id: child for child in await self.all()}
            fresh = [task for task in tasks if task.task_id not in begun]
            if fresh:
                parent = await self._parts.store.runs.get(self._scope, self._run.id)
                share = tokens_left(parent, begun.values()) // (len(fresh) + 1)
                for task in fresh:
                    begun[task.task_id] = await self._begin(self._child(task, share), task.opening)
        return tuple(begun[task.task_id] for task in tasks)

    async def _begin(self, child: Run, opening: tuple[Message, ...]) -> Run:
        first = _first(child, opening)
        stored = await self._parts.store.runs.begin_child(self._scope, child, first, parent_attempt=self._run.attempt)
        if stored.id == child.id:
            self._parts.bus.wake(self._run.stream_id)
            self._launcher.start(self._scope, stored)
        return stored

    async def all(self) -> tuple[Run, ...]:
        """Return the children in the order in which they began."""
        return await self._parts.store.runs.children(self._scope, self._run.id)

    async def settled(self) -> tuple[Run, ...]:
        """Return the children once none of them works."""
        await self._give_up()
        with self._parts.bus.waiting_for(self._run.id) as wakes:
            while True:
                wakes.clear()
                children = await self.all()
                if not any(child.state in {"queued", "running"} for child in children):
                    return children
                await self._parts.bus.woken(wakes)

    async def cancel(self, run_id: str) -> None:
        """Ask a child to stop."""
        await self._parts.store.runs.request_cancel(self._scope, run_id, at=self._parts.clock.now())
        self._launcher.cancel(run_id)

    async def transcript(self, run_id: str) -> tuple[Message, ...]:
        """Return what a child has written so far, with its opening."""
        return await self._parts.store.log.transcript(self._scope, run_id)

    def _child(self, task: ChildTask, tokens: int) -> Run:
        now = self._parts.clock.now()
        wanted = task.limits or self._parts.kinds.of(task.agent).limits
        wall_clock_s = min(wanted.wall_clock_s, self._run.limits.wall_clock_s, task.within_s or math.inf)
        return replace(
            self._run,
            id=self._parts.ids.new(),
            parent_id=self._run.id,
            top_id=self._run.stream_id,
            task_id=task.task_id,
            agent=task.agent,
            takeover=self._run.takeover and self._parts.kinds.of(task.agent).takeover,
            question=task.question,
            file_ids=task.file_ids or self._run.file_ids,
            limits=replace(wanted, tokens=min(wanted.tokens, tokens), wall_clock_s=wall_clock_s),
            deliver=None,
            state="running",
            attempt=1,
            last_seq=0,
            worked_s=0.0,
            tokens=0,
            losses=0,
            created_at=now,
            lease_until=now + LEASE,
            cancel_requested_at=None,
        )


def tokens_left(parent: Run, children: Iterable[Run]) -> int:
    """Return how many tokens a run has left for more children.

    Of a child that has ended it misses what that used, of one that has not, what it may use. Raises `RunLimit` if none
    are left.
    """
    given = sum(child.tokens if child.state == "finished" else child.limits.tokens for child in children)
    left = parent.limits.tokens - parent.tokens - given
    if left <= 0:
        raise RunLimit(limit="tokens", value=parent.limits.tokens)
    return left


def _first(child: Run, opening: tuple[Message, ...]) -> Batch:
    started = RunStarted(
        conversation_id=child.conversation_id,
        question=child.question,
        model=child.model,
        mode=child.mode,
        task_id=child.task_id,
        parent_id=child.parent_id,
    )
    events = (Stamped(at=child.created_at, body=started),)
    return Batch(
        run_id=child.id,
        attempt=child.attempt,
        top_id=child.top_id,
        events=events,
        transcript=tuple(TranscriptEntry(message=one) for one in opening),
    )
