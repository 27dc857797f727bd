"""Makes the tool calls of a round: those of `run_python` one after the other, all others beside them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tablewright.agent.emission import Emit, stopped
from tablewright.domain.events import EventBody, ToolFinished, ToolStarted
from tablewright.domain.structured import ToolRequest
from tablewright.models.structured_arguments import fitted
from tablewright.tools.base import ToolContext
from tablewright.tools.toolset import Toolset

IN_ORDER = frozenset({"run_python"})
"""Tools whose calls share variables, so that their order matters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCalls:
    """Makes calls of `toolset` and emits what happens. One that fails leaves the others alone."""

    toolset: Toolset
    context: ToolContext
    emit: Emit

    async def make(self, calls: Sequence[ToolRequest]) -> None:
        """Make the calls and return once all have ended."""
        ordered = [call for call in calls if call.tool_name in IN_ORDER]
        groups = [ordered, *([call] for call in calls if call.tool_name not in IN_ORDER)]
        tasks = [asyncio.create_task(self._make_all(group)) for group in groups if group]
        try:
            await asyncio.gather(*tasks)
        finally:
            await stopped(*tasks)

    async def _make_all(self, calls: Sequence[ToolRequest]) -> None:
        for call in calls:
            await self._make(call)

    async def _make(self, call: ToolRequest) -> None:
        def passed_on(body: EventBody) -> None:
            """Pass on an event of the tool; one that belongs to no step belongs to the call."""
            self.emit(body if body.step_id is not None else replace(body, step_id=call.tool_call_id))

        name, arguments = call.tool_name, self._arguments(call)
        self.emit(ToolStarted(tool_call_id=call.tool_call_id, name=name, arguments=arguments))
        began = self.context.clock.monotonic()
        result = await self.toolset.call(name, arguments, self.context, passed_on)
        self.emit(
            ToolFinished(
                tool_call_id=call.tool_call_id,
                name=name,
                text=result.text,
                failed=result.failed,
                elapsed_s=round(self.context.clock.monotonic() - began, 3),
            )
        )

    def _arguments(self, call: ToolRequest) -> dict[str, object]:
        schema = next((spec.parameters for spec in self.toolset.specs if spec.name == call.tool_name), {})
        return fitted(call.arguments, schema)
