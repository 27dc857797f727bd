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

from tablewright.domain.events import Event, PlanProposed
from tablewright.domain.ids import Clock, Ids
from tablewright.domain.rounds.confirmation import BASE_VERSION
from tablewright.domain.rounds.ledger import PriorRounds, ledger_message
from tablewright.domain.run import RequestAnswer
from tablewright.domain.scope import Scope
from tablewright.domain.workbook import Version
from tablewright.errors import AlreadyAnswered, Conflict, InvalidInput, NotFound, QuestionMissing
from tablewright.service.channels.channels import Channel, Channels, PendingRequest
from tablewright.service.channels.client_memory import ChannelClient
from tablewright.service.channels.client_workbook import ClientWorkbook
from tablewright.service.channels.records import AcceptedRequest, ResponseRecord
from tablewright.service.channels.repeated_requests import RepeatedRequest, RepeatedRequests
from tablewright.service.channels.request import (
    ChannelRequest,
    addressed,
    answer_of,
    answers_otherwise,
    reported_rounds,
)
from tablewright.service.runs.runs import Ask, Runs
from tablewright.service.workbooks.abandoned_runs import AbandonedRun, AbandonedRuns
from tablewright.service.workbooks.states import FACE
from tablewright.service.workbooks.workbooks import Workbooks
from tablewright.store.base import Store
from tablewright.store.workbook_store import FaceMessage

CLOSE_GRACE_S = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reply:
    answer: RequestAnswer
    base: AcceptedRequest


@dataclass(slots=True)
class _Background:
    tasks: set[asyncio.Task[Any]] = field(default_factory=set[asyncio.Task[Any]])
    locks: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary[str, asyncio.Lock])

    def lock(self, key: str) -> asyncio.Lock:
        """Return the lock of a channel, which exists while somebody holds it or waits for it."""
        return self.locks.setdefault(key, asyncio.Lock())


