"""Schedules in SQL."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import and_, or_
from sqlalchemy.ext.asyncio import AsyncConnection

from tablewright.domain.codec import from_json
from tablewright.domain.scope import Scope, SystemScope
from tablewright.domain.workflow.schedules import Firing, OwnedFiring, OwnedSchedule, WorkflowSchedule
from tablewright.errors import NotFound
from tablewright.store.codec import encode
from tablewright.store.rules import micros, time_of
from tablewright.store.sql import schedule_tables as tables
from tablewright.store.sql.database import Database
from tablewright.store.sql.scoping import scoped
from tablewright.store.sql.tables import runs

SCHEDULES = tables.schedules.c
FIRINGS = tables.firings.c


class SqlSchedules:
    """Implements `ScheduleStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, scope: Scope, schedule: WorkflowSchedule) -> None:
        mine = scoped(tables.schedules, scope)
        async with self._database.write() as connection:
            await connection.execute(mine.insert(), mine.row(id=schedule.id, **_values(schedule)))

    async def get(self, scope: Scope, schedule_id: str) -> WorkflowSchedule:
        async with self._database.read() as connection:
            return await _own(connection, scope, schedule_id)

    async def all(self, scope: Scope) -> tuple[WorkflowSchedule, ...]:
        statement = scoped(tables.schedules, scope).select().order_by(SCHEDULES.id)
        async with self._database.read() as connection:
            return tuple(_schedule(row) for row in await connection.execute(statement))

    async def save(self, scope: Scope, schedule: WorkflowSchedule) -> None:
        statement = scoped(tables.schedules, scope).update().where(SCHEDULES.id == schedule.id)
        async with self._database.write() as connection:
            if not (await connection.execute(statement.values(**_values(schedule)))).rowcount:
                raise NotFound(kind="schedule", id=schedule.id)

    async def remove(self, scope: Scope, schedule_id: str) -> None:
        statement = scoped(tables.schedules, scope).delete().where(SCHEDULES.id == schedule_id)
        async with self._database.write() as connection:
            if not (await connection.execute(statement)).rowcount:
                raise NotFound(kind="schedule", id=schedule_id)

    async def firings(self, scope: Scope, schedule_id: str, *, limit: int = 20) -> tuple[Firing, ...]:
        statement = scoped(tables.firings, scope).select(FIRINGS.body).where(FIRINGS.schedule_id == schedule_id)
        async with self._database.read() as connection:
            await _own(connection, scope, schedule_id)
            found = await connection.execute(statement.order_by(FIRINGS.due_at.desc()).limit(limit))
            return tuple(from_json(Firing, body) for body in found.scalars())

    async def ripe(self, scope: SystemScope, *, now: datetime, limit: int = 100) -> tuple[OwnedSchedule, ...]:
        statement = scoped(tables.schedules, scope).select().where(SCHEDULES.next_at <= micros(now))
        async with self._database.read() as connection:
            found = await connection.execute(statement.order_by(SCHEDULES.next_at, SCHEDULES.id).limit(limit))
            return tuple(OwnedSchedule(scope=_scope(row), schedule=_schedule(row)) for row in found)

    async def fire(
        self,
        scope: Scope,
        firing: Firing,
        *,
        expected: datetime,
        next_at: datetime | None,
        forget_before: datetime | None = None,
    ) -> bool:
        mine, own = scoped(tables.schedules, scope), scoped(tables.firings, scope)
        due = and_(SCHEDULES.id == firing.schedule_id, SCHEDULES.next_at == micros(expected))
        moved = mine.update().where(due).values(next_at=None if next_at is None else micros(next_at))
        row = own.row(
            id=firing.id, schedule_id=firing.schedule_id, due_at=micros(firing.due_at), **_firing_values(firing)
        )
        async with self._database.write() as connection:
            if not (await connection.execute(moved)).rowcount:
                return False
            await connection.execute(own.insert(), row)
            if forget_before is not None:
                old = and_(FIRINGS.schedule_id == firing.schedule_id, FIRINGS.stage == "ended")
                await connection.execute(own.delete().where(old, FIRINGS.due_at < micros(forget_before)))
        return True

    async def due(self, scope: SystemScope, *, now: datetime, limit: int = 100) -> tuple[OwnedFiring, ...]:
        over = or_(runs.c.id.is_(None), runs.c.state == "finished")
        ready = or_(FIRINGS.stage.in_(("start", "deliver")), and_(FIRINGS.stage == "watch", over))
        columns = [*SCHEDULES, FIRINGS.body.label("firing")]
        statement = (
            scoped(tables.firings, scope)
            .select(*columns)
            .select_from(
                tables.firings.join(tables.schedules, SCHEDULES.id == FIRINGS.schedule_id).outerjoin(
                    runs, runs.c.id == FIRINGS.id
                )
            )
        )
        statement = statement.where(FIRINGS.act_at <= micros(now), ready).order_by(FIRINGS.due_at, FIRINGS.id)
        async with self._database.read() as connection:
            found = await connection.execute(statement.limit(limit))
            return tuple(
                OwnedFiring(scope=_scope(row), schedule=_schedule(row), firing=from_json(Firing, row.firing))
                for row in found
            )

    async def claim(self, scope: SystemScope, firing_id: str, *, attempt: int, act_at: datetime) -> bool:
        statement = scoped(tables.firings, scope).select(FIRINGS.body).where(_at(firing_id, attempt))
        async with self._database.write() as connection:
            body = (await connection.execute(statement.with_for_update())).scalar()
            if body is None:
                return False
            claimed = replace(from_json(Firing, body), attempt=attempt + 1, act_at=act_at)
            return await _write(connection, scope, claimed, attempt)

    async def advance(self, scope: SystemScope, firing: Firing) -> bool:
        async with self._database.write() as connection:
            return await _write(connection, scope, firing, firing.attempt)


async def _own(connection: AsyncConnection, scope: Scope, schedule_id: str) -> WorkflowSchedule:
    statement = scoped(tables.schedules, scope).select().where(SCHEDULES.id == schedule_id)
    row = (await connection.execute(statement)).one_or_none()
    if row is None:
        raise NotFound(kind="schedule", id=schedule_id)
    return _schedule(row)


async def _write(connection: AsyncConnection, scope: SystemScope, firing: Firing, attempt: int) -> bool:
    statement = scoped(tables.firings, scope).update().where(_at(firing.id, attempt))
    return bool((await connection.execute(statement.values(**_firing_values(firing)))).rowcount)


def _at(firing_id: str, attempt: int) -> Any:
    return and_(FIRINGS.id == firing_id, FIRINGS.attempt == attempt, FIRINGS.stage != "ended")


def _values(schedule: WorkflowSchedule) -> dict[str, Any]:
    """Return the columns; `next_at` stands in its own alone, where a firing moves it."""
    next_at = None if schedule.next_at is None else micros(schedule.next_at)
    return {"next_at": next_at, "body": encode(WorkflowSchedule, replace(schedule, next_at=None))}


def _firing_values(firing: Firing) -> dict[str, Any]:
    return {
        "stage": firing.stage,
        "attempt": firing.attempt,
        "act_at": None if firing.act_at is None else micros(firing.act_at),
        "body": encode(Firing, firing),
    }


def _schedule(row: Any) -> WorkflowSchedule:
    next_at = None if row.next_at is None else time_of(row.next_at)
    return replace(from_json(WorkflowSchedule, row.body), next_at=next_at)


def _scope(row: Any) -> Scope:
    return Scope(tenant=row.tenant, owner=row.owner)
