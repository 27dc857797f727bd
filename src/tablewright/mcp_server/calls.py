"""Calls that ask something: one run each, in its own conversation, reported as it proceeds, stopped with the call."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal, Protocol

from fastmcp.exceptions import ToolError

from tablewright.domain.answer import Answer
from tablewright.domain.answer_note import with_note
from tablewright.domain.dataset import StoredFile
from tablewright.domain.events import PlanProposed, StepAnnounced
from tablewright.domain.language import Language, language_of
from tablewright.domain.run import Run
from tablewright.errors import QuestionMissing
from tablewright.mcp_server.translate import RunSeen
from tablewright.sandbox.base import LeaseScope
from tablewright.service.app import App
from tablewright.service.files.sources import Caller
from tablewright.service.runs.runs import Ask
from tablewright.texts.catalogue import text
from tablewright.texts.errors import error_text

STOP_S = 8.0
TABLES_ALONE = frozenset({"json", "parquet"})
"""Kinds of files that the workbook editor cannot open."""


class CallObserver(Protocol):
    """Reports progress to the client of a call."""

    async def step(self, name: str) -> None:
        """Report that a key step begins."""
        ...

    async def progress(self, moves: int, message: str) -> None:
        """Report progress: `moves` only increases, and its final value is unknown."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CallQuestion:
    """The question or instruction of a call, and the places of its tables.

    `deliver` names the file in which to leave the result. In mode `edit`, a copy of the single table is changed.
    `again`: the client has already been told of the preparations.
    """

    question: str
    places: Sequence[str]
    deliver: str | None = None
    guard: bool = True
    mode: Literal["analyze", "edit"] = "analyze"
    again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOutcome:
    """A run that has ended."""

    run_id: str
    conversation_id: str
    file_ids: tuple[str, ...]
    language: Language
    seen: RunSeen


async def ask(app: App, caller: Caller, asked: CallQuestion, teller: CallObserver, language: Language) -> CallOutcome:
    """Run the question to its end. Cancelling this stops the run, including the model, code and tools."""
    if not asked.question.strip():
        raise QuestionMissing(field="question")
    language = language_of(asked.question, language)
    if not asked.again:
        await teller.step(text("mcp.step_environment", language))
    await app.sandbox.ready()
    conversation = await app.conversations.create(caller.scope, language=language)
    files = await _kept(app, caller, asked, conversation.id)
    if not asked.again:
        await teller.step(text("mcp.step_loaded", language))
    question = Ask(
        text=asked.question,
        file_ids=tuple(file.id for file in files),
        mode=asked.mode,
        approvals="auto",
        language=language,
        deliver=asked.deliver,
        guard=asked.guard,
    )
    with app.sessions.single(conversation.id):
        starting = asyncio.ensure_future(app.runs.start(caller.scope, conversation.id, question))
        try:
            run = await asyncio.shield(starting)
            seen = await _followed(app, caller, run, teller)
        except BaseException:
            await _stopped(app, caller, starting)
            raise
    return CallOutcome(
        run_id=run.id, conversation_id=conversation.id, file_ids=question.file_ids, language=language, seen=seen
    )


async def _kept(app: App, caller: Caller, asked: CallQuestion, conversation_id: str) -> list[StoredFile]:
    """Return the tables as stored files, noting which of them were added for this call."""
    await app.calls.note(caller.scope, conversation_id)
    files: list[StoredFile] = []
    brought: list[str] = []
    try:
        for place in asked.places:
            kept = await app.sources.keep(caller, place, conversation_id, copied=asked.mode == "edit")
            brought += [kept.file.id] if kept.brought else []
            files.append(kept.file)
            if asked.mode == "edit" and kept.file.kind in TABLES_ALONE:
                files[-1] = await _as_workbook(app, caller, kept.file, conversation_id)
                brought.append(files[-1].id)
    finally:
        await app.calls.note(caller.scope, conversation_id, brought)
    return files


async def _as_workbook(app: App, caller: Caller, file: StoredFile, conversation_id: str) -> StoredFile:
    """Convert the table of a file to a workbook and return it as a stored file."""
    opened, name = await app.files.open(caller.scope, file.id), f"{PurePath(file.name).stem}.xlsx"
    source = f"table{PurePath(file.name).suffix}"
    lease = LeaseScope(run_id=conversation_id, scope="workbook")
    content = app.table_writer.written(opened.content, lease, name="table.xlsx", source=source)
    return await app.files.upload(caller.scope, name=name, content=content, conversation_id=conversation_id)


async def _followed(app: App, caller: Caller, run: Run, teller: CallObserver) -> RunSeen:
    seen, unnamed = RunSeen(), text("agent.step_unnamed", run.language)
    async with aclosing(app.runs.follow(caller.scope, run.id)) as events:  # type: ignore[type-var]  # a generator
        async for event in events:
            if event.run_id != run.id:
                continue  # a child's: its results are told by the run itself
            moves = seen.moves
            seen.take(event.body)
            if isinstance(event.body, PlanProposed):
                for step in event.body.plan.steps:
                    await teller.step(step.description or step.function)
            name = seen.name_of(event.body)
            named = name if name != unnamed else ""
            if named and isinstance(event.body, StepAnnounced):
                await teller.step(named)
            if seen.moves != moves:
                await teller.progress(seen.moves, named)
    return seen


async def _stopped(app: App, caller: Caller, starting: asyncio.Future[Run]) -> None:
    """Stop the run, within a bounded time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(STOP_S):
            await asyncio.wait((starting,))
            if not starting.cancelled() and starting.exception() is None:
                await app.runs.cancel(caller.scope, starting.result().id)


def answered(ended: CallOutcome) -> Answer:
    """Return the run's answer. Raises `ToolError` with the reason if there is none."""
    seen = ended.seen
    if seen.answer is not None and seen.outcome in {"completed", "declined"}:
        return seen.answer
    if seen.failure is not None:
        raise ToolError(error_text(seen.failure.code, ended.language, seen.failure.params))
    if seen.answer is not None and seen.outcome == "failed":
        raise ToolError(with_note(seen.answer, ended.language))
    if seen.question is not None:
        raise ToolError(text("mcp.question", ended.language, question=seen.question))
    raise ToolError(text("mcp.stopped", ended.language))
