"""Runs in SQL: rows and ownership."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, case, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from tablewright.domain.run import Run
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import NotFound, RunInProgress
from tablewright.store.base import Batch, Instance, OwnedRun
from tablewright.store.rules import micros
from tablewright.store.sql import tables
from tablewright.store.sql.database import Database
from tablewright.store.sql.files import link, require_files
from tablewright.store.sql.log import UNTAKEN, require_attempt, write
from tablewright.store.sql.notices import tell
from tablewright.store.sql.rows import instance_of, instance_values, run_of, run_values
from tablewright.store.sql.scoping import scoped

RUNS = tables.runs.c
INSTANCES = tables.instances.c
REQUESTS = tables.requests.c


class SqlRuns:
    """Implements `RunStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(self, scope: Scope, run: Run, first: Batch, *, title: str) -> None:
        async with self._database.write() as connection:
            await _lock_conversation(connection, scope, run.conversation_id, title)
            if (live := await _live(connection, scope, run.conversation_id)) is not None:
                raise RunInProgress(run_id=live.id)
            await require_files(connection, scope, run.file_ids)
            mine = scoped(tables.runs, scope)
            await connection.execute(mine.insert(), mine.row(**run_values(run)))
            await link(connection, scope, run.conversation_id, run.file_ids)
            await write(connection, scope, first)

    async def get(self, scope: Scope, run_id: str) -> Run:
        statement = scoped(tables.runs, scope).select().where(RUNS.id == run_id)
        async with self._database.read() as connection:
            row = (await connection.execute(statement)).one_or_none()
        if row is None:
            raise NotFound(kind="run", id=run_id)
        return run_of(row)

    async def live(self, scope: Scope, conversation_id: str) -> Run | None:
        async with self._database.read() as connection:
            return await _live(connection, scope, conversation_id)

    async def request_cancel(self, scope: Scope, run_id: str, *, at: datetime) -> Run:
        first = (RUNS.id == run_id) & (RUNS.state != "finished") & RUNS.cancel_requested_at.is_(None)
        statement = scoped(tables.runs, scope).update().where(first).values(cancel_requested_at=micros(at))
        async with self._database.write() as connection:
            if (await connection.execute(statement)).rowcount:
                await tell(connection, run_id, cancel=True)
        return await self.get(scope, run_id)

    async def claim(
        self, scope: Scope, run_id: str, *, attempt: int, instance_id: str, lease_until: datetime
    ) -> Run | None:
        waiting = (RUNS.id == run_id) & (RUNS.attempt == attempt) & (RUNS.state == "waiting")
        statement = scoped(tables.runs, scope).update().where(waiting).values(_taking(instance_id, lease_until))
        async with self._database.write() as connection:
            row = (await connection.execute(statement.returning(tables.runs))).one_or_none()
        return None if row is None else run_of(row)

    async def rest(self, scope: Scope, run_id: str, *, attempt: int) -> bool:
        news = scoped(tables.requests, scope).select(REQUESTS.id).where(REQUESTS.run_id == run_id, UNTAKEN)
        rested = scoped(tables.runs, scope).update().where(RUNS.id == run_id)
        async with self._database.write() as connection:
            # The row is locked before its answers are read: whoever answers locks it too.
            await require_attempt(connection, scope, run_id, attempt)
            if (await connection.execute(news.limit(1))).first() is not None:
                return False
            await connection.execute(rested.values(state="waiting", owner_instance=None, lease_until=None))
            return True


class SqlInstances:
    """Implements `InstanceStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def register(self, scope: SystemScope, instance: Instance) -> None:
        async with self._database.write() as connection:
            await connection.execute(scoped(tables.instances, scope).insert(), instance_values(instance))

    async def all(self, scope: SystemScope) -> tuple[Instance, ...]:
        statement = scoped(tables.instances, scope).select().order_by(INSTANCES.id)
        async with self._database.read() as connection:
            return tuple(instance_of(row) for row in await connection.execute(statement))

    async def beat(self, scope: SystemScope, *, at: datetime, run_ids: Sequence[str], lease_until: datetime) -> None:
        alive = scoped(tables.instances, scope).update().where(INSTANCES.id == scope.instance_id)
        mine = and_(RUNS.id.in_(run_ids), RUNS.owner_instance == scope.instance_id, RUNS.state == "running")
        kept = scoped(tables.runs, scope).update().where(mine)
        async with self._database.write() as connection:
            await connection.execute(alive.values(heartbeat_at=micros(at)))
            if run_ids:
                await connection.execute(kept.values(lease_until=micros(lease_until)))

    async def remove(self, scope: SystemScope, instance_id: str) -> None:
        async with self._database.write() as connection:
            await connection.execute(scoped(tables.instances, scope).delete().where(INSTANCES.id == instance_id))

    async def cancels(self, scope: SystemScope) -> frozenset[str]:
        statement = (
            scoped(tables.runs, scope)
            .select(RUNS.id)
            .where(
                RUNS.state == "running",
                RUNS.owner_instance == scope.instance_id,
                RUNS.cancel_requested_at.is_not(None),
            )
        )
        async with self._database.read() as connection:
            return frozenset((await connection.execute(statement)).scalars().all())

    async def orphans(self, scope: SystemScope, *, now: datetime, dead: Sequence[str]) -> tuple[OwnedRun, ...]:
        statement = scoped(tables.runs, scope).select().where(_orphaned(now, dead)).order_by(RUNS.id)
        async with self._database.read() as connection:
            return tuple(_owned(row) for row in await connection.execute(statement))

    async def seize(
        self,
        scope: SystemScope,
        run_id: str,
        *,
        attempt: int,
        now: datetime,
        lease_until: datetime,
        dead: Sequence[str],
    ) -> Run | None:
        orphan = and_(RUNS.id == run_id, RUNS.attempt == attempt, _orphaned(now, dead))
        statement = scoped(tables.runs, scope).update().where(orphan)
        taking = statement.values(_taking(scope.instance_id, lease_until)).returning(tables.runs)
        async with self._database.write() as connection:
            row = (await connection.execute(taking)).one_or_none()
        return None if row is None else run_of(row)

    async def unresumed(self, scope: SystemScope, *, before: datetime) -> tuple[OwnedRun, ...]:
        answered = select(REQUESTS.run_id).where(UNTAKEN, REQUESTS.answered_at < micros(before))
        statement = scoped(tables.runs, scope).select().where(RUNS.state == "waiting", RUNS.id.in_(answered))
        async with self._database.read() as connection:
            return tuple(_owned(row) for row in await connection.execute(statement))


