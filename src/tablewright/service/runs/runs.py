"""Start, follow, answer and cancel runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from tablewright.domain.conversation import Conversation, ConversationMessage, EarlierTurn
from tablewright.domain.events import Event, EventBody, MessageAdded, RunStarted
from tablewright.domain.ids import Clock, Ids
from tablewright.domain.inbox import InboxItem
from tablewright.domain.language import Language, language_of
from tablewright.domain.message import Message, TranscriptEntry
from tablewright.domain.naming import storable
from tablewright.domain.rounds.confirmation import check_confirmation
from tablewright.domain.run import Approvals, Mode, OpenRequest, RequestAnswer, Run, RunLimits
from tablewright.domain.scope import Scope
from tablewright.errors import QuestionMissing
from tablewright.models.base import BUILTIN, ModelCatalogue
from tablewright.service.labels import title_of
from tablewright.service.runs.chosen_readings import ChosenReadings
from tablewright.service.runs.engine import RunEngine
from tablewright.service.runs.event_bus import EventBus
from tablewright.service.runs.kinds import AgentKinds
from tablewright.service.runs.leases import Leases
from tablewright.service.runs.parts import LEASE
from tablewright.service.runs.preparation import Preparation
from tablewright.service.runs.race import first_of
from tablewright.service.workbooks.abandoned_runs import AbandonedRuns
from tablewright.service.workbooks.plan_edits import PlanEdits
from tablewright.store.base import Store
from tablewright.store.rules import ending
from tablewright.store.run_store import Batch, Fenced, Stamped
from tablewright.texts.catalogue import text

STOP_WAIT_S = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """An incoming question. Fields that are None are filled in from the conversation, settings and kind of agent."""

    text: str
    file_ids: tuple[str, ...] = ()
    model: str | None = None
    mode: Mode = "auto"
    approvals: Approvals = "ask"
    language: Language | None = None
    limits: RunLimits | None = None
    deliver: str | None = None
    """The name of the file in which the run must leave its `result`, if any."""
    guard: bool = True
    """Whether texts that begin like formulas get an apostrophe in that file, if it is csv."""
    opening: tuple[Message, ...] = ()
    """The first entries of the run's transcript: what its agent should know from the start."""
    agent: str | None = None
    """The name of the agent; None leaves it to the router."""
    workflow_id: str | None = None
    """The workflow that the run is one of."""
    instead_of: str | None = None
    """A waiting run of the conversation that ends as `superseded` when this one begins."""
    follows: str | None = None
    """The run that must be the conversation's last: if another has begun since, there is `RunInProgress`."""
    run_id: str | None = None
    """The id of the run, where it was chosen before: a run of this id begins once."""
    told: tuple[EventBody, ...] = ()
    """What the run's log begins with, after the question: why it is the run that it is."""
    prepare: Preparation | None = None
    """What the run does first, once the question is stored."""
    earlier: tuple[EarlierTurn, ...] = ()
    """What was said elsewhere before the question: it joins the history, before the question."""