class ChannelRounds:
    """The use cases of a channel. A channel of another owner raises `NotFound`."""

    def __init__(
        self,
        store: Store,
        channels: Channels,
        *,
        runs: Runs,
        workbooks: Workbooks,
        book: ClientWorkbook,
        clock: Clock,
        ids: Ids,
        max_rounds: int = 10,
    ) -> None:
        self._store = store
        self._channels = channels
        self._runs = runs
        self._workbooks = workbooks
        self._book = book
        self._earlier = RepeatedRequests(store)
        self._left_runs = AbandonedRuns(store)
        self._clock = clock
        self._ids = ids
        self._max_rounds = max_rounds
        self._going = _Background()

    async def take(self, scope: Scope, request: ChannelRequest) -> AcceptedRequest:
        """Accept a request: start a run for it, or answer what a run of the channel asks.

        Raises `QuestionMissing`, `InvalidInput`, `NotFound` or `Conflict` (plan), `PlanInvalid`, `RunInProgress`.
        """
        key = request.channel or self._ids.new()
        async with self._going.lock(f"{scope.tenant}:{scope.owner}:{key}"):
            channel = await self._channels.open(scope, key, language=request.language or request.accepted)
            channel.must_rest()
            language = request.language or channel.conversation.language
            base = AcceptedRequest(
                channel=key, language=language, continuation=request.goes_on, previous_rounds=request.previous_rounds,
                workbook_id=None if channel.workbook is None else channel.workbook.id,
            )  # fmt: skip
            if request.goes_on:
                return await self._continued(scope, request, channel, base)
            return await self._begun(scope, request, channel, base)

    def follow(self, scope: Scope, accepted: AcceptedRequest) -> AsyncIterator[Event]:
        """Yield the events of an accepted request until its run rests or ends."""
        if accepted.events is not None:
            return _each(accepted.events)
        if accepted.run is None:
            return _each(())
        return self._runs.follow(scope, accepted.run.id, after=accepted.after, until_rest=True)

    async def version(self, scope: Scope, accepted: AcceptedRequest) -> Version | None:
        """Return the current version of the workbook that an accepted request is about, or None without a workbook."""
        workbook_id = accepted.workbook_id
        if workbook_id is None and accepted.run is not None:  # the run may have made it
            workbook_id = next(iter((await self._runs.get(scope, accepted.run.id)).file_ids), None)
        return None if workbook_id is None else await self._workbooks.version(scope, workbook_id)

    def new_id(self) -> str:
        """Return a new identifier."""
        return self._ids.new()

    async def keep(self, scope: Scope, answered: ResponseRecord) -> None:
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
        response = {"success": True, "workbookId": version.workbook_id, "version": version.number}
        await self.keep(scope, ResponseRecord(message_id=self._ids.new(), channel=channel, uid=uid, response=response))

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
        self,
        scope: Scope,
        request: ChannelRequest,
        channel: Channel,
        base: AcceptedRequest,
        before: PriorRounds | None = None,
    ) -> AcceptedRequest:
        """Start a run for the request, telling it what came `before`. The run itself takes the client's cells."""
        if not request.operation.strip():
            raise QuestionMissing(field="operation")
        lane = await self._channels.free_lane(scope, channel)
        client = ChannelClient(channel=channel, uid=request.uid)
        ask = Ask(
            text=request.operation, file_ids=() if channel.workbook is None else (channel.workbook.id,), mode="edit",
            approvals="ask", language=base.language, prepare=self._book.preparation(scope, client, request.sheets),
            opening=(ledger_message(before),) if before is not None and before.rounds else (),
        )  # fmt: skip
        return replace(base, run=await self._runs.start(scope, lane, ask))

    async def _continued(
        self, scope: Scope, request: ChannelRequest, channel: Channel, base: AcceptedRequest
    ) -> AcceptedRequest:
        """Answer the request that is meant, or take up the run that was left with it; where there is neither, start a
        run that plans as in a first round."""
        if request.request_id is None:
            target = addressed(request, channel.waiting)
            left = await self._left(scope, channel, since=target)
        else:
            target = next((one for one in channel.waiting if one.request.id == request.request_id), None)
            left = None
            if target is None:
                target, left, events = await self._done_before(scope, request, request.request_id, channel)
                if events is not None:
                    run = await self._runs.get(scope, events[0].run_id)
                    return replace(base, events=events, language=run.language)
        if left is not None:
            return await self._taken_up(scope, request, channel, left, base)
        if target is None:
            if request.says_something:
                raise InvalidInput("excel_nothing_asked", field="requestId")
            before = await self._earlier.begun_with(scope, channel, reported_rounds(request, self._ids.new()))
            base = replace(base, previous_rounds=before.rounds)
            if before.rounds >= self._max_rounds:
                return replace(base, over=self._max_rounds)
            return await self._begun(scope, request, channel, base, before)
        return await self._answered(scope, request, channel, target, base)

    async def _left(
        self, scope: Scope, channel: Channel, *, since: PendingRequest | None = None, concerning: str | None = None
    ) -> AbandonedRun | None:
        """Return the newest run that was left on the channel and that an id concerns; without an id, the channel's
        last run if it was left, and begun `since` another asked."""
        ids = [lane.conversation_id for lane in channel.lanes]
        if concerning is not None:
            found = await self._left_runs.of_conversations(scope, ids)
            return next((left for left in found if left.concerns(concerning)), None)
        last = await self._left_runs.last_of(scope, ids)
        return last if last and (since is None or last.run.created_at > since.run.created_at) else None

    async def _done_before(
        self, scope: Scope, request: ChannelRequest, request_id: str, channel: Channel
    ) -> tuple[PendingRequest | None, AbandonedRun | None, tuple[Event, ...] | None]:
        """Resolve an id of something already done to the next request of its run, to the run if it was left there, or
        to its events to repeat."""
        earlier = await self._earlier.find(scope, channel, request_id)
        if earlier is not None:
            _must_repeat(request, earlier)
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

    async def _answered(
        self, scope: Scope, request: ChannelRequest, channel: Channel, target: PendingRequest, base: AcceptedRequest
    ) -> AcceptedRequest:
        said = await self._said(scope, request, channel, target, base)
        run = await self._runs.get(scope, target.run.id)
        try:
            await self._runs.answer(scope, run.id, target.request.id, said.answer)
        except InvalidInput as error:
            raise _of_client(error) from None
        return replace(said.base, run=run, after=run.last_seq, language=run.language)

    async def _taken_up(
        self, scope: Scope, request: ChannelRequest, channel: Channel, left: AbandonedRun, base: AcceptedRequest
    ) -> AcceptedRequest:
        """Start a run that goes on where another was left, with what the request says to what that one asked."""
        if request.says_something and not left.takes_words:
            raise InvalidInput("excel_nothing_asked", field="requestId")
        said = await self._said(scope, request, channel, PendingRequest(run=left.run, request=left.asked), base)
        try:
            await self._runs.check_edits(scope, left.run, left.asked.subject_kind, said.answer)
        except InvalidInput as error:
            raise _of_client(error) from None
        ask = Ask(
            text=left.run.question, file_ids=left.run.file_ids, model=left.run.model, mode="edit", approvals="ask",
            language=left.run.language, limits=left.run.limits, opening=left.opening(said.answer),
        )  # fmt: skip
        run = await self._runs.start(scope, left.run.conversation_id, ask)
        return replace(said.base, run=run, language=run.language)

    async def _said(
        self, scope: Scope, request: ChannelRequest, channel: Channel, target: PendingRequest, base: AcceptedRequest
    ) -> _Reply:
        """Take the client's cells, and return its answer to `target` and what is known of the request so far."""
        answer = answer_of(request, target.request)
        brought = await self._book.bring(scope, ChannelClient(channel=channel, uid=request.uid), request.sheets)
        workbook_id = brought.workbook_id
        if target.request.kind == "approval" and answer.decision == "approve" and workbook_id is not None:
            answer = replace(answer, values=await self._seen_version(scope, target, workbook_id))
        completed = await self._earlier.completed(scope, target.run.id, workbook_id)
        return _Reply(
            answer=answer,
            base=replace(base, workbook_id=workbook_id, previous_rounds=completed, warnings=brought.warnings),
        )

    async def _seen_version(self, scope: Scope, target: PendingRequest, workbook_id: str) -> dict[str, Any] | None:
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


def _must_repeat(request: ChannelRequest, earlier: RepeatedRequest) -> None:
    """Raise `AlreadyAnswered` if a request answers a plan that was executed, and not as it was answered then."""
    if earlier.plan is None:
        return
    try:
        otherwise = answers_otherwise(request, earlier.plan)
    except InvalidInput as error:
        raise _of_client(error) from None
    if otherwise:
        raise AlreadyAnswered(field="requestId", request_id=request.request_id)


def _of_client(error: InvalidInput) -> InvalidInput:
    """Return the error of a plan under the name that the client gave it."""
    error.field = (error.field or "plan").replace("plan", "editedPlan", 1)
    return error


async def _each(events: tuple[Event, ...]) -> AsyncIterator[Event]:
    for event in events:
        yield event
