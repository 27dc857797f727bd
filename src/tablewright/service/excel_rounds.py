"""The rounds of a workbook as seen by a client of channels: it sends requests and answers, and a run does the work.

A request starts a run in mode `edit`; a request that continues one answers what the run asks. The run goes on even if
the client disconnects.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakValueDictionary

from tablewright.agent.rounds.confirming import BASE_VERSION, check_confirmation
from tablewright.agent.rounds.ledger import Before, kept
from tablewright.domain.events import Event, PlanProposed
from tablewright.domain.ids import Clock, Ids
from tablewright.domain.language import Language
from tablewright.domain.notice import Notice
from tablewright.domain.rounds import Version
from tablewright.domain.run import RequestAnswer, Run
from tablewright.domain.scope import Scope
from tablewright.errors import Conflict, InvalidInput, NotFound, QuestionMissing
from tablewright.service.channels import Channel, Channels, Waiting
from tablewright.service.client_book import ClientBook
from tablewright.service.client_memory import Client
from tablewright.service.earlier_rounds import EarlierRounds
from tablewright.service.excel_wish import Wish, answer_of, meant, told_by
from tablewright.service.left_rounds import LeftRun, LeftRuns
from tablewright.service.runs import Ask, Runs
from tablewright.service.workbook_states import FACE
from tablewright.service.workbooks import Workbooks
from tablewright.store.base import Store
from tablewright.store.workbook_store import FaceMessage

CLOSE_GRACE_S = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """An accepted request.

    Its events are those of `run` after `after` until it rests, or `events` of an earlier request that this one repeats;
    there are none if the limit of rounds, `over`, is reached.
    """

    channel: str
    language: Language
    continuation: bool
    previous_rounds: int = 0
    workbook_id: str | None = None
    run: Run | None = None
    after: int = 0
    events: tuple[Event, ...] | None = None
    over: int | None = None
    warnings: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The outcome of a request as reported to the client: its events, and its response or error."""

    message_id: str
    channel: str
    uid: str
    events: tuple[dict[str, Any], ...] = ()
    response: dict[str, Any] | None = None
    error: str | None = None
    run_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    answer: RequestAnswer
    base: Taken


@dataclass(slots=True)
class _Going:
    tasks: set[asyncio.Task[Any]] = field(default_factory=set[asyncio.Task[Any]])
    locks: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary[str, asyncio.Lock])

    def lock(self, key: str) -> asyncio.Lock:
        """Return the lock of a channel, which exists while somebody holds it or waits for it."""
        return self.locks.setdefault(key, asyncio.Lock())


