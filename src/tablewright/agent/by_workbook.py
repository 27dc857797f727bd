"""Two agents, of which one takes runs that have a workbook."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tablewright.agent.base import Agent, AgentContext, AgentInput
from tablewright.agent.emitting import Item, closing
from tablewright.agent.rounds.ledger import is_kept_by_rounds


class ByWorkbook:
    """Chooses when a run begins. A run that goes on stays with the agent that keeps its transcript, whatever files have
    come or gone meanwhile."""

    def __init__(self, with_workbook: Agent, without: Agent) -> None:
        self._with = with_workbook
        self._without = without

    async def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[Item]:
        begins = not given.transcript
        workbook = context.workbook is not None if begins else is_kept_by_rounds(given.transcript)
        agent = self._with if workbook else self._without
        async with closing(agent.run(given, context)) as items:
            async for item in items:
                yield item
