"""The logs of runs in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import case, func
from sqlalchemy.ext.asyncio import AsyncConnection

from tablewright.domain.codec import from_json
from tablewright.domain.conversation import ConversationMessage
from tablewright.domain.events import Event, RequestAnswered
from tablewright.domain.message import Message, TranscriptEntry
from tablewright.domain.run import OpenRequest, RequestAnswer
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import NotFound
from tablewright.store.base import Batch, Fenced, Stamped
from tablewright.store.bodies import Bodies, StoredBody
from tablewright.store.codec import encode, encode_body
from tablewright.store.rules import answered, micros
from tablewright.store.sql import tables
from tablewright.store.sql.compacting import compact
from tablewright.store.sql.database import Database
from tablewright.store.sql.files import LOG_OF, add_refs, link, require_conversation, require_files
from tablewright.store.sql.notices import tell
from tablewright.store.sql.rows import RunInputs, end_values, event_of, message_values, request_of, request_values
from tablewright.store.sql.scoping import scoped

RUNS = tables.runs.c
EVENTS = tables.events.c
TRANSCRIPT = tables.transcript.c
REQUESTS = tables.requests.c
UNTAKEN = REQUESTS.answered_at.is_not(None) & REQUESTS.taken.is_(False)


class SqlLog:
    """Implements `RunLog`."""

    def __init__(self, database: Database, bodies: Bodies) -> None:
        self._database = database
        self._bodies = bodies

    async def append(self, scope: Scope, batch: Batch) -> int:
        written = await self._bodies.write(scope, batch.events)
        async with self._database.write() as connection:
            return await write(connection, scope, batch, written)

    async def events(
        self, scope: Scope, run_id: str, *, after: int = 0, limit: int = 1000, types: Sequence[str] = ()
    ) -> tuple[Event, ...]:
        statement = (
            scoped(tables.events, scope)
            .select(EVENTS.run_id, EVENTS.seq, EVENTS.at, EVENTS.body, EVENTS.from_seq)
            .where(EVENTS.run_id == run_id, EVENTS.seq > after)
            .order_by(EVENTS.seq)
            .limit(limit)
        )
        if types:
            statement = statement.where(EVENTS.type.in_(types))
        async with self._database.read() as connection:
            await require_run(connection, scope, run_id)
            rows = (await connection.execute(statement)).all()
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
        async with self._database.read() as connection:
            await require_run(connection, scope, run_id)
            kept = (await connection.execute(statement)).scalars().all()
        return tuple(from_json(Message, text) for text in kept)

    async def requests(self, scope: Scope, run_id: str) -> tuple[OpenRequest, ...]:
        async with self._database.read() as connection:
            await require_run(connection, scope, run_id)
            return await _requests(connection, scope, run_id)

    async def answer(
        self, scope: Scope, run_id: str, request_id: str, answer: RequestAnswer, *, at: datetime
    ) -> OpenRequest:
        async with self._database.write() as connection:
            run = await require_run(connection, scope, run_id, lock=True)
            asked = await _requests(connection, scope, run_id)
            request = next((request for request in asked if request.id == request_id), None)
            if request is None:
                raise NotFound(kind="request", id=request_id)
            stored = answered(request, answer, run.state, at=at, by=scope.owner)
            if stored is None:
                return request
            update = scoped(tables.requests, scope).update().values(**request_values(stored))
            await connection.execute(update.where(REQUESTS.run_id == run_id, REQUESTS.id == request_id))
            event = Stamped(at=at, body=RequestAnswered(request_id=request_id, answer=answer))
            await write(connection, scope, Batch(run_id=run_id, attempt=run.attempt, events=(event,)))
            return stored

    async def take_answers(self, scope: Scope, run_id: str, *, attempt: int) -> tuple[OpenRequest, ...]:
        of_run = REQUESTS.run_id == run_id
        async with self._database.write() as connection:
            await require_attempt(connection, scope, run_id, attempt)
            news = await _requests(connection, scope, run_id, UNTAKEN)
            if news:
                take = scoped(tables.requests, scope).update().values(taken=True)
                await connection.execute(take.where(of_run, REQUESTS.id.in_([request.id for request in news])))
            return news


async def require_run(connection: AsyncConnection, scope: Scope, run_id: str, *, lock: bool = False) -> Any:
    """Return the run's `state`, `attempt` and `last_seq`, or raise `NotFound`. `lock` keeps others from writing."""
    statement = scoped(tables.runs, scope).select(RUNS.state, RUNS.attempt, RUNS.last_seq).where(RUNS.id == run_id)
    row = (await connection.execute(statement.with_for_update() if lock else statement)).one_or_none()
    if row is None:
        raise NotFound(kind="run", id=run_id)
    return row


async def require_attempt(connection: AsyncConnection, scope: Scope, run_id: str, attempt: int) -> None:
    """Lock the run for this attempt, or raise `Fenced`."""
    run = await require_run(connection, scope, run_id, lock=True)
    if run.attempt != attempt or run.state == "finished":
        raise Fenced(run_id=run_id, attempt=attempt)


