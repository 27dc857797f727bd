"""How a run's log is written in SQL: everything of a batch in one transaction.

Locks are taken from the top: the conversation, the top run, the parent, the run, what is below it. The events of a run
and of all below it are one stream, counted in the top run's `last_seq`; a child also counts its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from sqlalchemy import ColumnElement, case, func
from sqlalchemy.ext.asyncio import AsyncConnection

from tablewright.domain.codec import from_json
from tablewright.domain.conversation import ConversationMessage
from tablewright.domain.inbox import AnswerGiven, ChildFinished
from tablewright.domain.message import Message, TranscriptEntry
from tablewright.domain.run import OpenRequest
from tablewright.domain.scope import Scope
from tablewright.errors import NotFound
from tablewright.store.bodies import StoredBody
from tablewright.store.codec import encode, encode_body
from tablewright.store.rules import ending, micros, tokens_of
from tablewright.store.run_store import Batch, Fenced
from tablewright.store.sql import tables
from tablewright.store.sql.conversation_states import move_conversation
from tablewright.store.sql.files import LOG_OF, add_refs, link, require_conversation, require_files
from tablewright.store.sql.inbox import post
from tablewright.store.sql.notices import tell
from tablewright.store.sql.rows import RunInputs, end_values, message_values, request_of, request_values
from tablewright.store.sql.scoping import scoped
from tablewright.store.sql.trees import lock_runs, unfinished_below

RUNS = tables.runs.c
TRANSCRIPT = tables.transcript.c
REQUESTS = tables.requests.c
STATE = (RUNS.state, RUNS.attempt, RUNS.last_seq, RUNS.top_id)


async def require_run(connection: AsyncConnection, scope: Scope, run_id: str, *, lock: bool = False) -> Any:
    """Return the run's row without its contents, or raise `NotFound`. `lock` keeps others from writing."""
    statement = scoped(tables.runs, scope).select(*STATE).where(RUNS.id == run_id)
    row = (await connection.execute(statement.with_for_update() if lock else statement)).one_or_none()
    if row is None:
        raise NotFound(kind="run", id=run_id)
    return row


async def require_attempt(
    connection: AsyncConnection, scope: Scope, run_id: str, attempt: int, *, lock: bool = False
) -> None:
    """Raise `Fenced` if the run is no longer this attempt's. `lock` keeps others from writing."""
    run = await require_run(connection, scope, run_id, lock=lock)
    if run.attempt != attempt or run.state == "finished":
        raise Fenced(run_id=run_id, attempt=attempt)


async def write(
    connection: AsyncConnection, scope: Scope, batch: Batch, bodies: Sequence[StoredBody] | None = None
) -> int:
    """Write `batch` within a transaction and return the run's last `seq`.

    `bodies` are the stored forms of its events' bodies; without them, bodies are stored in their rows. The end of a run
    also ends the runs below it, and is told to its parent.
    """
    if batch.file_ids:
        await _name_files(connection, scope, batch.run_id, batch.file_ids)
    if batch.messages:
        await _add_messages(connection, scope, batch.messages)
    await move_conversation(connection, scope, batch)
    if batch.end is not None:
        await _lock_path(connection, scope, batch)
        for child in await unfinished_below(connection, scope, batch.run_id):
            await _write_one(connection, scope, ending(child, "cancelled", batch.end.finished_at))
    last = await _write_one(connection, scope, batch, bodies)
    if batch.end is not None and batch.top_id is not None:
        await _tell_parent(connection, scope, batch)
    return last


async def lock_stream(connection: AsyncConnection, scope: Scope, batch: Batch) -> None:
    """Lock the top run, then the run itself, for this attempt, or raise `Fenced`."""
    if batch.top_id is not None:
        await require_run(connection, scope, batch.top_id, lock=True)
    await require_attempt(connection, scope, batch.run_id, batch.attempt, lock=True)


async def _lock_path(connection: AsyncConnection, scope: Scope, batch: Batch) -> None:
    """Lock all that the end of a run changes above it and the run itself for this attempt, or raise `Fenced`."""
    if batch.top_id is not None:
        own = scoped(tables.runs, scope).select(RUNS.parent_id).where(RUNS.id == batch.run_id)
        parent_id = (await connection.execute(own)).scalar_one_or_none()
        await lock_runs(connection, scope, {batch.top_id, parent_id or batch.top_id, batch.run_id})
    await require_attempt(connection, scope, batch.run_id, batch.attempt, lock=True)


