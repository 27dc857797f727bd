"""The agent that changes workbooks in rounds that a person confirms."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.emitting import Emit, Item, closing, emitted
from tablewright.agent.rounds.concluding import say
from tablewright.agent.rounds.rules import RoundRules
from tablewright.agent.rounds.work import RoundsWork
from tablewright.texts.catalogue import text


class Rounds:
    """An `Agent` for workbooks.

    A question to a person ends the iteration; it resumes from the transcript. Without a workbook, the agent declines.
    """

    def __init__(self, rules: RoundRules | None = None) -> None:
        self._rules = rules or RoundRules()

    async def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[Item]:
        desk = context.workbook

        async def work(emit: Emit) -> None:
            if desk is None:
                say(emit, text("rounds.no_workbook", given.language), "declined")
                return
            await RoundsWork(given, context, desk, self._rules, emit).run()

        async with closing(emitted(work, context.late)) as items:
            async for item in items:
                yield item
