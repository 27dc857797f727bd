"""Processes that execute runs, in SQL, and the runs that dead ones left."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, case, or_, select

from tablewright.domain.run import Run
from tablewright.domain.scope import Scope, SystemScope
from tablewright.store.rules import micros
from tablewright.store.run_store import Instance, OwnedRun
from tablewright.store.sql import tables
from tablewright.store.sql.database import Database
from tablewright.store.sql.inbox import INBOX, UNTAKEN
from tablewright.store.sql.rows import instance_of, instance_values, run_of, worked_values
from tablewright.store.sql.runs import taking
from tablewright.store.sql.scoping import scoped
from tablewright.store.sql.trees import lock_runs

RUNS = tables.runs.c
INSTANCES = tables.instances.c


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
        kept = scoped(tables.runs, scope).update().where(mine).values(**worked_values(at, on=True))
        async with self._database.write() as connection:
            await connection.execute(alive.values(heartbeat_at=micros(at)))
            if run_ids:
                await lock_runs(connection, scope, run_ids, mine)
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
        lost = RUNS.losses + case((RUNS.owner_instance.is_(None), 0), else_=1)
        seized = taking(scope.instance_id, now, lease_until) | {RUNS.losses: lost}
        async with self._database.write() as connection:
            row = (await connection.execute(statement.values(seized).returning(tables.runs))).one_or_none()
        return None if row is None else run_of(row)

    async def unresumed(self, scope: SystemScope, *, before: datetime) -> tuple[OwnedRun, ...]:
        news = select(INBOX.run_id).where(UNTAKEN, INBOX.at < micros(before))
        statement = scoped(tables.runs, scope).select().where(RUNS.state == "waiting", RUNS.id.in_(news))
        async with self._database.read() as connection:
            return tuple(_owned(row) for row in await connection.execute(statement))

    async def due(self, scope: SystemScope, *, now: datetime, limit: int = 100) -> tuple[OwnedRun, ...]:
        statement = scoped(tables.runs, scope).select().where(RUNS.state == "waiting", RUNS.wake_at <= micros(now))
        async with self._database.read() as connection:
            found = await connection.execute(statement.order_by(RUNS.wake_at).limit(limit))
            return tuple(_owned(row) for row in found)

    async def finished(self, scope: SystemScope, *, agent: str, since: datetime) -> tuple[OwnedRun, ...]:
        statement = scoped(tables.runs, scope).select()
        statement = statement.where(RUNS.agent == agent, RUNS.finished_at >= micros(since)).order_by(RUNS.finished_at)
        async with self._database.read() as connection:
            return tuple(_owned(row) for row in await connection.execute(statement))


def _orphaned(now: datetime, dead: Sequence[str]) -> ColumnElement[bool]:
    left = or_(RUNS.lease_until < micros(now), RUNS.owner_instance.is_(None), RUNS.owner_instance.in_(dead))
    return and_(RUNS.state.in_(("queued", "running")), left)


def _owned(row: Any) -> OwnedRun:
    return OwnedRun(scope=Scope(tenant=row.tenant, owner=row.owner), run=run_of(row))
