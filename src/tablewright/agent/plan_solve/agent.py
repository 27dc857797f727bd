"""The agent that plans tasks and has them carried out."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.emission import Item, closing, emitted
from tablewright.agent.plan_solve.machine import PlanSolveRun
from tablewright.agent.plan_solve.rules import PlanRules


class PlanSolve:
    """An `Agent` that plans, has the tasks of each step carried out by child runs, and sums up.

    Its state is its log: whichever process goes on, what was carried out is not carried out again.
    """

    def __init__(self, rules: PlanRules | None = None) -> None:
        self._rules = rules or PlanRules()

    async def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[Item]:
        items = emitted(lambda emit: PlanSolveRun(given, context, self._rules, emit).run(), context.late)
        async with closing(items):
            async for item in items:
                yield item