def _taking(instance_id: str, lease_until: datetime) -> dict[Any, Any]:
    return {
        RUNS.state: "running",
        RUNS.attempt: RUNS.attempt + 1,
        RUNS.owner_instance: instance_id,
        RUNS.lease_until: micros(lease_until),
    }


def _orphaned(now: datetime, dead: Sequence[str]) -> ColumnElement[bool]:
    left = or_(RUNS.lease_until < micros(now), RUNS.owner_instance.in_(dead))
    return and_(RUNS.state.in_(("queued", "running")), left)


def _owned(row: Any) -> OwnedRun:
    return OwnedRun(scope=Scope(tenant=row.tenant, owner=row.owner), run=run_of(row))


async def _live(connection: AsyncConnection, scope: Scope, conversation_id: str) -> Run | None:
    live = (RUNS.conversation_id == conversation_id) & (RUNS.state != "finished")
    row = (await connection.execute(scoped(tables.runs, scope).select().where(live))).first()
    return None if row is None else run_of(row)


async def _lock_conversation(connection: AsyncConnection, scope: Scope, conversation_id: str, title: str) -> None:
    """Set the conversation's title if it has none; the update also locks the conversation."""
    columns = tables.conversations.c
    statement = scoped(tables.conversations, scope).update().where(columns.id == conversation_id)
    titled = statement.values(title=case((columns.title == "", title), else_=columns.title))
    if not (await connection.execute(titled)).rowcount:
        raise NotFound(kind="conversation", id=conversation_id)
