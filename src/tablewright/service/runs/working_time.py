"""How long a run has worked, not counting time spent waiting for a person.

The run's time limit applies to the total over all attempts.
"""

from __future__ import annotations

from tablewright.domain.events import RequestAnswered
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.service.history import events_of
from tablewright.store.base import Store

_TURNS = ("run.started", "approval.requested", "question.asked", "continue.asked", "request.answered")


async def worked_s(store: Store, scope: Scope, run: Run) -> float:
    """Return the seconds that earlier attempts of the run worked, according to its log: from its start, and from the
    first event after each answer, until what it asked next."""
    if run.attempt == 1:
        return 0.0
    worked, since = 0.0, None
    for event in await events_of(store, scope, run.id, _TURNS):
        if isinstance(event.body, RequestAnswered):
            following = await store.log.events(scope, run.id, after=event.seq, limit=1)
            since = following[0].at if following else None
            continue
        if since is not None:
            worked += (event.at - since).total_seconds()
        since = event.at
    return worked
