"""The agent that changes workbooks in rounds that a person confirms."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.emission import Emit, Item, closing, emitted
from tablewright.agent.rounds.conclusion import say
from tablewright.agent.rounds.machine import RoundsMachine
from tablewright.domain.rounds.rules import RoundRules
from tablewright.texts.catalogue import text


class Rounds:
    """An `Agent` for workbooks.

    A question to a person ends the iteration; it resumes from the transcript. Without a workbook, the agent declines.
    """

    def __init__(self, rules: RoundRules | None = None) -> None:
        self._rules = rules or RoundRules()

    async def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[Item]:
        run_workbook = context.workbook

        async def work(emit: Emit) -> None:
            if run_workbook is None:
                say(emit, text("rounds.no_workbook", given.language), "declined")
                return
            await RoundsMachine(given, context, run_workbook, self._rules, emit).run()

        async with closing(emitted(work, context.late)) as items:
            async for item in items:
                yield item
