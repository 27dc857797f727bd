"""The agent that analyses in structured rounds and reports."""

from __future__ import annotations

from collections.abc import AsyncIterator

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.emission import Item, closing, emitted
from tablewright.agent.structured.rounds import StructuredRounds
from tablewright.agent.structured.rules import StructuredRules
from tablewright.tools.base import ToolProvider


class Structured:
    """An `Agent` whose model asks for tool calls as JSON, up to six at a time, and writes the report in the end.

    With a person who wants to see each round first, every round of calls ends with `continue.asked`. Its state is its
    log: whichever process goes on, it goes on after the last call that had ended.
    """

    def __init__(self, rules: StructuredRules | None = None, tools: ToolProvider | None = None) -> None:
        self._rules = rules or StructuredRules()
        self._tools = tools

    async def run(self, given: AgentInput, context: AgentContext) -> AsyncIterator[Item]:
        items = emitted(
            lambda emit: StructuredRounds(given, context, self._rules, emit, self._tools).run(), context.late
        )
        async with closing(items):
            async for item in items:
                yield item
