"""What became of a plan, question or round whose id a client sends again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from tablewright.domain.events import (
    ApprovalRequested,
    ContinueAsked,
    Event,
    QuestionAsked,
    RequestAnswered,
    RoundExecuted,
)
from tablewright.domain.rounds.ledger import Ledger, PriorRounds
from tablewright.domain.rounds.plan import PlanStep
from tablewright.domain.rounds.round import Round
from tablewright.domain.rounds.rules import next_number
from tablewright.domain.scope import Scope
from tablewright.errors import NotFound
from tablewright.service.channels.channels import Channel
from tablewright.service.history import events_of
from tablewright.service.workbooks.round_history import rounds_of
from tablewright.service.workbooks.states import FACE
from tablewright.store.base import Store

MESSAGES = 200
"""The number of a channel's latest answers that are searched for an id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedRequest:
    """A plan or round that was executed.

    `events` are those of the request that executed it, up to what was asked at the end; None if the id was answered in
    another way or its run has ended. `undone`: its changes have been undone since. `plan`: the steps as they were
    executed, if the id is that of the plan.
    """

    run_id: str
    events: tuple[Event, ...] | None = None
    undone: bool = False
    plan: tuple[PlanStep, ...] | None = None

    @property
    def next_asked(self) -> frozenset[str]:
        """The ids of the requests that followed what was executed."""
        asked = [event.body for event in self.events or ()]
        return frozenset(
            one.request_id for one in asked if isinstance(one, ApprovalRequested | QuestionAsked | ContinueAsked)
        )


class RepeatedRequests:
    """Finds what a channel has done, by the ids given to its clients."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def find(self, scope: Scope, channel: Channel, request_id: str) -> RepeatedRequest | None:
        """Return what `request_id` stood for, or None if the channel never issued that id."""
        if channel.workbook is not None:
            for done in await self.rounds(scope, channel.workbook.id):
                if request_id in {done.id, done.plan_id}:
                    events = await self._stretch(scope, done.run_id, request_id)
                    plan = tuple(result.step for result in done.steps) if request_id == done.plan_id else None
                    return RepeatedRequest(run_id=done.run_id, events=events, undone=done.undone, plan=plan)
        for message in await self._store.faces.latest(scope, FACE, channel.key, limit=MESSAGES):
            if message.run_id is not None and (message.response or {}).get("requestId") == request_id:
                return RepeatedRequest(run_id=message.run_id)
        return None

    async def rounds(self, scope: Scope, workbook_id: str) -> tuple[Round, ...]:
        """Return the rounds of a workbook; a file that was never edited has none."""
        return await rounds_of(self._store, scope, workbook_id)

    async def begun_with(self, scope: Scope, channel: Channel, prior: PriorRounds) -> PriorRounds:
        """Return what a new run knows of earlier rounds.

        This is what the client says, unless the channel has recorded rounds of its own: then the count is limited to
        the recorded rounds and the steps are dropped, so that the request starts afresh.
        """
        recorded = () if channel.workbook is None else await self.rounds(scope, channel.workbook.id)
        return replace(prior, rounds=min(prior.rounds, recorded[-1].number), steps=()) if recorded else prior

    async def completed(self, scope: Scope, run_id: str, workbook_id: str | None) -> int:
        """Return the number of rounds a run has completed, including those before it and its first planning."""
        ledger = Ledger(await self._store.log.transcript(scope, run_id))
        run_ids = (*ledger.earlier_runs, run_id)
        rounds = () if workbook_id is None else await rounds_of(self._store, scope, workbook_id, run_ids=run_ids)
        return next_number(rounds, ledger.before.rounds) - 1

    async def _stretch(self, scope: Scope, run_id: str, request_id: str) -> tuple[Event, ...] | None:
        """Return the events of the request that executed `request_id`: those between two answers."""
        try:
            events = await events_of(self._store, scope, run_id)
        except NotFound:
            return None
        starts = [
            0,
            *(place for place, event in enumerate(events) if isinstance(event.body, RequestAnswered)),
            len(events),
        ]
        for start, end in pairwise(starts):
            stretch = events[start:end]
            if any(_executed(event, request_id) for event in stretch):
                return tuple(stretch)
        return None


def _executed(event: Event, request_id: str) -> bool:
    body = event.body
    return isinstance(body, RoundExecuted) and request_id in {body.round.id, body.round.plan_id}
