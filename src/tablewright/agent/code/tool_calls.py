"""Tool calls between two turns of a model: executed in order, reported to the person, and answered to the model."""

from __future__ import annotations

from collections.abc import Sequence

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.code.queries import QuerySteps
from tablewright.agent.emission import Emit
from tablewright.domain.events import ProgressReported
from tablewright.domain.message import Message, ToolResultPart
from tablewright.models.base import ToolCalled
from tablewright.models.control import ASK_USER, DECLINE
from tablewright.texts.catalogue import text
from tablewright.tools.base import ToolProvider
from tablewright.tools.query_database import NAME as QUERY
from tablewright.tools.toolset import Toolset

MOST_CALLS = 30
"""How many calls one run may make."""


class ToolUse:
    """The tools of one run. `calls_of` selects the calls of a turn that are meant for them."""

    def __init__(self, provider: ToolProvider | None, queries: QuerySteps) -> None:
        self._provider = provider
        self._queries = queries
        self._made = 0
        self.toolset = Toolset(())

    async def open(self) -> None:
        """Look up the available tools."""
        provided = () if self._provider is None else await self._provider.tools()
        self.toolset = Toolset((*provided, *self._queries.tools))

    def calls_of(self, calls: Sequence[ToolCalled]) -> tuple[ToolCalled, ...]:
        """Return the calls to execute here: all, or none if the turn calls a control tool, which ends it."""
        if any(call.name in {ASK_USER, DECLINE} for call in calls) or not self.toolset.specs:
            return ()
        return tuple(calls)

    async def make(self, calls: Sequence[ToolCalled], given: AgentInput, context: AgentContext, emit: Emit) -> Message:
        """Execute the calls and return a message with their results for the model.

        Beyond `MOST_CALLS`, calls are refused.
        """
        about = context.for_tools(given)
        parts: list[ToolResultPart] = []
        for call in calls:
            self._made += 1
            if self._made > MOST_CALLS:
                words = text("agent.tools_used_up", given.language, count=MOST_CALLS)
                parts.append(ToolResultPart(call_id=call.call_id, name=call.name, text=words, failed=True))
                continue
            if call.name == QUERY:
                result = await self._queries.make(call, self.toolset, about)
            else:
                emit(ProgressReported(message=text("agent.tool_called", given.language, name=call.name)))
                result = await self.toolset.call(call.name, call.arguments, about, emit)
            parts.append(ToolResultPart(call_id=call.call_id, name=call.name, text=result.text, failed=result.failed))
        return Message(role="tool", parts=tuple(parts))
