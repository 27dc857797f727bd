"""A client of the service within the command's own process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tablewright.cli.clients.base import (
    CodeClient,
    Conversion,
    DatabaseClient,
    ExportKind,
    Question,
    WorkflowClient,
)
from tablewright.cli.clients.local_code import LocalCode
from tablewright.cli.clients.local_files import pieces
from tablewright.cli.clients.local_workflows import LocalWorkflows
from tablewright.cli.clients.notes import LocalNotes, NoteClient
from tablewright.cli.clients.routing import LocalRouting, RoutingClient
from tablewright.cli.clients.schedules import LocalSchedules, ScheduleClient
from tablewright.cli.clients.shares import LocalShares, ShareClient
from tablewright.cli.clients.waiting import QuestionClient, Questions, open_question
from tablewright.cli.clients.words import LocalWords, WordClient
from tablewright.data.sql.address import is_address
from tablewright.domain.connection import AttachedTables
from tablewright.domain.conversation import Conversation
from tablewright.domain.dataset import StoredFile
from tablewright.domain.events import Event
from tablewright.domain.language import Language
from tablewright.domain.plan_file import FittedPlan, PlanFile
from tablewright.domain.rounds.plan import PlanStep
from tablewright.domain.rounds.round import Round
from tablewright.domain.run import OpenRequest, RequestAnswer
from tablewright.domain.scope import Scope
from tablewright.errors import NotFound
from tablewright.service.app import App
from tablewright.service.databases.tables import Asked, attach
from tablewright.service.runs.runs import Ask

if TYPE_CHECKING:
    from tablewright.service.exports.reports import ReportKind

REPORT_KINDS: Mapping[str, ReportKind] = {
    "report.md": "md",
    "report.html": "html",
    "report.slides.html": "slides.html",
    "report.docx": "docx",
    "report.xlsx": "xlsx",
    "report.pdf": "pdf",
}


class InProcessClient:
    """Implements `Client` by calling the use cases directly. Who runs commands on the data folder could make an
    operator's key, and is one for what concerns all."""

    def __init__(self, app: App, scope: Scope | None = None, address: str = "") -> None:
        self._app = app
        self._scope = scope or Scope()
        self.databases: DatabaseClient = InProcessDatabases(app, self._scope)
        self.code: CodeClient = LocalCode(app.saved_code, self._scope)
        self.workflows: WorkflowClient = LocalWorkflows(app.workflows, self._scope)
        self.schedules: ScheduleClient = LocalSchedules(app.workflows, self._scope)
        self.routing: RoutingClient = LocalRouting(app.workflows, replace(self._scope, operator=True))
        self.words: WordClient = LocalWords(app.vocabulary, self._scope)
        self.notes: NoteClient = LocalNotes(app.notes, self._scope)
        self.shares: ShareClient = LocalShares(app.shares, self._scope, address)
        self.questions: QuestionClient = Questions(look=self._waiting)

    async def check_model(self, name: str | None) -> None:
        self._app.models.get(name or self._app.default_model)

    async def conversation(self, conversation_id: str) -> Conversation:
        return await self._app.conversations.get(self._scope, conversation_id)

    async def start_conversation(self, title: str, language: Language) -> Conversation:
        return await self._app.conversations.create(self._scope, title=title, language=language)

    async def upload(self, path: Path, conversation_id: str, *, tables_needed: bool = True) -> StoredFile:
        return await self._app.files.upload(
            self._scope,
            name=path.name,
            content=pieces(path),
            conversation_id=conversation_id,
            tables_needed=tables_needed,
        )

    async def files(self) -> tuple[StoredFile, ...]:
        found: list[StoredFile] = []
        cursor: str | None = None
        while True:
            page = await self._app.files.list(self._scope, limit=200, cursor=cursor)
            found.extend(page.items)
            if (cursor := page.next_cursor) is None:
                return tuple(found)

    async def delete_file(self, file_id: str) -> None:
        await self._app.files.delete(self._scope, file_id)

    async def download(self, file_id: str, conversion: Conversion | None = None) -> AsyncIterator[bytes]:
        if conversion is not None:
            kind, sheet, rows, guard = conversion.kind, conversion.sheet, conversion.rows, conversion.guard
            written = self._app.formats.written(self._scope, file_id, kind, sheet=sheet, rows=rows, guard=guard)
            async for piece in written:
                yield piece
            return
        opened = await self._app.files.open(self._scope, file_id)
        async for piece in opened.content:
            yield piece

    async def ask(self, conversation_id: str, question: Question) -> str:
        ask = Ask(
            text=question.text,
            file_ids=question.file_ids,
            model=question.model,
            approvals=question.approvals,
            mode=question.mode,
            language=question.language,
            agent=question.agent,
            opening=question.opening,
        )
        return (await self._app.runs.start(self._scope, conversation_id, ask)).id

    def follow(self, run_id: str) -> AsyncIterator[Event]:
        return self._app.runs.follow(self._scope, run_id)

    async def cancel(self, run_id: str) -> bool:
        return not (await self._app.runs.cancel(self._scope, run_id)).cancelling

    async def export(self, own_id: str, kind: ExportKind) -> bytes:
        try:
            return await self._exported(own_id, kind)
        except NotFound:
            return await self._exported(await self._last_run(own_id), kind)

    async def _exported(self, run_id: str, kind: ExportKind) -> bytes:
        exports = self._app.exports()
        match kind:
            case "export.ipynb":
                return (await exports.notebook(self._scope, run_id)).encode()
            case "export.py":
                return (await exports.script(self._scope, run_id)).encode()
            case "export.html":
                return (await exports.page(self._scope, run_id)).encode()
            case _:
                return await self._app.reports().written(self._scope, run_id, REPORT_KINDS[kind])

    async def _last_run(self, conversation_id: str) -> str:
        asked = await self._app.store.conversations.questions(self._scope, conversation_id)
        found = next((message.run_id for message in reversed(asked) if message.run_id), None)
        if found is None:
            raise NotFound(kind="run", id=conversation_id)
        return found

    async def plan_file(self, file_id: str, steps: Sequence[PlanStep], *, version: int, request: str) -> PlanFile:
        return await self._app.plan_files.make(self._scope, file_id, steps, version=version, request=request)

    async def fit(self, file_id: str, plan: PlanFile) -> FittedPlan:
        return await self._app.plan_files.fit(self._scope, file_id, plan)

    async def apply(self, file_id: str, plan: PlanFile, *, base_version: int) -> Round:
        return await self._app.plan_files.apply(self._scope, file_id, plan, base_version=base_version)

    async def _waiting(self, conversation_id: str) -> OpenRequest | None:
        try:
            run_id = await self._last_run(conversation_id)
        except NotFound:
            return None
        run = await self._app.runs.get(self._scope, run_id)
        asked = await self._app.runs.requests(self._scope, run_id) if run.state != "finished" else ()
        return open_question(asked)

    async def answer(self, run_id: str, request_id: str, answer: RequestAnswer) -> None:
        await self._app.runs.answer(self._scope, run_id, request_id, answer)


class InProcessDatabases:
    """Implements `DatabaseClient`: raw addresses are those of the person at this machine."""

    def __init__(self, app: App, scope: Scope) -> None:
        self._app = app
        self._scope = scope

    async def attach(self, database: str, question: str, conversation_id: str) -> AttachedTables:
        connections = self._app.connections
        if is_address(database):
            database = await asyncio.to_thread(connections.lend, self._scope, database)
        opened = await connections.open(self._scope, database)
        try:
            asked = Asked(connection=database, question=question, conversation_id=conversation_id)
            return await attach(self._app.files, self._scope, opened, asked)
        finally:
            await opened.close()

    async def known(self, name: str) -> bool:
        return name in {connection.name for connection in await self._app.connections.all(self._scope)}
