"""One activation of a run: the agent iterates until it has answered or needs a person to continue."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import Literal

from tablewright.agent.base import AgentContext, AgentInput, Late, RunWorkbook
from tablewright.data.sql.base import SourceFile
from tablewright.domain.answer import Answer
from tablewright.domain.events import (
    AnswerCompleted,
    ApprovalRequested,
    ContinueAsked,
    Event,
    EventBody,
    QuestionAsked,
    RequestAnswered,
    UsageReported,
    WarningRaised,
)
from tablewright.domain.inbox import AnswerGiven, InboxItem
from tablewright.domain.message import TranscriptEntry
from tablewright.domain.note import told_notes
from tablewright.domain.run import OpenRequest, RequestAnswer, Run
from tablewright.domain.scope import Scope
from tablewright.domain.vocabulary import plain, words_of
from tablewright.errors import RunLimit, StepExhausted
from tablewright.models.streams import closing
from tablewright.service.databases.connections import RunDatabases
from tablewright.service.files.conversation_files import ConversationFiles
from tablewright.service.files.files import RunArtifacts
from tablewright.service.history import events_of
from tablewright.service.notes import RunNotes
from tablewright.service.runs.alarms import EXPIRED, RunAlarms
from tablewright.service.runs.children import RunChildren
from tablewright.service.runs.inbox import RunInbox
from tablewright.service.runs.inputs import history_of, plan_before, related, superseded_places, tables_of
from tablewright.service.runs.parts import EngineParts, Launcher
from tablewright.service.runs.preparation import Preparation, Prepared
from tablewright.service.runs.recorder import Recorder
from tablewright.service.sessions.sessions import RunSandbox
from tablewright.store.run_store import Batch, Stamped

AsksSomebody = ApprovalRequested | QuestionAsked | ContinueAsked
_KINDS: dict[type[AsksSomebody], Literal["approval", "question", "continue"]] = {
    ApprovalRequested: "approval",
    QuestionAsked: "question",
    ContinueAsked: "continue",
}
POLICY = "policy"
"""`answered_by` of requests answered automatically because nobody is watching."""


class Unattended(Exception):
    """A question without a default was asked and there is nobody to answer it."""


class EndedSilently(Exception):
    """The agent ended with neither an answer nor a question, which is a bug in the agent."""


class Activation:
    """One activation of the agent on a run.

    `answer` is the answer given so far, `asks` whether a person has been asked, and `late` what the agent could no
    longer report when it was stopped.
    """

    def __init__(
        self,
        parts: EngineParts,
        scope: Scope,
        run: Run,
        recorder: Recorder,
        launcher: Launcher,
        prepare: Preparation | None = None,
    ) -> None:
        self._parts = parts
        self._launcher = launcher
        self._scope = scope
        self._run = run
        self._recorder = recorder
        self._tokens = run.tokens
        self._inbox = RunInbox(parts.store, parts.bus, scope, run)
        self._alarms = RunAlarms(parts, scope, run, recorder)
        self._prepare = prepare
        self._run_workbook: RunWorkbook | None = None
        self._older: frozenset[str] = frozenset()
        self._iterated = False
        self.answer: Answer | None = None
        self.late: list[Late] = []
        self.asks = False

    async def work(self) -> Literal["answered", "waiting"]:
        """Prepare the run, then iterate the agent until it has answered or waits for a person.

        Raises what the preparation, the agent or writing the log raises, `RunLimit` for tokens, `Unattended`, or
        `EndedSilently`.
        """
        if self._prepare is not None:
            await self._take_prepared(await self._prepare())
        try:
            return await self._iterations()
        finally:
            await self._alarms.close()

    async def _iterations(self) -> Literal["answered", "waiting"]:
        await self._alarms.take_up()
        news = await self._inbox.taken()
        while True:
            self._alarms.reset()
            await self._iterate(news)
            await self._recorder.flush()
            if self.answer is not None:
                return "answered"
            news = await self._inbox.left()
            if not news and await self._rests():
                return "waiting"
            news = news or await self._inbox.taken()
            if not news:
                raise EndedSilently(self._run.id)

    async def _rests(self) -> bool:
        """Let the run wait for an answer, a child or a time, unless something has reached it meanwhile."""
        store, scope, run = self._parts.store, self._scope, self._run
        asked = await store.log.requests(scope, run.id)
        wake_at = self._alarms.wake_at(asked)
        waits = wake_at is not None or any(request.answered_at is None for request in asked)
        waits = waits or any(child.state != "finished" for child in await store.runs.children(scope, run.id))
        now = self._parts.clock.now()
        return waits and await store.runs.rest(scope, run.id, attempt=run.attempt, at=now, wake_at=wake_at)

    async def _take_prepared(self, prepared: Prepared) -> None:
        """Store what the run is about before anything is done with it."""
        now = self._parts.clock.now()
        warnings = [WarningRaised(code=notice.code, params=dict(notice.params)) for notice in prepared.warnings]
        batch = Batch(
            run_id=self._run.id,
            attempt=self._run.attempt,
            top_id=self._run.top_id,
            file_ids=prepared.file_ids,
            events=tuple(Stamped(at=now, body=warning) for warning in warnings),
        )
        await self._parts.bus.append(self._scope, batch)
        self._run = replace(self._run, file_ids=prepared.file_ids or self._run.file_ids)

    async def _iterate(self, news: tuple[InboxItem, ...]) -> None:
        agent = self._parts.agents(self._run)
        given = await self._given(news)
        self._iterated = True
        sandbox = self._parts.sessions.of_run(self._scope, self._run, self._recorder.add)
        databases = self._databases(given)
        keep = True
        try:
            async with closing(agent.run(given, self._context(sandbox, databases))) as items:
                async for item in items:
                    await self._take(item)
            keep = self.answer is not None
        except StepExhausted:
            keep = False  # do not carry over what exhausted the memory
            raise
        finally:
            await sandbox.settle(keep=keep)
            if databases is not None:
                await databases.close()

    def _databases(self, given: AgentInput) -> RunDatabases | None:
        """Return what the run's tools may query; its files are read with the first query of them."""
        if self._parts.databases is None:
            return None
        read = [each for each in given.inputs if each.name not in self._older]
        files = [SourceFile(path=each.path, name=each.name) for each in read]
        return self._parts.databases(self._scope, files)

    async def _given(self, news: tuple[InboxItem, ...]) -> AgentInput:
        parts, run = self._parts, self._run
        if parts.files is not None:
            needed = run.mode != "edit"  # an edit does not need a table
            linked = await parts.files.profile_linked(self._scope, run.conversation_id, run.file_ids, needed=needed)
        else:
            linked = await parts.store.files.linked(self._scope, run.conversation_id)
        if parts.run_workbooks is not None:
            self._run_workbook = await parts.run_workbooks.of(self._scope, run)
        tables, inputs = await tables_of(parts.store, parts.blobs, self._scope, run, linked)
        self._older = await superseded_places(parts.store, self._scope, run, linked)
        known = await parts.store.vocabulary.words(self._scope) if tables else ()  # words are of tables
        datasets, relations = await related(
            parts.blobs, self._scope, [replace(table, words=words_of(known)) for table in tables]
        )
        preferred = await parts.store.vocabulary.chosen(self._scope, plain(run.question)) if tables else None
        # None of these needs another: where the machine is busy, each is a wait of its own.
        history, transcript, answered, log, notes, earlier_plan = await asyncio.gather(
            history_of(parts.store, self._scope, run),
            parts.store.log.transcript(self._scope, run.id),
            self._answered(news),
            self._log(),
            parts.store.notes.all(self._scope),
            plan_before(parts.store, self._scope, run),
        )
        return AgentInput(
            run_id=run.id,
            question=run.question,
            language=run.language,
            datasets=datasets,
            inputs=inputs,
            missing=tuple(file_id for file_id in run.file_ids if all(file.id != file_id for file in linked)),
            relations=relations,
            preferred=preferred,
            history=history,
            transcript=transcript,
            answered=answered,
            news=news,
            log=log,
            worked_s=run.worked_s,
            notes=told_notes(notes),
            earlier_plan=earlier_plan,
            asked_at=run.created_at,
            limits=run.limits,
            approvals=run.approvals,
            deliver=run.deliver,
            guard=run.guard,
        )

    async def _answered(self, news: tuple[InboxItem, ...]) -> tuple[OpenRequest, ...]:
        """Return the requests whose answers are among the news."""
        ids = {item.request_id for item in news if isinstance(item, AnswerGiven)}
        if not ids:
            return ()
        asked = await self._parts.store.log.requests(self._scope, self._run.id)
        return tuple(request for request in asked if request.id in ids)

    async def _log(self) -> tuple[Event, ...]:
        """Return what a run that can be taken over has written before this iteration."""
        run = self._run
        if not run.takeover or (run.attempt == 1 and not self._iterated):
            return ()
        return tuple(await events_of(self._parts.store, self._scope, run.id))

    def _context(self, sandbox: RunSandbox, databases: RunDatabases | None) -> AgentContext:
        parts, run = self._parts, self._run
        artifacts = RunArtifacts(
            parts.store, parts.blobs, parts.ids, self._scope, run_id=run.id, conversation_id=run.conversation_id
        )
        return AgentContext(
            model=parts.models.get(run.model),
            sandbox=sandbox,
            artifacts=artifacts,
            clock=parts.clock,
            ids=parts.ids,
            late=self.late.append,
            workbook=self._run_workbook,
            files=self._files(),
            stored=self._recorder.flush,
            inbox=self._inbox,
            wake=self._alarms.wake,
            withdraw=self._alarms.withdraw,
            databases=databases,
            notes=RunNotes(parts.store, parts.clock, self._scope, run),
            workflows=None if parts.workflows is None else partial(parts.workflows, self._scope),
            children=RunChildren(parts, self._scope, run, self._launcher, give_up=sandbox.give_up),
        )

    def _files(self) -> ConversationFiles | None:
        parts = self._parts
        if parts.readers is None:
            return None
        return ConversationFiles(parts.store, parts.blobs, parts.readers, self._scope, self._run.conversation_id)

    async def _take(self, item: EventBody | TranscriptEntry) -> None:
        match item:
            case ApprovalRequested() | QuestionAsked() | ContinueAsked():
                await self._ask(item)
            case AnswerCompleted(answer=answer):
                await self._recorder.add(item)
                self.answer = answer
            case UsageReported():
                await self._recorder.add(item)
                self._count(item)
            case _:
                await self._recorder.add(item)

    async def _ask(self, body: AsksSomebody) -> None:
        request = self._request(body)
        if self._run.approvals == "ask":
            self.asks = True
            await self._recorder.add(body, request)
            self._alarms.watch(request)
            return
        answer = unattended_answer(request)
        if answer is None:
            warning = WarningRaised(code="question_unattended", params={"question": body.prompt})
            await self._recorder.add(body, request, warning)
            raise Unattended(body.prompt)
        answered = replace(request, answer=answer, answered_at=request.created_at, answered_by=POLICY)
        await self._recorder.add(body, answered, RequestAnswered(request_id=request.id, answer=answer))

    def _request(self, body: AsksSomebody) -> OpenRequest:
        return OpenRequest(
            id=body.request_id,
            run_id=self._run.id,
            kind=_KINDS[type(body)],
            prompt=body.prompt,
            created_at=self._parts.clock.now(),
            subject_kind=body.subject_kind,
            subject_ref=body.subject_ref,
            schema=body.schema,
            options=body.options,
            default=body.default,
            expires_at=body.expires_at,
        )

    def _count(self, usage: UsageReported) -> None:
        self._tokens += usage.input_tokens + usage.output_tokens
        if self._tokens > self._run.limits.tokens:
            raise RunLimit(limit="tokens", value=self._run.limits.tokens)


def unattended_answer(request: OpenRequest) -> RequestAnswer | None:
    """Return the automatic answer to a request, or None.

    Approvals are granted, questions get their default; those without one that may expire do so at once.
    """
    if request.kind != "question":
        return RequestAnswer(decision="approve")
    if request.default is not None:
        return RequestAnswer(decision="answer", text=request.default)
    return None if request.expires_at is None else EXPIRED
