"""The tools of one run, looked up by name and called within limits."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from tablewright.domain.events import EventBody
from tablewright.domain.language import Language
from tablewright.errors import TablewrightError
from tablewright.models.base import ToolSpec
from tablewright.texts.errors import describe
from tablewright.tools.arguments import checked
from tablewright.tools.base import ConsentTool, SessionTool, TimedTool, Tool, ToolContext, ToolResult, TranslatedTool
from tablewright.tools.prompt_files import phrase

TIMEOUT_S = 120.0
TEXT_CHARS = 20_000
NAME_CHARS = 80
"""How much of an unknown tool's name is repeated."""

log = logging.getLogger(__name__)


class Toolset:
    """Calls tools so that none can end the run: unknown tools, arguments that do not fit, timeouts, long texts and
    exceptions become results that the model reads, in the language of the run."""

    def __init__(
        self,
        tools: Sequence[Tool],
        *,
        language: Language = "en",
        timeout_s: float = TIMEOUT_S,
        text_chars: int = TEXT_CHARS,
    ) -> None:
        self._tools = {tool.spec.name: tool for tool in tools}
        self._language = language
        self._timeout_s = timeout_s
        self._text_chars = text_chars

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools' descriptions for the model."""
        return tuple(spec_in(tool, self._language) for tool in self._tools.values())

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def consent(self, name: str, arguments: Mapping[str, Any]) -> str | None:
        """Return what a person is asked before this call is made; None if nothing, or if it would fail anyway."""
        tool = self._tools.get(name)
        if tool is None or not isinstance(tool, ConsentTool):
            return None
        told = checked(spec_in(tool, self._language).parameters, arguments, self._language)
        try:
            return None if told.problems else tool.consent(told.values, self._language)
        except TablewrightError:
            return None

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        context: ToolContext,
        emit: Callable[[EventBody], None] = lambda _: None,
        *,
        allowed: bool = False,
    ) -> ToolResult:
        """Call the tool `name`, passing on what happens meanwhile; never raises for a failure of the tool.

        `allowed`: a person has allowed the call, without which those that need it are not made.
        """
        language = context.language
        tool = self._tools.get(name)
        if tool is None:
            near = get_close_matches(name, self._tools, n=1)
            code = "tool_unknown_near" if near else "tool_unknown"
            return _failure(phrase(code, language, name=name[:NAME_CHARS], near="".join(near)))
        told = checked(tool.spec.parameters, arguments, language)
        if told.problems:
            problems = phrase("problem_semicolon", language).join(told.problems)
            return _failure(phrase("arguments_refused", language, tool=name, problems=problems))
        if isinstance(tool, ConsentTool) and not allowed:
            return _not_allowed(tool, told.values, language)
        limit_s = tool.limit_s if isinstance(tool, TimedTool) else self._timeout_s
        try:
            async with asyncio.timeout(limit_s):
                result = await _result(tool.call(told.values, context), emit)
        except TimeoutError:
            return _failure(phrase("tool_slow", language, name=name, limit_s=f"{limit_s:g}"))
        except TablewrightError as error:
            return ToolResult(text=describe(error, language), detail=str(error), failed=True)
        except Exception as error:  # whatever a tool raises is a failed call, not a failed run
            log.warning("the tool %s failed in run %s", name, context.run_id, exc_info=error)
            detail = f"{type(error).__name__}: {error}"
            return ToolResult(text=phrase("tool_failed", language, name=name), detail=detail, failed=True)
        if result is None:
            return _failure(phrase("tool_silent", language, name=name))
        return self._shortened(result, language)

    async def close(self) -> None:
        """Let go of what tools hold between calls, once there will be no more."""
        for tool in self._tools.values():
            if isinstance(tool, SessionTool):
                await tool.close()

    def _shortened(self, result: ToolResult, language: Language) -> ToolResult:
        if (left := len(result.text) - self._text_chars) <= 0:
            return result
        text = f"{result.text[: self._text_chars]}\n{phrase('more_chars', language, count=left)}"
        return replace(result, text=text)


def spec_in(tool: Tool, language: Language) -> ToolSpec:
    """Return the tool's description in `language`, or the only one that it has."""
    return tool.spec_in(language) if isinstance(tool, TranslatedTool) else tool.spec


def _not_allowed(tool: ConsentTool, arguments: Mapping[str, Any], language: Language) -> ToolResult:
    """Say why the call is not made: as it cannot be, or as nobody has allowed it."""
    try:
        tool.consent(arguments, language)
    except TablewrightError as error:
        return ToolResult(text=describe(error, language), detail=str(error), failed=True)
    return _failure(phrase("call_not_allowed", language))


def _failure(text: str) -> ToolResult:
    return ToolResult(text=text, failed=True)


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