class Runs:
    """The use cases of a run.

    A run of another owner raises `NotFound`. A run continues whether or not anybody watches it.
    """

    def __init__(
        self,
        store: Store,
        bus: EventBus,
        engine: RunEngine,
        leases: Leases,
        *,
        models: ModelCatalogue,
        clock: Clock,
        ids: Ids,
        model: str = BUILTIN,
        edits: PlanEdits | None = None,
        kinds: AgentKinds | None = None,
    ) -> None:
        self._store = store
        self._left = AbandonedRuns(store)
        self._bus = bus
        self._engine = engine
        self._leases = leases
        self._models = models
        self._clock = clock
        self._ids = ids
        self._model = model
        self._edits = edits
        self._kinds = kinds or AgentKinds()
        self._chosen = ChosenReadings(store, clock, ids)

    async def start(self, scope: Scope, conversation_id: str, ask: Ask) -> Run:
        """Start a run on the question and return it without waiting for its end.

        Asked again, a question takes up the run on this workbook that its process left unfinished, if nothing else was
        asked since: what that run asked is asked again, and its plan is to be confirmed again as it stood.
        No file is opened before the question is stored: one that cannot be read is what the run ends with.
        Raises `QuestionMissing` (but a report needs none), `NotFound` (conversation, file), `RunInProgress` or
        `ModelUnknown`.
        """
        question = storable(ask.text).strip()
        if not question and ask.mode != "report":
            raise QuestionMissing(field="text")
        conversation = await self._store.conversations.get(scope, conversation_id)
        ask = await self._asked_again(scope, conversation_id, replace(ask, text=question))
        model = self._models.get(ask.model or self._model)
        for file_id in dict.fromkeys(ask.file_ids):
            await self._store.files.get(scope, file_id)
        run = self._run(conversation, question, ask, model.name)
        await asyncio.shield(asyncio.create_task(self._begin(scope, run, ask)))  # survives a cancelled caller
        return run

    async def get(self, scope: Scope, run_id: str) -> Run:
        """Return the run, or raise `NotFound`."""
        return await self._store.runs.get(scope, run_id)

    async def requests(self, scope: Scope, run_id: str) -> tuple[OpenRequest, ...]:
        """Return the run's requests, answered or not, oldest first."""
        return await self._store.log.requests(scope, run_id)

    async def cancel(self, scope: Scope, run_id: str) -> Run:
        """Stop the run, whichever process executes it. A finished run is left as it is.

        Returns the run: finished, or `cancelling` if its end takes longer than a second.
        """
        while True:
            run = await self._store.runs.request_cancel(scope, run_id, at=self._clock.now())
            if run.state == "waiting":
                with suppress(Fenced):
                    await self._bus.append(scope, ending(run, "cancelled", self._clock.now()))
                continue
            if run.state != "finished":
                self._engine.cancel(run_id)
                await first_of(self._at_rest(scope, run), self._clock.sleep(STOP_WAIT_S))
                run = await self._store.runs.get(scope, run_id)
            if run.state != "waiting":  # it may have asked a person before its process heard of the cancellation
                return run

    async def answer(
        self,
        scope: Scope,
        run_id: str,
        request_id: str,
        answer: RequestAnswer,
        *,
        said: str | None = None,
        file_ids: Sequence[str] = (),
    ) -> OpenRequest:
        """Store the first answer to a request and resume the run. Repeating the same answer returns the stored request.

        What was `said` for it, in words, joins the conversation's history, and what came with it the files there.
        An edited plan is checked first; if it raises `PlanInvalid`, the request stays open. Also raises
        `AlreadyAnswered`, `NotFound`, or `Conflict` when the run has finished.
        """
        await self._check(scope, run_id, request_id, answer)
        now = self._clock.now()
        message = None if said is None else await self._message(scope, run_id, said, now, file_ids)
        request = await self._store.log.answer(scope, run_id, request_id, answer, at=now, message=message)
        self._bus.wake(request.run_id)
        await self._leases.resume(scope, await self._store.runs.get(scope, request.run_id))
        await self._chosen.keep(scope, request)
        return request

    async def send(self, scope: Scope, run_id: str, item: InboxItem) -> None:
        """Send something to a run, which it takes while it works or, waiting, is resumed for.

        Raises `NotFound`, or `Conflict` when the run has finished.
        """
        await self._store.log.post(scope, run_id, item, at=self._clock.now())
        self._bus.wake(run_id)
        await self._leases.resume(scope, await self._store.runs.get(scope, run_id))

    async def check_edits(self, scope: Scope, run: Run, subject_kind: str | None, answer: RequestAnswer) -> None:
        """Raise `PlanInvalid` or `InvalidInput` if the answer edits the plan of `run` to one that cannot be done."""
        check_confirmation(subject_kind, answer)
        if self._edits is not None:
            await self._edits.check(scope, run, answer)

    def follow(self, scope: Scope, run_id: str, *, after: int = 0, until_rest: bool = False) -> AsyncIterator[Event]:
        """Yield every event with `seq > after`, those of the runs below it included: first the stored, then new ones.

        Ends after the run's own last event and, with `until_rest`, also when the run is waiting for a person.
        """
        return self._bus.follow(scope, run_id, after=after, until_rest=until_rest)

    def at_wakes(self, action: Callable[[], Awaitable[None]]) -> None:
        """Have something quick done whenever this process looks for runs whose time has come."""
        self._leases.at_wakes(action)

    async def open_up(self) -> None:
        """Register this process, end the runs of dead processes, and start renewing this process's leases."""
        await self._leases.open_up()

    async def close(self) -> None:
        """End the runs of this process with a definite outcome, wait for them (bounded) and stop renewing leases."""
        await self._engine.close()
        await self._leases.close()

    async def _asked_again(self, scope: Scope, conversation_id: str, ask: Ask) -> Ask:
        """Return the question so that it takes up the run that was left with the same question, if there is one."""
        if ask.opening or ask.mode not in {"auto", "edit"}:
            return ask
        left = await self._left.asked_again(scope, conversation_id, ask.text, ask.file_ids)
        if left is None:
            return ask
        return replace(ask, mode="edit", file_ids=ask.file_ids or left.run.file_ids, opening=left.opening())

    async def _message(
        self, scope: Scope, run_id: str, said: str, at: datetime, file_ids: Sequence[str]
    ) -> ConversationMessage:
        run = await self.get(scope, run_id)
        return ConversationMessage(
            id=self._ids.new(),
            conversation_id=run.conversation_id,
            ordinal=0,
            author="user",
            text=said,
            created_at=at,
            file_ids=tuple(dict.fromkeys(file_ids)),
        )

    async def _check(self, scope: Scope, run_id: str, request_id: str, answer: RequestAnswer) -> None:
        if answer.plan is None:
            return
        for request in await self._store.log.requests(scope, run_id):
            if request.id == request_id and request.answered_at is None:
                await self.check_edits(scope, await self.get(scope, run_id), request.subject_kind, answer)

    def _run(self, conversation: Conversation, question: str, ask: Ask, model: str) -> Run:
        now = self._clock.now()
        kind = self._kinds.of(ask.agent, ask.mode)
        return Run(
            id=ask.run_id or self._ids.new(),
            conversation_id=conversation.id,
            question=question,
            language=ask.language or language_of(question, conversation.language),
            mode=ask.mode,
            approvals=ask.approvals,
            model=model,
            file_ids=tuple(dict.fromkeys(ask.file_ids)),
            limits=ask.limits or kind.limits,
            deliver=ask.deliver,
            guard=ask.guard,
            agent=ask.agent,
            workflow_id=ask.workflow_id,
            takeover=kind.takeover,
            state="running",
            attempt=1,
            last_seq=0,
            created_at=now,
            owner_instance=self._leases.instance_id,
            lease_until=now + LEASE,
        )

    async def _begin(self, scope: Scope, run: Run, ask: Ask) -> None:
        first, title = self._first(run, ask), title_of(words_of(run))
        await self._store.runs.begin(scope, run, first, title=title, instead_of=ask.instead_of, follows=ask.follows)
        if ask.instead_of is not None:
            self._bus.wake(ask.instead_of)
        self._engine.start(scope, run, ask.prepare)

    def _first(self, run: Run, ask: Ask) -> Batch:
        message = ConversationMessage(
            id=self._ids.new(),
            conversation_id=run.conversation_id,
            ordinal=0,
            author="user",
            text=words_of(run),
            created_at=run.created_at,
            run_id=run.id,
            file_ids=run.file_ids,
        )
        started = RunStarted(conversation_id=run.conversation_id, question=run.question, model=run.model, mode=run.mode)
        added = MessageAdded(message_id=message.id, author="user", text=message.text)
        return Batch(
            run_id=run.id,
            attempt=run.attempt,
            events=tuple(Stamped(at=run.created_at, body=body) for body in (started, added, *ask.told)),
            transcript=tuple(TranscriptEntry(message=one) for one in ask.opening),
            messages=(*self._earlier(run, ask), message),
        )

    def _earlier(self, run: Run, ask: Ask) -> tuple[ConversationMessage, ...]:
        return tuple(
            ConversationMessage(
                id=self._ids.new(),
                conversation_id=run.conversation_id,
                ordinal=0,
                author=turn.author,
                text=storable(turn.text),
                created_at=run.created_at,
            )
            for turn in ask.earlier
        )

    async def _at_rest(self, scope: Scope, run: Run) -> None:
        async for _ in self._bus.follow(scope, run.id, after=run.last_seq, until_rest=True):
            pass


def words_of(run: Run) -> str:
    """Return the question as people read it; a report may be asked for without one."""
    return run.question or text("structured.unasked", run.language)
