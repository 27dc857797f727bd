"""Answers a message that may ask for a change where its answer is sure, and has the change planned otherwise."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from tablewright.agent.base import Agent, AgentContext, AgentInput
from tablewright.agent.emission import Item, closing
from tablewright.domain.events import PlanProposed, StepAnnounced, UsageReported
from tablewright.domain.rounds.ledger import is_kept_by_rounds
from tablewright.domain.rounds.plan import OperationPlan
from tablewright.domain.rounds.rules import reads

_CHART = "create_chart"


def _answers(plan: OperationPlan) -> bool:
    """Return whether a plan does what an answer does: it only reads, or it draws, which needs no workbook."""
    return all(reads(step) for step in plan.steps) or any(step.function == _CHART for step in plan.steps)


class PlanOrAnswer:
    """Answers what the answering agent is sure of; of the rest a change is proposed where the planner finds one that
    writes, and else it stands what the answering agent says: the readings it is unsure of, or that it cannot answer.

    It is sure where it announces a step: until then what it says is kept back, and so is what the planner says until
    it proposes a plan. A resumed run stays with the agent that wrote its transcript.
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
        answer = _KeptBack(self._otherwise.run(given, context), _is_sure)
        async with closing(answer.run()) as items:
            async for item in items:
                yield item
        if answer.is_told:
            return
        change = _KeptBack(self._planner.run(given, context), _writes)
        async with closing(change.run()) as items:
            async for item in items:
                yield item
        if not change.is_told:
            for item in answer.kept:
                yield item


def _is_sure(item: Item) -> bool | None:
    return True if isinstance(item, StepAnnounced) else None


def _writes(item: Item) -> bool | None:
    return not _answers(item.plan) if isinstance(item, PlanProposed) else None


class _KeptBack:
    """What an agent says, kept back until one item decides whether it `is_told`; what was used is told at once."""

    def __init__(self, items: AsyncIterator[Item], decides: Callable[[Item], bool | None]) -> None:
        self._items = items
        self._decides = decides
        self.kept: list[Item] = []
        self.is_told = False

    async def run(self) -> AsyncIterator[Item]:
        async with closing(self._items) as items:
            async for item in items:
                if self.is_told or isinstance(item, UsageReported):
                    yield item
                    continue
                self.kept.append(item)
                decided = self._decides(item)
                if decided is False:
                    return
                if decided:
                    self.is_told = True
                    for held in self.kept:
                        yield held
