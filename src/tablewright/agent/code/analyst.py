"""The agent that answers questions about tables by writing code in steps and running them."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.code.loop import Loop
from tablewright.agent.code.rules import LoopRules
from tablewright.agent.emission import Item, closing, emitted
from tablewright.tools.base import ToolProvider


class CodeAnalyst:
    """An `Agent` that writes and runs code. A question to a person ends the iteration; the transcript lets it resume.

    Models are also offered the `tools`; a model that only reads its task ignores them.
    """

    def __init__(self, rules: LoopRules | None = None, tools: ToolProvider | None = None) -> None:
        self._rules = rules or LoopRules()
        self._tools = tools

    async def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[Item]:
        items = emitted(lambda emit: Loop(given, context, self._rules, emit, self._tools).run(), context.late)
        async with closing(items):
            async for item in items:
                yield item
