"""Corrections in SQL."""

from __future__ import annotations

from tablewright.domain.scope import Scope
from tablewright.domain.workflow.stored import WorkflowCorrection
from tablewright.errors import NotFound
from tablewright.store.correction_store import MOST
from tablewright.store.rules import micros, time_of
from tablewright.store.sql import workflow_tables as tables
from tablewright.store.sql.database import Database
from tablewright.store.sql.scoping import scoped

CORRECTIONS = tables.workflow_corrections.c
LATEST_FIRST = (CORRECTIONS.created_at.desc(), CORRECTIONS.id.desc())


class SqlCorrections:
    """Implements `CorrectionStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, scope: Scope, correction: WorkflowCorrection) -> None:
        mine = scoped(tables.workflow_corrections, scope)
        row = mine.row(
            id=correction.id,
            message=correction.message,
            workflow_id=correction.workflow_id,
            wanted_id=correction.wanted_id,
            created_at=micros(correction.created_at),
        )
        # What is too old is named, not what is kept: meanwhile others may add what is in no list.
        too_old = mine.select(CORRECTIONS.id).order_by(*LATEST_FIRST).offset(MOST)
        async with self._database.write() as connection:
            await connection.execute(mine.insert(), row)
            gone = [each.id for each in (await connection.execute(too_old)).all()]
            if gone:
                await connection.execute(mine.delete().where(CORRECTIONS.id.in_(gone)))

    async def all(self, scope: Scope) -> tuple[WorkflowCorrection, ...]:
        statement = scoped(tables.workflow_corrections, scope).select().order_by(*LATEST_FIRST).limit(MOST)
        async with self._database.read() as connection:
            rows = (await connection.execute(statement)).all()
        return tuple(
            WorkflowCorrection(
                id=row.id,
                message=row.message,
                workflow_id=row.workflow_id,
                wanted_id=row.wanted_id,
                created_at=time_of(row.created_at),
            )
            for row in reversed(rows)
        )

    async def remove(self, scope: Scope, correction_id: str) -> None:
        statement = scoped(tables.workflow_corrections, scope).delete().where(CORRECTIONS.id == correction_id)
        async with self._database.write() as connection:
            if not (await connection.execute(statement)).rowcount:
                raise NotFound(kind="correction", id=correction_id)