class ExcelRounds:
    """The use cases of a channel. A channel of another owner raises `NotFound`."""

    def __init__(
        self,
        store: Store,
        channels: Channels,
        *,
        runs: Runs,
        workbooks: Workbooks,
        book: ClientBook,
        clock: Clock,
        ids: Ids,
        max_rounds: int = 10,
    ) -> None:
        self._store = store
        self._channels = channels
        self._runs = runs
        self._workbooks = workbooks
        self._book = book
        self._earlier = EarlierRounds(store)
        self._left_runs = LeftRuns(store)
        self._clock = clock
        self._ids = ids
        self._max_rounds = max_rounds
        self._going = _Going()

    async def take(self, scope: Scope, wish: Wish) -> Taken:
        """Accept a request: start a run for it, or answer what a run of the channel asks.

        Raises `QuestionMissing`, `InvalidInput`, `NotFound` or `Conflict` (plan), `PlanInvalid`, `RunInProgress`.
        """
        key = wish.channel or self._ids.new()
        async with self._going.lock(f"{scope.tenant}:{scope.owner}:{key}"):
            channel = await self._channels.open(scope, key, language=wish.language or wish.accepted)
            channel.must_rest()
            language = wish.language or channel.conversation.language
            base = Taken(
                channel=key, language=language, continuation=wish.goes_on, previous_rounds=wish.previous_rounds,
                workbook_id=None if channel.workbook is None else channel.workbook.id,
            )  # fmt: skip
            if wish.goes_on:
                return await self._continued(scope, wish, channel, base)
            return await self._begun(scope, wish, channel, base)

    def follow(self, scope: Scope, taken: Taken) -> AsyncIterator[Event]:
        """Yield the events of an accepted request until its run rests or ends."""
        if taken.events is not None:
            return _each(taken.events)
        if taken.run is None:
            return _each(())
        return self._runs.follow(scope, taken.run.id, after=taken.after, until_rest=True)

    async def version(self, scope: Scope, workbook_id: str | None) -> int | None:
        """Return the number of the workbook's current version, or None without a workbook."""
        if workbook_id is None:
            return None
        return (await self._workbooks.version(scope, workbook_id)).number

    def new_id(self) -> str:
        """Return a new identifier."""
        return self._ids.new()

    async def keep(self, scope: Scope, answered: Answered) -> None:
        """Store the outcome of a request."""
        await self._store.faces.put(
            scope,
            FaceMessage(
                id=self._ids.new(),
                face=FACE,
                message_id=answered.message_id,
                channel_id=answered.channel,
                uid=answered.uid,
                created_at=self._clock.now(),
                events=answered.events,
                response=answered.response,
                error=answered.error,
                run_id=answered.run_id,
            ),
        )

    async def given(self, scope: Scope, channel: str, uid: str, version: Version) -> None:
        """Record that a client was given the workbook at `version`, by an undo or a redo."""
        told = {"success": True, "workbookId": version.workbook_id, "version": version.number}
        await self.keep(scope, Answered(message_id=self._ids.new(), channel=channel, uid=uid, response=told))

    def go_on(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run `work` as a task that continues even if nobody waits for it; it ends at the latest with the service."""
        task = asyncio.create_task(work)
        self._going.tasks.add(task)
        task.add_done_callback(self._going.tasks.discard)
        return task

    async def close(self) -> None:
        """Give running tasks `CLOSE_GRACE_S` to end, then cancel the rest."""
        if not self._going.tasks:
            return
        _, left = await asyncio.wait(self._going.tasks, timeout=CLOSE_GRACE_S)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    async def _begun(
        self, scope: Scope, wish: Wish, channel: Channel, base: Taken, before: Before | None = None
    ) -> Taken:
        """Start a run for the request, telling it what came `before`."""
        if not wish.operation.strip():
            raise QuestionMissing(field="operation")
        brought = await self._book.bring(scope, Client(channel=channel, uid=wish.uid), wish.sheets)
        workbook_id = brought.workbook_id
        lane = await self._channels.free_lane(scope, channel)
        ask = Ask(
            text=wish.operation, file_ids=() if workbook_id is None else (workbook_id,), mode="edit", approvals="ask",
            language=base.language, opening=(kept(before),) if before is not None and before.rounds else (),
        )  # fmt: skip
        run = await self._runs.start(scope, lane, ask)
        return replace(base, run=run, workbook_id=workbook_id, warnings=brought.warnings)

    async def _continued(self, scope: Scope, wish: Wish, channel: Channel, base: Taken) -> Taken:
        """Answer the request that is meant, or take up the run that was left with it; where there is neither, start a
        run that plans as in a first round."""
        if wish.request_id is None:
            target = meant(wish, channel.waiting)
            left = await self._left(scope, channel, since=target)
        else:
            target = next((one for one in channel.waiting if one.request.id == wish.request_id), None)
            left = None
            if target is None:
                target, left, events = await self._done_before(scope, wish.request_id, channel)
                if events is not None:
                    return replace(base, events=events)
        if left is not None:
            return await self._taken_up(scope, wish, channel, left, base)
        if target is None:
            if wish.says_something:
                raise InvalidInput("excel_nothing_asked", field="requestId")
            before = await self._earlier.begun_with(scope, channel, told_by(wish, self._ids.new()))
            base = replace(base, previous_rounds=before.rounds)
            if before.rounds >= self._max_rounds:
                return replace(base, over=self._max_rounds)
            return await self._begun(scope, wish, channel, base, before)
        return await self._answered(scope, wish, channel, target, base)

    async def _left(
        self, scope: Scope, channel: Channel, *, since: Waiting | None = None, concerning: str | None = None
    ) -> LeftRun | None:
        """Return the newest run that was left on the channel and that an id concerns; without an id, the channel's
        last run if it was left, and begun `since` another asked."""
        ids = [lane.conversation_id for lane in channel.lanes]
        if concerning is not None:
            found = await self._left_runs.of_conversations(scope, ids)
            return next((left for left in found if left.concerns(concerning)), None)
        last = await self._left_runs.last_of(scope, ids)
        return last if last and (since is None or last.run.created_at > since.run.created_at) else None

    async def _done_before(
        self, scope: Scope, request_id: str, channel: Channel
    ) -> tuple[Waiting | None, LeftRun | None, tuple[Event, ...] | None]:
        """Resolve an id of something already done to the next request of its run, to the run if it was left there, or
        to its events to repeat."""
        earlier = await self._earlier.find(scope, channel, request_id)
        if earlier is not None:
            for waiting in channel.waiting:
                if waiting.run.id == earlier.run_id and waiting.request.id in earlier.next_asked:
                    return waiting, None, None
            if earlier.undone:
                raise Conflict("excel_plan_undone", field="requestId", id=request_id)
        if (left := await self._left(scope, channel, concerning=request_id)) is not None:
            return None, left, None
        if earlier is None:
            raise NotFound(kind="plan", id=request_id, field="requestId")
        if earlier.events is None:
            raise Conflict("excel_plan_stale", field="requestId", id=request_id)
        return None, None, earlier.events

    async def _answered(self, scope: Scope, wish: Wish, channel: Channel, target: Waiting, base: Taken) -> Taken:
        said = await self._said(scope, wish, channel, target, base)
        run = await self._runs.get(scope, target.run.id)
        try:
            await self._runs.answer(scope, run.id, target.request.id, said.answer)
        except InvalidInput as error:
            raise _of_client(error) from None
        return replace(said.base, run=run, after=run.last_seq)

    async def _taken_up(self, scope: Scope, wish: Wish, channel: Channel, left: LeftRun, base: Taken) -> Taken:
        """Start a run that goes on where another was left, with what the wish says to what that one asked."""
        if wish.says_something and not left.takes_words:
            raise InvalidInput("excel_nothing_asked", field="requestId")
        said = await self._said(scope, wish, channel, Waiting(run=left.run, request=left.asked), base)
        try:
            check_confirmation(left.asked.subject_kind, said.answer)
        except InvalidInput as error:
            raise _of_client(error) from None
        ask = Ask(
            text=left.run.question, file_ids=left.run.file_ids, model=left.run.model, mode="edit", approvals="ask",
            language=base.language, limits=left.run.limits, opening=left.opening(said.answer),
        )  # fmt: skip
        return replace(said.base, run=await self._runs.start(scope, left.run.conversation_id, ask))

    async def _said(self, scope: Scope, wish: Wish, channel: Channel, target: Waiting, base: Taken) -> _Said:
        """Take the client's cells, and return its answer to `target` and what is known of the request so far."""
        answer = answer_of(wish, target.request)
        brought = await self._book.bring(scope, Client(channel=channel, uid=wish.uid), wish.sheets)
        workbook_id = brought.workbook_id
        if target.request.kind == "approval" and answer.decision == "approve" and workbook_id is not None:
            answer = replace(answer, values=await self._seen_version(scope, target, workbook_id))
        completed = await self._earlier.completed(scope, target.run.id, workbook_id)
        return _Said(
            answer=answer,
            base=replace(base, workbook_id=workbook_id, previous_rounds=completed, warnings=brought.warnings),
        )

    async def _seen_version(self, scope: Scope, target: Waiting, workbook_id: str) -> dict[str, Any] | None:
        """Return the head version as values of an answer if only the client's own edits came after the plan was made:
        these are no reason to plan again. Otherwise None."""
        proposed = await self._store.log.events(scope, target.run.id, types=("plan.proposed",))
        plans = [
            one.body.plan
            for one in proposed
            if isinstance(one.body, PlanProposed) and one.body.request_id == target.request.id
        ]
        head = await self._workbooks.version(scope, workbook_id)
        if not plans or plans[-1].base_version == head.number:
            return None
        since = [
            one for one in await self._workbooks.versions(scope, workbook_id) if one.number > plans[-1].base_version
        ]
        own = since and all(one.author == "client" for one in since) and head.number == since[-1].number
        return {BASE_VERSION: head.number} if own else None


def _of_client(error: InvalidInput) -> InvalidInput:
    """Return the error of a plan under the name that the client gave it."""
    error.field = (error.field or "plan").replace("plan", "editedPlan", 1)
    return error


async def _each(events: tuple[Event, ...]) -> AsyncIterator[Event]:
    for event in events:
        yield event
