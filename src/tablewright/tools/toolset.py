"""The tools of one run, looked up by name and called within limits."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from tablewright.domain.events import EventBody
from tablewright.models.base import ToolSpec
from tablewright.tools.base import Tool, ToolContext, ToolResult

TIMEOUT_S = 120.0
TEXT_CHARS = 20_000

log = logging.getLogger(__name__)


class Toolset:
    """Calls tools so that none can end the run: unknown tools, timeouts, long texts and exceptions become results."""

    def __init__(self, tools: Sequence[Tool], *, timeout_s: float = TIMEOUT_S, text_chars: int = TEXT_CHARS) -> None:
        self._tools = {tool.spec.name: tool for tool in tools}
        self._timeout_s = timeout_s
        self._text_chars = text_chars

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools' descriptions for the model."""
        return tuple(tool.spec for tool in self._tools.values())

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        context: ToolContext,
        emit: Callable[[EventBody], None] = lambda _: None,
    ) -> ToolResult:
        """Call the tool `name`, passing on what happens meanwhile; never raises for a failure of the tool."""
        tool = self._tools.get(name)
        if tool is None:
            near = get_close_matches(name, self._tools, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            return ToolResult(text=f"There is no tool {name}.{hint}", failed=True)
        try:
            async with asyncio.timeout(self._timeout_s):
                result = await _result(tool.call(arguments, context), emit)
        except TimeoutError:
            return ToolResult(text=f"The tool {name} did not answer within {self._timeout_s:g} seconds.", failed=True)
        except Exception as error:  # whatever a tool raises is a failed call, not a failed run
            log.warning("the tool %s failed in run %s", name, context.run_id, exc_info=error)
            return ToolResult(text=f"The tool {name} failed.", detail=f"{type(error).__name__}: {error}", failed=True)
        if result is None:
            return ToolResult(text=f"The tool {name} ended without a result.", failed=True)
        return self._shortened(result)

    def _shortened(self, result: ToolResult) -> ToolResult:
        if (left := len(result.text) - self._text_chars) <= 0:
            return result
        text = f"{result.text[: self._text_chars]}\n… ({left} more characters)"
        return ToolResult(text=text, shown=result.shown, detail=result.detail, failed=result.failed)


async def _result(items: AsyncIterator[EventBody | ToolResult], emit: Callable[[EventBody], None]) -> ToolResult | None:
    """Pass on the events of a call until its result comes; None if none comes."""
    try:
        async for item in items:
            if isinstance(item, ToolResult):
                return item
            emit(item)
        return None
    finally:
        if isinstance(items, AsyncGenerator):
            await items.aclose()


def as_text(value: object) -> str:
    """Return a value as text for a model."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
