"""Runs in SQL: rows and ownership."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from sqlalchemy import case, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from tablewright.domain.page import Page
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.errors import NotFound, RunInProgress
from tablewright.store.cursors import bounded, page_of, read_cursor
from tablewright.store.rules import by_age, ending, micros
from tablewright.store.run_store import Batch
from tablewright.store.sql import tables
from tablewright.store.sql.database import Database
from tablewright.store.sql.files import link, require_files
from tablewright.store.sql.inbox import has_news
from tablewright.store.sql.notices import tell
from tablewright.store.sql.rows import run_of, run_values, worked_values
from tablewright.store.sql.scoping import scoped
from tablewright.store.sql.trees import ids_below, lock_runs
from tablewright.store.sql.writing import lock_stream, require_attempt, require_run, write

RUNS = tables.runs.c
MESSAGES = tables.messages.c


class SqlRuns:
    """Implements `RunStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(
        self,
        scope: Scope,
        run: Run,
        first: Batch,
        *,
        title: str,
        instead_of: str | None = None,
        follows: str | None = None,
    ) -> None:
        async def begun(connection: AsyncConnection) -> None:
            await _lock_conversation(connection, scope, run.conversation_id, title)
            if (live := await _live(connection, scope, run.conversation_id)) is not None:
                # Whoever claims a waiting run locks its row, which is read anew here under the same lock.
                state = (await require_run(connection, scope, live.id, lock=True)).state
                if live.id != instead_of or state != "waiting":
                    raise RunInProgress(run_id=live.id)
                await write(connection, scope, ending(live, "superseded", run.created_at))
            if follows is not None:
                await _require_last(connection, scope, run.conversation_id, follows)
            await require_files(connection, scope, run.file_ids)
            mine = scoped(tables.runs, scope)
            await connection.execute(mine.insert(), mine.row(**run_values(run)))
            await link(connection, scope, run.conversation_id, run.file_ids)
            await write(connection, scope, first)

        await self._database.write_at_once(begun)

    async def begin_child(self, scope: Scope, run: Run, first: Batch, *, parent_attempt: int) -> Run:
        assert run.parent_id is not None
        parent = Batch(run_id=run.parent_id, attempt=parent_attempt, top_id=run.top_id)
        known = (RUNS.parent_id == run.parent_id) & (RUNS.task_id == run.task_id)
        mine = scoped(tables.runs, scope)

        async def begun(connection: AsyncConnection) -> Run:
            await lock_stream(connection, scope, parent)
            if (row := (await connection.execute(mine.select().where(known))).one_or_none()) is not None:
                return run_of(row)
            await connection.execute(mine.insert(), mine.row(**run_values(run)))
            await write(connection, scope, first)
            return run_of((await connection.execute(mine.select().where(RUNS.id == run.id))).one())

        return await self._database.write_at_once(begun)

    async def children(self, scope: Scope, run_id: str) -> tuple[Run, ...]:
        statement = scoped(tables.runs, scope).select().where(RUNS.parent_id == run_id).order_by(RUNS.id)

        async def found(connection: AsyncConnection) -> tuple[Run, ...]:
            await require_run(connection, scope, run_id)
            return tuple(run_of(row) for row in await connection.execute(statement))

        return await self._database.read_at_once(found)

    async def get(self, scope: Scope, run_id: str) -> Run:
        statement = scoped(tables.runs, scope).select().where(RUNS.id == run_id)
        row = next(iter(await self._database.rows(statement)), None)
        if row is None:
            raise NotFound(kind="run", id=run_id)
        return run_of(row)

    async def of_workflow(
        self, scope: Scope, workflow_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[Run]:
        # The owner's runs are found by their conversations, which have an index of owners; the quotes of a text within
        # `given` are escaped, so that nothing else of it can look like this.
        named = RUNS.given.contains(f'"workflow_id":{json.dumps(workflow_id, ensure_ascii=False)}', autoescape=True)
        mine = scoped(tables.conversations, scope).select(tables.conversations.c.id)
        statement = scoped(tables.runs, scope).select().where(RUNS.conversation_id.in_(mine), named)
        if cursor is not None:
            before = read_cursor(cursor, int, str)
            statement = statement.where(tuple_(RUNS.created_at, RUNS.id) < tuple_(*before))
        statement = statement.order_by(RUNS.created_at.desc(), RUNS.id.desc()).limit(bounded(limit) + 1)
        async with self._database.read() as connection:
            rows = (await connection.execute(statement)).all()
        return page_of([run_of(row) for row in rows], bounded(limit), by_age)

    async def live(self, scope: Scope, conversation_id: str) -> Run | None:
        return await self._database.read_at_once(lambda connection: _live(connection, scope, conversation_id))

    async def request_cancel(self, scope: Scope, run_id: str, *, at: datetime) -> Run:
        first = (RUNS.state != "finished") & RUNS.cancel_requested_at.is_(None)
        asking = scoped(tables.runs, scope).update().where(first).values(cancel_requested_at=micros(at))
        async with self._database.write() as connection:
            if (await connection.execute(asking.where(RUNS.id == run_id))).rowcount:
                below = await ids_below(connection, scope, run_id, RUNS.state != "finished")
                await lock_runs(connection, scope, below)
                await connection.execute(asking.where(RUNS.id.in_(below)))
                await tell(connection, run_id, *below, cancel=True)
        return await self.get(scope, run_id)

    async def claim(
        self, scope: Scope, run_id: str, *, attempt: int, instance_id: str, at: datetime, lease_until: datetime
    ) -> Run | None:
        waiting = (RUNS.id == run_id) & (RUNS.attempt == attempt) & (RUNS.state == "waiting")
        statement = scoped(tables.runs, scope).update().where(waiting).values(taking(instance_id, at, lease_until))

        async def claimed(connection: AsyncConnection) -> Any:
            return (await connection.execute(statement.returning(tables.runs))).one_or_none()

        row = await self._database.write_at_once(claimed)
        return None if row is None else run_of(row)

    async def rest(
        self, scope: Scope, run_id: str, *, attempt: int, at: datetime, wake_at: datetime | None = None
    ) -> bool:
        rested = scoped(tables.runs, scope).update().where(RUNS.id == run_id).values(**worked_values(at))

        async def at_rest(connection: AsyncConnection) -> bool:
            # The row is locked before its inbox is read: whoever puts something in locks it too.
            await require_attempt(connection, scope, run_id, attempt, lock=True)
            if await has_news(connection, scope, run_id):
                return False
            wake = None if wake_at is None else micros(wake_at)
            values = {"state": "waiting", "owner_instance": None, "lease_until": None, "losses": 0, "wake_at": wake}
            await connection.execute(rested.values(**values))
            return True

        return await self._database.write_at_once(at_rest)

    async def release(self, scope: Scope, run_id: str, *, attempt: int, at: datetime) -> None:
        released = scoped(tables.runs, scope).update().where(RUNS.id == run_id).values(**worked_values(at))
        async with self._database.write() as connection:
            await require_attempt(connection, scope, run_id, attempt, lock=True)
            await connection.execute(released.values(state="queued", owner_instance=None, lease_until=None))


def taking(instance_id: str, at: datetime, lease_until: datetime) -> dict[Any, Any]:
    """Return the row values with which an instance takes over a run as its next attempt."""
    return {
        RUNS.state: "running",
        RUNS.attempt: RUNS.attempt + 1,
        RUNS.owner_instance: instance_id,
        RUNS.lease_until: micros(lease_until),
        RUNS.working_since: micros(at),
        RUNS.wake_at: None,
    }


async def _live(connection: AsyncConnection, scope: Scope, conversation_id: str) -> Run | None:
    live = (RUNS.conversation_id == conversation_id) & (RUNS.state != "finished") & RUNS.parent_id.is_(None)
    row = (await connection.execute(scoped(tables.runs, scope).select().where(live))).first()
    return None if row is None else run_of(row)


async def _lock_conversation(connection: AsyncConnection, scope: Scope, conversation_id: str, title: str) -> None:
    """Set the conversation's title if it has none; the update also locks the conversation."""
    columns = tables.conversations.c
    statement = scoped(tables.conversations, scope).update().where(columns.id == conversation_id)
    titled = statement.values(title=case((columns.title == "", title), else_=columns.title))
    if not (await connection.execute(titled)).rowcount:
        raise NotFound(kind="conversation", id=conversation_id)


async def _require_last(connection: AsyncConnection, scope: Scope, conversation_id: str, run_id: str) -> None:
    """Raise `RunInProgress` if the conversation's last message that belongs to a run is of another than `run_id`."""
    said = (MESSAGES.conversation_id == conversation_id) & MESSAGES.run_id.is_not(None)
    newest = scoped(tables.messages, scope).select(MESSAGES.run_id).where(said).order_by(MESSAGES.ordinal.desc())
    last = (await connection.execute(newest.limit(1))).scalar()
    if last is not None and last != run_id:
        raise RunInProgress(run_id=last)