async def _write_one(
    connection: AsyncConnection, scope: Scope, batch: Batch, bodies: Sequence[StoredBody] | None = None
) -> int:
    top_last = await _number_in_stream(connection, scope, batch)
    last = await _number(connection, scope, batch)
    if bodies is None:
        bodies = [StoredBody(text=encode_body(event.body)) for event in batch.events]
    await _add_events(connection, scope, batch, last, top_last, bodies)
    await _add_transcript(connection, scope, batch.run_id, batch.transcript)
    await _add_requests(connection, scope, batch.run_id, batch.requests)
    refs = [*batch.refs, *(body.ref for body in bodies if body.ref is not None)]
    if refs:
        await add_refs(connection, scope, LOG_OF, batch.run_id, refs)
    await tell(connection, *filter(None, (batch.run_id, batch.top_id)))
    return last


async def _number_in_stream(connection: AsyncConnection, scope: Scope, batch: Batch) -> int | None:
    """Count the events of a child in its top run; return the last number, or None for a run without a parent."""
    if batch.top_id is None:
        return None
    top = scoped(tables.runs, scope).update().where(RUNS.id == batch.top_id, RUNS.state != "finished")
    counted = top.values(last_seq=RUNS.last_seq + len(batch.events)).returning(RUNS.last_seq)
    last: int | None = (await connection.execute(counted)).scalar_one_or_none()
    if last is None:
        await _refuse(connection, scope, batch)
    return last


async def _number(connection: AsyncConnection, scope: Scope, batch: Batch) -> int:
    """Count the events in the run's row, with what else the batch changes there; return the last number."""
    values: dict[str, Any] = {"last_seq": RUNS.last_seq + len(batch.events)}
    if used := tokens_of(batch.events):
        values["tokens"] = RUNS.tokens + used
    if batch.agent is not None:
        values["agent"] = batch.agent
    if batch.end is not None:
        values |= end_values(batch.end)
    allowed = (RUNS.id == batch.run_id) & (RUNS.attempt == batch.attempt) & (RUNS.state != "finished")
    placed = RUNS.top_id.is_(None) if batch.top_id is None else RUNS.top_id == batch.top_id
    mine = scoped(tables.runs, scope).update().where(allowed, placed)
    last: int | None = (await connection.execute(mine.values(**values).returning(RUNS.last_seq))).scalar_one_or_none()
    if last is None:
        await _refuse(connection, scope, batch)
        raise AssertionError
    return last


async def _refuse(connection: AsyncConnection, scope: Scope, batch: Batch) -> None:
    await require_run(connection, scope, batch.run_id)
    raise Fenced(run_id=batch.run_id, attempt=batch.attempt)


async def _tell_parent(connection: AsyncConnection, scope: Scope, batch: Batch) -> None:
    """Put the end of a child into its parent's inbox."""
    child = scoped(tables.runs, scope).select(RUNS.parent_id, RUNS.task_id).where(RUNS.id == batch.run_id)
    row = (await connection.execute(child)).one()
    parent = await require_run(connection, scope, row.parent_id)
    if parent.state == "finished" or batch.end is None:
        return
    ended = ChildFinished(run_id=batch.run_id, task_id=row.task_id, outcome=batch.end.outcome)
    await post(connection, scope, row.parent_id, ended, at=batch.end.finished_at)
    await tell(connection, row.parent_id)


async def _add_events(
    connection: AsyncConnection,
    scope: Scope,
    batch: Batch,
    last: int,
    top_last: int | None,
    bodies: Sequence[StoredBody],
) -> None:
    mine = scoped(tables.events, scope)
    places = range(last - len(batch.events) + 1, last + 1)
    rows = [
        mine.row(run_id=batch.run_id, seq=seq, at=micros(event.at), type=event.body.type, body=body.text)
        for seq, event, body in zip(places, batch.events, bodies, strict=True)
    ]
    if top_last is not None:
        rows = [row | {"top_id": batch.top_id, "top_seq": row["seq"] + top_last - last} for row in rows]
    if rows:
        await connection.execute(mine.insert(), rows)


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
    known = {request.id for request in await requests_of(connection, scope, (run_id,))}
    fresh = [request for request in requests if request.id not in known]
    rows = [
        mine.row(**request_values(request), place=place) for place, request in enumerate(fresh, start=len(known) + 1)
    ]
    if rows:
        await connection.execute(mine.insert(), rows)
    for request in fresh:
        if request.answer is not None and request.answered_at is not None:
            given = AnswerGiven(request_id=request.id, answer=request.answer)
            await post(connection, scope, run_id, given, at=request.answered_at)


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


async def requests_of(
    connection: AsyncConnection, scope: Scope, run_ids: Sequence[str], *conditions: ColumnElement[bool]
) -> tuple[OpenRequest, ...]:
    """Return the requests of these runs, the oldest first."""
    statement = scoped(tables.requests, scope).select(REQUESTS.body).where(REQUESTS.run_id.in_(run_ids), *conditions)
    found = [request_of(row) for row in await connection.execute(statement.order_by(REQUESTS.place))]
    return tuple(sorted(found, key=attrgetter("created_at")))
