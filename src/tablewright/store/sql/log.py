"""The logs of runs in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from tablewright.domain.codec import from_json
from tablewright.domain.conversation import ConversationMessage
from tablewright.domain.events import Event, PlanEdited, RequestAnswered
from tablewright.domain.inbox import AnswerGiven, InboxEntry, InboxItem
from tablewright.domain.message import Message
from tablewright.domain.run import OpenRequest, RequestAnswer
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import Conflict, NotFound
from tablewright.store.bodies import Bodies
from tablewright.store.rules import answered
from tablewright.store.run_store import Batch, Stamped
from tablewright.store.sql import tables
from tablewright.store.sql.compacting import compact
from tablewright.store.sql.database import Database
from tablewright.store.sql.files import link, require_conversation, require_files
from tablewright.store.sql.grouping import GroupedAppends, groupable
from tablewright.store.sql.inbox import has_news, post, take
from tablewright.store.sql.notices import tell
from tablewright.store.sql.rows import event_of, request_values
from tablewright.store.sql.scoping import scoped
from tablewright.store.sql.streams import stream_statement
from tablewright.store.sql.trees import ids_below
from tablewright.store.sql.writing import requests_of, require_attempt, require_run, write

TRANSCRIPT = tables.transcript.c
REQUESTS = tables.requests.c


class SqlLog:
    """Implements `RunLog`."""

    def __init__(self, database: Database, bodies: Bodies) -> None:
        self._database = database
        self._bodies = bodies
        self._groups = GroupedAppends(database)

    async def append(self, scope: Scope, batch: Batch) -> int:
        written = await self._bodies.write(scope, batch.events)
        if groupable(batch, written):
            return await self._groups.append(scope, batch, written)
        return await self._database.write_at_once(lambda connection: write(connection, scope, batch, written))

    async def events(
        self,
        scope: Scope,
        run_id: str,
        *,
        after: int = 0,
        limit: int = 1000,
        types: Sequence[str] = (),
        own: bool = False,
    ) -> tuple[Event, ...]:
        async def found(connection: AsyncConnection) -> Sequence[Any]:
            run = await require_run(connection, scope, run_id)
            whole = run.top_id is None and not own
            statement = stream_statement(scope, run_id, after=after, limit=limit, types=types, whole=whole)
            rows: Sequence[Any] = (await connection.execute(statement)).all()
            return rows

        rows = await self._database.read_at_once(found)
        return tuple([event_of(row, await self._bodies.read(scope, row.body)) for row in rows])

    async def compact(self, scope: SystemScope, *, before: datetime, limit: int = 100) -> int:
        return await compact(self._database, scope, before=before, limit=limit)

    async def transcript(self, scope: Scope, run_id: str, transcript_scope: str = "main") -> tuple[Message, ...]:
        statement = (
            scoped(tables.transcript, scope)
            .select(TRANSCRIPT.message)
            .where(TRANSCRIPT.run_id == run_id, TRANSCRIPT.scope == transcript_scope)
            .order_by(TRANSCRIPT.place)
        )

        async def found(connection: AsyncConnection) -> Sequence[str]:
            await require_run(connection, scope, run_id)
            messages: Sequence[str] = (await connection.execute(statement)).scalars().all()
            return messages

        kept = await self._database.read_at_once(found)
        return tuple(from_json(Message, text) for text in kept)

    async def requests(self, scope: Scope, run_id: str) -> tuple[OpenRequest, ...]:
        async def found(connection: AsyncConnection) -> tuple[OpenRequest, ...]:
            await require_run(connection, scope, run_id)
            return await requests_of(connection, scope, (run_id, *await ids_below(connection, scope, run_id)))

        return await self._database.read_at_once(found)

    async def answer(
        self,
        scope: Scope,
        run_id: str,
        request_id: str,
        answer: RequestAnswer,
        *,
        at: datetime,
        message: ConversationMessage | None = None,
    ) -> OpenRequest:
        async with self._database.write() as connection:
            request = await self._asked(connection, scope, run_id, request_id)
            if message is not None:  # conversations are locked before their runs
                await require_conversation(connection, scope, message.conversation_id, lock=True)
                await require_files(connection, scope, message.file_ids)
            run = await _locked(connection, scope, request.run_id)
            (request,) = await requests_of(connection, scope, (request.run_id,), REQUESTS.id == request_id)
            stored = answered(request, answer, run.state, at=at, by=scope.owner)
            if stored is None:
                return request
            update = scoped(tables.requests, scope).update().values(**request_values(stored))
            await connection.execute(update.where(REQUESTS.run_id == request.run_id, REQUESTS.id == request_id))
            event = Stamped(at=at, body=RequestAnswered(request_id=request_id, answer=answer))
            messages = () if message is None else (message,)
            if message is not None and message.file_ids:
                await link(connection, scope, message.conversation_id, message.file_ids)
            batch = Batch(
                run_id=request.run_id, attempt=run.attempt, top_id=run.top_id, events=(event,), messages=messages
            )
            await write(connection, scope, batch)
            given = AnswerGiven(request_id=request_id, answer=answer)
            await post(connection, scope, request.run_id, given, at=at)
            return stored

    async def _asked(self, connection: AsyncConnection, scope: Scope, run_id: str, request_id: str) -> OpenRequest:
        await require_run(connection, scope, run_id)
        run_ids = (run_id, *await ids_below(connection, scope, run_id))
        found = await requests_of(connection, scope, run_ids, REQUESTS.id == request_id)
        if not found:
            raise NotFound(kind="request", id=request_id)
        return found[0]

    async def post(self, scope: Scope, run_id: str, item: InboxItem, *, at: datetime) -> None:
        async def posted(connection: AsyncConnection) -> None:
            run = await _locked(connection, scope, run_id)
            if run.state == "finished":
                raise Conflict("run_finished")
            await post(connection, scope, run_id, item, at=at)
            if isinstance(item, PlanEdited):  # kept for the attempts after the one that takes it
                event = Stamped(at=at, body=item)
                batch = Batch(run_id=run_id, attempt=run.attempt, top_id=run.top_id, events=(event,))
                await write(connection, scope, batch)
            await tell(connection, run_id)

        await self._database.write_at_once(posted)

    async def take(self, scope: Scope, run_id: str, *, attempt: int) -> tuple[InboxEntry, ...]:
        async def news(connection: AsyncConnection) -> bool:
            await require_attempt(connection, scope, run_id, attempt)
            return await has_news(connection, scope, run_id)

        async def taken(connection: AsyncConnection) -> tuple[InboxEntry, ...]:
            await require_attempt(connection, scope, run_id, attempt, lock=True)
            return await take(connection, scope, run_id)

        # Most who look find nothing: only those who find something have to write.
        return await self._database.write_at_once(taken) if await self._database.read_at_once(news) else ()


async def _locked(connection: AsyncConnection, scope: Scope, run_id: str) -> Any:
    """Lock the top run and then the run, and return the row of the run."""
    run = await require_run(connection, scope, run_id)
    if run.top_id is not None:
        await require_run(connection, scope, run.top_id, lock=True)
    return await require_run(connection, scope, run_id, lock=True)