async def write(
    connection: AsyncConnection, scope: Scope, batch: Batch, bodies: Sequence[StoredBody] | None = None
) -> int:
    """Write `batch` within a transaction.

    `bodies` are the stored forms of its events' bodies; without them, bodies are stored in their rows. The conversation
    is locked before the run, in the same order as in `begin`.
    """
    if batch.file_ids:
        await _name_files(connection, scope, batch.run_id, batch.file_ids)
    if batch.messages:
        await _add_messages(connection, scope, batch.messages)
    values: dict[str, Any] = {"last_seq": RUNS.last_seq + len(batch.events)}
    if batch.end is not None:
        values |= end_values(batch.end)
    mine = scoped(tables.runs, scope)
    allowed = (RUNS.id == batch.run_id) & (RUNS.attempt == batch.attempt) & (RUNS.state != "finished")
    written = await connection.execute(mine.update().where(allowed).values(**values).returning(RUNS.last_seq))
    last: int | None = written.scalar_one_or_none()
    if last is None:
        await require_run(connection, scope, batch.run_id)
        raise Fenced(run_id=batch.run_id, attempt=batch.attempt)
    if bodies is None:
        bodies = [StoredBody(text=encode_body(event.body)) for event in batch.events]
    await _add_events(connection, scope, batch, last, bodies)
    await _add_transcript(connection, scope, batch.run_id, batch.transcript)
    await _add_requests(connection, scope, batch.run_id, batch.requests)
    await tell(connection, batch.run_id)
    return last


async def _add_events(
    connection: AsyncConnection, scope: Scope, batch: Batch, last: int, bodies: Sequence[StoredBody]
) -> None:
    mine = scoped(tables.events, scope)
    places = range(last - len(batch.events) + 1, last + 1)
    rows = [
        mine.row(run_id=batch.run_id, seq=seq, at=micros(event.at), type=event.body.type, body=body.text)
        for seq, event, body in zip(places, batch.events, bodies, strict=True)
    ]
    if rows:
        await connection.execute(mine.insert(), rows)
    if refs := [body.ref for body in bodies if body.ref is not None]:
        await add_refs(connection, scope, LOG_OF, batch.run_id, refs)


async def _add_transcript(
    connection: AsyncConnection, scope: Scope, run_id: str, entries: Sequence[TranscriptEntry]
) -> None:
    if not entries:
        return
    mine = scoped(tables.transcript, scope)
    last = mine.select(func.max(TRANSCRIPT.place)).where(TRANSCRIPT.run_id == run_id)
    first = ((await connection.execute(last)).scalar() or 0) + 1
    rows = [
        mine.row(run_id=run_id, place=place, scope=entry.scope, message=encode(Message, entry.message))
        for place, entry in enumerate(entries, start=first)
    ]
    await connection.execute(mine.insert(), rows)


async def _add_requests(
    connection: AsyncConnection, scope: Scope, run_id: str, requests: Sequence[OpenRequest]
) -> None:
    if not requests:
        return
    mine = scoped(tables.requests, scope)
    known = {request.id for request in await _requests(connection, scope, run_id)}
    fresh = [request for request in requests if request.id not in known]
    rows = [
        mine.row(**request_values(request), place=place, taken=False)
        for place, request in enumerate(fresh, start=len(known) + 1)
    ]
    if rows:
        await connection.execute(mine.insert(), rows)


async def _add_messages(connection: AsyncConnection, scope: Scope, messages: Sequence[ConversationMessage]) -> None:
    """Append messages to one conversation, which also moves it to the top."""
    columns = tables.conversations.c
    conversation_id = messages[0].conversation_id
    at = max(micros(message.created_at) for message in messages)
    latest = case((columns.updated_at < at, at), else_=columns.updated_at)
    moved = scoped(tables.conversations, scope).update().where(columns.id == conversation_id)
    if not (await connection.execute(moved.values(updated_at=latest))).rowcount:
        raise NotFound(kind="conversation", id=conversation_id)
    mine = scoped(tables.messages, scope)
    of_conversation = tables.messages.c.conversation_id == conversation_id
    last = await connection.execute(mine.select(func.max(tables.messages.c.ordinal)).where(of_conversation))
    rows = [
        mine.row(**message_values(message, ordinal))
        for ordinal, message in enumerate(messages, start=(last.scalar() or 0) + 1)
    ]
    await connection.execute(mine.insert(), rows)


async def _name_files(connection: AsyncConnection, scope: Scope, run_id: str, file_ids: tuple[str, ...]) -> None:
    """Make the files those of a run and of its question, and link them to its conversation, which is locked."""
    found = scoped(tables.runs, scope).select(RUNS.conversation_id, RUNS.given).where(RUNS.id == run_id)
    run = (await connection.execute(found)).one_or_none()
    if run is None:
        raise NotFound(kind="run", id=run_id)
    await require_conversation(connection, scope, run.conversation_id, lock=True)
    await require_files(connection, scope, file_ids)
    await link(connection, scope, run.conversation_id, file_ids)
    given = replace(from_json(RunInputs, run.given), file_ids=file_ids)
    named = scoped(tables.runs, scope).update().where(RUNS.id == run_id)
    await connection.execute(named.values(given=encode(RunInputs, given)))
    question = (tables.messages.c.run_id == run_id) & (tables.messages.c.author == "user")
    asked = scoped(tables.messages, scope).update().where(question)
    await connection.execute(asked.values(file_ids=encode(tuple[str, ...], file_ids)))


async def _requests(
    connection: AsyncConnection, scope: Scope, run_id: str, *conditions: Any
) -> tuple[OpenRequest, ...]:
    statement = scoped(tables.requests, scope).select(REQUESTS.body).where(REQUESTS.run_id == run_id, *conditions)
    return tuple(request_of(row) for row in await connection.execute(statement.order_by(REQUESTS.place)))
