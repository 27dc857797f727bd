"""The agent that answers questions about tables by writing code in steps and running them."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.emitting import Item, closing, emitted
from tablewright.agent.loop import Loop, LoopRules


class CodeAnalyst:
    """An `Agent`. What it asks a person ends the iteration; it goes on from the transcript when it is answered."""

    def __init__(self, rules: LoopRules | None = None) -> None:
        self._rules = rules or LoopRules()

    async def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[Item]:
        items = emitted(lambda emit: Loop(given, context, self._rules, emit).run())
        async with closing(items):
            async for item in items:
                yield item
