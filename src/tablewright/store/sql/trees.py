"""Runs below other runs, in SQL."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement
from sqlalchemy.ext.asyncio import AsyncConnection

from tablewright.domain.run import Run
from tablewright.domain.scope import Scope, SystemScope
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


async def lock_runs(
    connection: AsyncConnection, scope: Scope | SystemScope, run_ids: Collection[str], *conditions: ColumnElement[bool]
) -> None:
    """Lock these runs in the order of their ids, which is from the top.

    All who lock several runs in one transaction do it in this order, first, and with their other statements after it:
    whatever an update of many rows meets in an order of its own would otherwise lock two writers against each other.
    """
    found = scoped(tables.runs, scope).select(RUNS.id).where(RUNS.id.in_(run_ids), *conditions)
    await connection.execute(found.order_by(RUNS.tenant, RUNS.id).with_for_update())


async def unfinished_below(connection: AsyncConnection, scope: Scope, run_id: str) -> tuple[Run, ...]:
    """Lock and return the unfinished runs below a run, the deepest first. What is below a finished run has finished."""
    ids = await ids_below(connection, scope, run_id, RUNS.state != "finished")
    if not ids:
        return ()
    await lock_runs(connection, scope, ids)
    rows = await connection.execute(scoped(tables.runs, scope).select().where(RUNS.id.in_(ids)))
    by_id = {row.id: run_of(row) for row in rows}
    return tuple(by_id[one] for one in reversed(ids))
