"""The agent that works with tools."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.emission import Item, closing, emitted
from tablewright.agent.react.loop import ReactLoop
from tablewright.agent.react.rules import ToolRules
from tablewright.tools.base import ToolProvider


class React:
    """An `Agent` that calls tools turn by turn, until it writes an answer without a call or its turns are used up.

    Its transcript is its state: whichever process goes on, it goes on after the last call that had ended.
    """

    def __init__(self, rules: ToolRules | None = None, tools: ToolProvider | None = None) -> None:
        self._rules = rules or ToolRules()
        self._tools = tools

    async def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[Item]:
        items = emitted(lambda emit: ReactLoop(given, context, self._rules, emit, self._tools).run(), context.late)
        async with closing(items):
            async for item in items:
                yield item
