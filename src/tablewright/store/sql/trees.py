"""Runs below other runs, in SQL."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement
from sqlalchemy.ext.asyncio import AsyncConnection

from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.store.sql import tables
from tablewright.store.sql.rows import run_of
from tablewright.store.sql.scoping import scoped

RUNS = tables.runs.c


async def ids_below(
    connection: AsyncConnection, scope: Scope, run_id: str, *conditions: ColumnElement[bool]
) -> tuple[str, ...]:
    """Return the ids of the runs below a run, each before those below it; `conditions` restrict every level."""
    found: list[str] = []
    level: Sequence[str] = (run_id,)
    while level:
        of_level = scoped(tables.runs, scope).select(RUNS.id).where(RUNS.parent_id.in_(level), *conditions)
        level = (await connection.execute(of_level.order_by(RUNS.id))).scalars().all()
        found.extend(level)
    return tuple(found)


async def unfinished_below(connection: AsyncConnection, scope: Scope, run_id: str) -> tuple[Run, ...]:
    """Return the unfinished runs below a run, the deepest first. What is below a finished run has finished."""
    ids = await ids_below(connection, scope, run_id, RUNS.state != "finished")
    if not ids:
        return ()
    rows = await connection.execute(scoped(tables.runs, scope).select().where(RUNS.id.in_(ids)))
    by_id = {row.id: run_of(row) for row in rows}
    return tuple(by_id[one] for one in reversed(ids))
