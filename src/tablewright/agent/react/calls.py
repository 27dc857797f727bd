"""Makes the calls of a turn: those of `run_python` one after the other, all others beside them.

The result of each call is stored with its end, so that after an interruption only the others are made again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace

from tablewright.agent.emission import Emit, stopped
from tablewright.agent.react.rules import ToolRules
from tablewright.domain.events import EventBody, ToolFinished, ToolStarted
from tablewright.domain.ids import Ids
from tablewright.domain.message import Message, ToolCallPart, ToolResultPart
from tablewright.models.structured_arguments import fitted
from tablewright.models.work_prompt import too_long_call, too_many_calls
from tablewright.tools.base import ToolContext, ToolResult
from tablewright.tools.toolset import Toolset

IN_ORDER = frozenset({"run_python", "code_interpreter"})
"""Tools whose calls share variables, so that their order matters."""
TOO_LONG = "too_long"
"""The argument of a call that stands for arguments which were too long."""
MOST_KEPT = 64
"""Calls of one turn beyond these are dropped without a word: they would only fill the memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCalls:
    """Makes calls of `toolset`; `keep` takes the results. One call that fails leaves the others alone."""

    toolset: Toolset
    context: ToolContext
    rules: ToolRules
    emit: Emit
    keep: Callable[[Message], None]
    digest: Callable[[str, Callable[[EventBody], None]], Awaitable[str]] | None = None
    """Makes shorter what is too long to be read at once."""

    allowed: bool = False
    """Whether a person has allowed the calls."""

    async def make(self, calls: Sequence[ToolCallPart], *, earlier: int = 0) -> None:
        """Make the calls and return once all have ended; `earlier` ones of their turn were made before."""
        most = max(0, self.rules.most_calls - earlier)
        for call in calls[most:]:
            self.refuse(call, too_many_calls(self.rules.most_calls, self.context.language))
        wanted = calls[:most]
        ordered = [call for call in wanted if call.name in IN_ORDER]
        groups = [ordered, *([call] for call in wanted if call.name not in IN_ORDER)]
        turn = asyncio.Semaphore(self.rules.at_once)
        tasks = [asyncio.create_task(self._all(group, turn)) for group in groups if group]
        try:
            await asyncio.gather(*tasks)
        finally:
            await stopped(*tasks)

    async def _all(self, calls: Sequence[ToolCallPart], turn: asyncio.Semaphore) -> None:
        for call in calls:
            async with turn:
                await self._make(call)

    async def _make(self, call: ToolCallPart) -> None:
        def passed_on(body: EventBody) -> None:
            """Pass on an event of the tool; one that belongs to no step belongs to the call."""
            self.emit(body if body.step_id is not None else replace(body, step_id=call.call_id))

        if isinstance(count := call.arguments.get(TOO_LONG), int) and len(call.arguments) == 1:
            most = self.rules.argument_chars
            self.refuse(call, too_long_call(count, most, self.context.language))
            return
        schema = next((spec.parameters for spec in self.toolset.specs if spec.name == call.name), {})
        arguments = fitted(call.arguments, schema)
        self.emit(ToolStarted(tool_call_id=call.call_id, name=call.name, arguments=arguments))
        began = self.context.clock.monotonic()
        result = await self.toolset.call(call.name, arguments, self.context, passed_on, allowed=self.allowed)
        if self.digest is not None and not result.failed:
            result = replace(result, text=await self.digest(result.text, passed_on))
        self._end(call, result, self.context.clock.monotonic() - began)

    def refuse(self, call: ToolCallPart, words: str) -> None:
        """Have a call fail with these words instead of making it."""
        self.emit(ToolStarted(tool_call_id=call.call_id, name=call.name))
        self._end(call, ToolResult(text=words, failed=True), 0.0)

    def _end(self, call: ToolCallPart, result: ToolResult, elapsed_s: float) -> None:
        self.keep(result_of(call, result.text, failed=result.failed))
        self.emit(
            ToolFinished(
                tool_call_id=call.call_id,
                name=call.name,
                text=result.text,
                failed=result.failed,
                elapsed_s=round(elapsed_s, 3),
            )
        )


def result_of(call: ToolCallPart, text: str, *, failed: bool = False) -> Message:
    """Return the result of a call as a message."""
    part = ToolResultPart(call_id=call.call_id, name=call.name, text=text, failed=failed)
    return Message(role="tool", parts=(part,))


def usable(said: Message, taken: Collection[str], ids: Ids, *, argument_chars: int = 200_000) -> Message:
    """Return what a model said with calls whose ids are their own, and whose arguments are not too long."""
    known = set(taken)
    parts: list[object] = []
    for part in said.parts:
        if not isinstance(part, ToolCallPart):
            parts.append(part)
            continue
        if sum(isinstance(each, ToolCallPart) for each in parts) >= MOST_KEPT:
            continue
        call = part if part.call_id and part.call_id not in known else replace(part, call_id=f"call-{ids.new()}")
        known.add(call.call_id)
        length = len(json.dumps(call.arguments, ensure_ascii=False, default=str))
        parts.append(call if length <= argument_chars else replace(call, arguments={TOO_LONG: length}))
    return Message(role=said.role, parts=tuple(parts))  # type: ignore[arg-type]  # parts of the message, or such calls
