"""How the workflow of a conversation stands, for whoever looks at it: what waits, for what, and since when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tablewright.domain.conversation import IDLE, NOTHING_WAITS, RUNNING, WAITING, Stage
from tablewright.domain.run import OpenRequest
from tablewright.domain.scope import Scope
from tablewright.service.app import App


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowStanding:
    """The stage of a conversation; of one that is not idle, its workflow, its run and when that began.

    Of one that waits, `request` is what the next message answers, and `node_id` the node that asks it. `resumed` counts
    the answers with which the run has gone on.
    """

    stage: Stage = IDLE
    workflow_id: str | None = None
    run_id: str | None = None
    began_at: datetime | None = None
    request: OpenRequest | None = None
    node_id: str | None = None
    resumed: int = 0


async def standing_of(app: App, scope: Scope, conversation_id: str) -> WorkflowStanding:
    """Return how the workflow of a conversation stands. Raises `NotFound`.

    Where nothing waits and no workflow runs, nothing of workflows is loaded.
    """
    stored = await app.store.conversations.state(scope, conversation_id)
    live = await app.store.runs.live(scope, conversation_id)
    if stored == NOTHING_WAITS and (live is None or live.workflow_id is None):
        return WorkflowStanding()
    chat = app.workflows().chat
    state = await chat.state(scope, conversation_id)
    if live is None or live.workflow_id is None:
        return WorkflowStanding()
    asked = await chat.asked(scope, live.id) if state.waits and live.state == "waiting" else None
    requests = await app.runs.requests(scope, live.id)
    return WorkflowStanding(
        stage=RUNNING if asked is None else WAITING,
        workflow_id=live.workflow_id,
        run_id=live.id,
        began_at=live.created_at,
        request=None if asked is None else asked.request,
        node_id=None if asked is None else asked.node_id,
        resumed=sum(request.answered_at is not None for request in requests),
    )
