"""Delegates to one of two agents, depending on whether the run has a workbook."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tablewright.agent.base import Agent, AgentContext, AgentInput
from tablewright.agent.emission import Item, closing
from tablewright.domain.rounds.ledger import is_kept_by_rounds


class ByWorkbook:
    """Chooses an agent when a run begins.

    A resumed run stays with the agent that wrote its transcript, whatever files were added or removed meanwhile.
    """

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
