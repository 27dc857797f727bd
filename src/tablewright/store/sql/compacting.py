"""Compact the logs of runs that ended long ago into fewer events."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncConnection

from tablewright.domain.scope import Scope, SystemScope
from tablewright.store.bodies import is_elsewhere
from tablewright.store.codec import DELTA_TYPES, decode_body, encode_body
from tablewright.store.rules import joined_deltas, micros
from tablewright.store.sql import tables
from tablewright.store.sql.database import Database
from tablewright.store.sql.rows import event_of
from tablewright.store.sql.scoping import scoped

RUNS = tables.runs.c
EVENTS = tables.events.c
COMPACTED = tables.compacted.c


async def compact(database: Database, scope: SystemScope, *, before: datetime, limit: int) -> int:
    """Merge the deltas of up to `limit` runs that finished before `before`, each in its own transaction."""
    done = scoped(tables.compacted, scope).select(COMPACTED.run_id)
    ended = (RUNS.state == "finished") & (RUNS.finished_at < micros(before)) & RUNS.id.not_in(done)
    statement = scoped(tables.runs, scope).select(RUNS.id, RUNS.tenant, RUNS.owner).where(ended).limit(limit)
    async with database.read() as connection:
        runs = (await connection.execute(statement)).all()
    for run in runs:
        async with database.write() as connection:
            await _compact_run(connection, Scope(tenant=run.tenant, owner=run.owner), run.id)
    return len(runs)


async def _compact_run(connection: AsyncConnection, scope: Scope, run_id: str) -> None:
    # Meanwhile another process may compact the run too, or its conversation may be removed.
    lock = scoped(tables.runs, scope).select(RUNS.top_id).where(RUNS.id == run_id).with_for_update()
    done = scoped(tables.compacted, scope).select(COMPACTED.run_id).where(COMPACTED.run_id == run_id)
    run = (await connection.execute(lock)).first()
    if run is None or (await connection.execute(done)).first() is not None:
        return
    # What is joined are neighbours in the stream that people read, which for a child is that of its top run.
    place = EVENTS.seq if run.top_id is None else EVENTS.top_seq
    mine = scoped(tables.events, scope)
    deltas = mine.select(EVENTS.run_id, place.label("seq"), EVENTS.at, EVENTS.body, EVENTS.from_seq).where(
        EVENTS.run_id == run_id, EVENTS.type.in_(DELTA_TYPES)
    )
    rows = (await connection.execute(deltas.order_by(place))).all()
    here = (row for row in rows if not is_elsewhere(row.body))
    for event in joined_deltas(event_of(row, decode_body(row.body)) for row in here):
        first = event.from_seq or event.seq
        gone = place.between(first, event.seq - 1)
        await connection.execute(mine.delete().where(EVENTS.run_id == run_id, gone))
        kept = mine.update().where(EVENTS.run_id == run_id, place == event.seq)
        from_seq = EVENTS.seq - (event.seq - first)
        await connection.execute(kept.values(body=encode_body(event.body), from_seq=from_seq))
    marks = scoped(tables.compacted, scope)
    await connection.execute(marks.insert(), marks.row(run_id=run_id))
