"""Fires schedules when they are due, starts their runs, and delivers what these gave; each once among all processes.

A time of a schedule is fired by whoever moves the schedule on to its next time. A firing is a small piece of work that
one process at a time holds: if that process dies, the next goes on with it once the time of the hold is over. Its run
has the id of the firing, so that it begins once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, assert_never

from tablewright.data.base import WebRequests
from tablewright.domain.ids import Clock, Ids
from tablewright.domain.run import Run, RunFailure
from tablewright.domain.scope import Scope, SystemScope
from tablewright.domain.workflow.schedules import Firing, FiringOutcome, OwnedFiring, OwnedSchedule
from tablewright.errors import CallerError, DownloadRefused, NotFound, SecretsUnreadable, TablewrightError
from tablewright.service.conversations import Conversations
from tablewright.service.schedules.files import files_now
from tablewright.service.schedules.schedules import purpose
from tablewright.service.schedules.times import recurrence
from tablewright.service.schedules.webhooks import payload, request
from tablewright.service.workflows.launch import Launch
from tablewright.store.base import Store

if TYPE_CHECKING:
    from tablewright.service.databases.connections import Secrets
    from tablewright.service.workflows.launches import WorkflowLaunches

FACE = "schedule"
"""Under this name, a firing knows its conversation."""
HOLD = timedelta(seconds=60)
"""How long a process may take for one act before another may go on with it."""
LEAST_WINDOW_S = 60.0
"""A time that is no longer past than this is not missed: it is only looked at late."""
FORGET = timedelta(days=30)
RETRIES_S = (10.0, 60.0, 300.0, 1_800.0)
"""How long after each delivery that failed the next is tried; after the last, none."""
GONE = 410
"""The status by which a receiver says that it wants nothing any more."""
MOST_ATTEMPTS = 20
AT_ONCE = 8
"""How many firings a process acts on at the same time."""

log = logging.getLogger(__name__)


class ScheduleRunner:
    """What one process does for schedules. `tick` is called every second."""

    def __init__(
        self,
        store: Store,
        conversations: Conversations,
        launches: Callable[[], WorkflowLaunches],
        secrets: Secrets,
        requests: Callable[[], WebRequests],
        *,
        clock: Clock,
        ids: Ids,
        system: SystemScope,
    ) -> None:
        self._store = store
        self._conversations = conversations
        self._launches = launches
        self._secrets = secrets
        self._requests = requests
        self._clock = clock
        self._ids = ids
        self._system = system
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    async def tick(self) -> None:
        """Fire what is due, and begin to act on what nobody holds. Returns without waiting for any of it."""
        if self._closed:
            return
        for ripe in await self._store.schedules.ripe(self._system, now=self._clock.now()):
            if (fired := await self._fire(ripe)) is not None:
                self._begin(fired)
        room = AT_ONCE - len(self._tasks)
        if room <= 0:
            return
        for due in await self._store.schedules.due(self._system, now=self._clock.now(), limit=room):
            held, hold_until = due.firing, self._clock.now() + HOLD
            if await self._store.schedules.claim(self._system, held.id, attempt=held.attempt, act_at=hold_until):
                held = replace(held, attempt=held.attempt + 1, act_at=hold_until)
                self._begin(replace(due, firing=held))

    async def settle(self) -> None:
        """Wait until nothing is acted on."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def close(self) -> None:
        """Let go of what is acted on; another process, or the next, goes on with it."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _fire(self, ripe: OwnedSchedule) -> OwnedFiring | None:
        """Move a schedule on to its next time; return its firing if there is something to do, and it is ours to do."""
        schedule, now = ripe.schedule, self._clock.now()
        expected = schedule.next_at
        assert expected is not None
        times = await asyncio.to_thread(recurrence, schedule.when, schedule.time_zone)
        window = timedelta(seconds=max(schedule.window_s, LEAST_WINDOW_S))
        last = times.last_until(now, since=max(expected, now - window))
        firing = Firing(
            id=self._ids.new(), schedule_id=schedule.id, due_at=last or expected, fired_at=now, act_at=now + HOLD
        )
        if last is None:
            firing = replace(firing, stage="ended", act_at=None, outcome="missed")
        ours = await self._store.schedules.fire(
            ripe.scope, firing, expected=expected, next_at=times.after(now), forget_before=now - FORGET
        )
        if not ours or last is None:
            return None
        return OwnedFiring(scope=ripe.scope, schedule=schedule, firing=firing)

    def _begin(self, owned: OwnedFiring) -> None:
        if self._closed:
            return
        task = asyncio.create_task(self._act(owned), name=f"firing {owned.firing.id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _act(self, owned: OwnedFiring) -> None:
        """Do what is to be done next, as long as there is something to do now and the firing is held here."""
        firing: Firing | None = owned.firing
        try:
            while firing is not None:
                firing = await self._step(replace(owned, firing=firing))
        except Exception:  # whatever it is: once the hold is over, it is tried again
            log.warning("firing %s could not be gone on with and is tried again", owned.firing.id, exc_info=True)

    async def _step(self, owned: OwnedFiring) -> Firing | None:
        """Do one act, and return the firing if it is to be acted on at once."""
        match owned.firing.stage:
            case "start":
                return await self._start(owned)
            case "watch":
                return await self._watch(owned)
            case "deliver":
                return await self._deliver(owned)
            case "ended":
                return None
            case _:
                assert_never(owned.firing.stage)

    async def _start(self, owned: OwnedFiring) -> Firing | None:
        firing = owned.firing
        try:
            run = await self._run(owned)
        except TablewrightError as error:
            if not isinstance(error, CallerError) and firing.attempt < MOST_ATTEMPTS:
                raise
            return await self._refused(owned, RunFailure(code=error.code, params=dict(error.params)))
        watched = replace(firing, stage="watch", act_at=self._clock.now(), conversation_id=run.conversation_id)
        await self._store.schedules.advance(self._system, watched)
        return None

    async def _run(self, owned: OwnedFiring) -> Run:
        """Start the run of a firing, or return it if it has begun. Raises what starting it raises."""
        scope, schedule, own_id = owned.scope, owned.schedule, owned.firing.id
        if (begun := await self._begun(scope, own_id)) is not None:
            return begun
        files = await files_now(self._store.files, scope, schedule.files)
        conversation = await self._conversations.of_client(scope, FACE, own_id, language=schedule.language)
        launch = Launch(
            inputs=schedule.inputs,
            text=schedule.name,
            conversation_id=conversation.id,
            file_ids=files,
            language=schedule.language,
            model=schedule.model,
            approvals=schedule.approvals,
            run_id=own_id,
        )
        try:
            return await self._launches().start(scope, schedule.workflow_id, launch)
        except Exception:  # whatever it is, it may be that another process had begun the run meanwhile
            if (begun := await self._begun(scope, own_id)) is None:
                raise
            return begun

    async def _begun(self, scope: Scope, run_id: str) -> Run | None:
        try:
            return await self._store.runs.get(scope, run_id)
        except NotFound:
            return None

    async def _refused(self, owned: OwnedFiring, failure: RunFailure) -> Firing | None:
        """Record that there will be no run, and remove the conversation that was made for it."""
        over = await self._over(owned, "refused", failure)
        empty = await self._store.conversations.keyed(owned.scope, FACE, owned.firing.id)
        if over is not None and empty is not None:
            with suppress(NotFound):
                await self._conversations.delete(owned.scope, empty.id)
        return over

    async def _watch(self, owned: OwnedFiring) -> Firing | None:
        run = await self._begun(owned.scope, owned.firing.id)
        return await self._over(owned, "removed" if run is None or run.outcome is None else run.outcome)

    async def _over(
        self, owned: OwnedFiring, outcome: FiringOutcome, failure: RunFailure | None = None
    ) -> Firing | None:
        """Record how a firing came out, and return it, unless it is held by another."""
        told = owned.schedule.webhook is not None
        over = replace(
            owned.firing,
            stage="deliver" if told else "ended",
            delivery="pending" if told else "none",
            act_at=owned.firing.act_at if told else None,
            outcome=outcome,
            failure=failure,
        )
        return over if await self._store.schedules.advance(self._system, over) else None

    async def _deliver(self, owned: OwnedFiring) -> Firing | None:
        firing = owned.firing
        run = await self._begun(owned.scope, firing.id)
        answer = await self._sent(owned, run)
        tried = replace(firing, tries=firing.tries + 1, status=answer.status)
        if answer.taken:
            tried = replace(tried, stage="ended", delivery="delivered", act_at=None)
        elif answer.final or tried.tries > len(RETRIES_S):
            tried = replace(tried, stage="ended", delivery="failed", act_at=None)
            log.warning("the result of firing %s could not be delivered", firing.id)
        else:
            tried = replace(tried, act_at=self._clock.now() + timedelta(seconds=RETRIES_S[firing.tries]))
        await self._store.schedules.advance(self._system, tried)
        return None

    async def _sent(self, owned: OwnedFiring, run: Run | None) -> _Receipt:
        webhook = owned.schedule.webhook
        if webhook is None:
            return _Receipt(final=True)
        told = payload(owned.schedule, owned.firing, run)
        now = int(self._clock.now().timestamp())
        try:
            sealed_for = purpose(owned.scope, owned.schedule.id)
            secret = await asyncio.to_thread(self._secrets.open, webhook.sealed, sealed_for)
            wanted = request(webhook.url, secret, told, message_id=owned.firing.id, timestamp=now)
            status = (await self._requests().send(wanted)).status
        except (DownloadRefused, SecretsUnreadable):
            return _Receipt(final=True)
        except TablewrightError:
            return _Receipt()
        return _Receipt(status=status, taken=200 <= status < 300, final=status == GONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Receipt:
    """What came of one delivery; `final`: another would come to the same."""

    status: int | None = None
    taken: bool = False
    final: bool = False
