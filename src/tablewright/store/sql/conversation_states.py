"""What the log of a run does to the state of its conversation, in SQL."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncConnection

from tablewright.domain.codec import from_json
from tablewright.domain.conversation import NOTHING_WAITS, WAITING, ConversationState
from tablewright.domain.scope import Scope
from tablewright.store.rules import asks_somebody
from tablewright.store.run_store import Batch
from tablewright.store.sql import tables
from tablewright.store.sql.rows import RunInputs, state_values
from tablewright.store.sql.scoping import scoped

RUNS = tables.runs.c
CONVERSATIONS = tables.conversations.c


async def move_conversation(connection: AsyncConnection, scope: Scope, batch: Batch) -> None:
    """Let the conversation wait for a run of a workflow that asks, and be idle once that run ends.

    Comes before the run is locked, since conversations are locked before their runs.
    """
    mine = scoped(tables.conversations, scope).update()
    if asks_somebody(batch):
        top_id = batch.top_id or batch.run_id
        found = scoped(tables.runs, scope).select(RUNS.given, RUNS.conversation_id).where(RUNS.id == top_id)
        run = (await connection.execute(found)).one_or_none()
        workflow_id = None if run is None else from_json(RunInputs, run.given).workflow_id
        if run is not None and workflow_id is not None:
            waiting = ConversationState(stage=WAITING, workflow_id=workflow_id, run_id=top_id)
            await connection.execute(mine.where(CONVERSATIONS.id == run.conversation_id).values(state_values(waiting)))
    if batch.end is not None and batch.top_id is None:
        own = scoped(tables.runs, scope).select(RUNS.conversation_id).where(RUNS.id == batch.run_id).scalar_subquery()
        told = mine.where(CONVERSATIONS.id == own, CONVERSATIONS.current_runtime_uuid == batch.run_id)
        await connection.execute(told.values(state_values(NOTHING_WAITS)))
