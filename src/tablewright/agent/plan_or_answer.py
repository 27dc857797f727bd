"""Lets a change of the workbook be planned where a message may ask for one, and has it answered otherwise."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tablewright.agent.base import Agent, AgentContext, AgentInput
from tablewright.agent.emission import Item, closing
from tablewright.domain.events import PlanProposed, UsageReported
from tablewright.domain.rounds.ledger import is_kept_by_rounds
from tablewright.domain.rounds.plan import OperationPlan
from tablewright.domain.rounds.rules import reads

_CHART = "create_chart"


def _answers(plan: OperationPlan) -> bool:
    """Return whether a plan does what an answer does: it only reads, or it draws, which needs no workbook."""
    return all(reads(step) for step in plan.steps) or any(step.function == _CHART for step in plan.steps)


class PlanOrAnswer:
    """Keeps back what the planner says until it proposes a plan that writes; if it never does, all that is dropped
    and the other agent answers.

    A resumed run stays with the agent that wrote its transcript.
    """

    def __init__(self, planner: Agent, otherwise: Agent) -> None:
        self._planner = planner
        self._otherwise = otherwise

    async def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[Item]:
        if given.transcript:
            agent = self._planner if is_kept_by_rounds(given.transcript) else self._otherwise
            async with closing(agent.run(given, context)) as items:
                async for item in items:
                    yield item
            return
        kept: list[Item] | None = []
        async with closing(self._planner.run(given, context)) as items:
            async for item in items:
                if kept is None or isinstance(item, UsageReported):
                    yield item
                    continue
                kept.append(item)
                if isinstance(item, PlanProposed):
                    if _answers(item.plan):
                        break
                    for held in kept:
                        yield held
                    kept = None
        if kept is None:
            return
        async with closing(self._otherwise.run(given, context)) as items:
            async for item in items:
                yield item
