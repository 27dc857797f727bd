"""What a tool does never ends the run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Any

import pytest
from tests.support.agent_bench import MemoryArtifacts

from tablewright.domain.events import EventBody, ProgressReported
from tablewright.domain.ids import CountingIds, SystemClock
from tablewright.models.base import ToolSpec
from tablewright.tools.base import ToolContext, ToolResult
from tablewright.tools.toolset import Toolset

CONTEXT = ToolContext(
    run_id="r", language="en", artifacts=MemoryArtifacts(), clock=SystemClock(), ids=CountingIds("id")
)


class Doing:
    """A tool that does what a test says."""

    def __init__(self, name: str, does: Callable[[Mapping[str, Any]], Awaitable[ToolResult | None]]) -> None:
        self.spec = ToolSpec(name=name, description="", parameters={"type": "object"})
        self._does = does

    async def call(self, arguments: Mapping[str, Any], context: ToolContext) -> AsyncGenerator[EventBody | ToolResult]:
        yield ProgressReported(message="begun")
        if (result := await self._does(arguments)) is not None:
            yield result
        yield ProgressReported(message="never seen")


async def echo(arguments: Mapping[str, Any]) -> ToolResult:
    return ToolResult(text=str(arguments["words"]), shown="shown")


async def broken(arguments: Mapping[str, Any]) -> ToolResult:
    raise ValueError("secret path /x")


async def endless(arguments: Mapping[str, Any]) -> ToolResult:
    await asyncio.Event().wait()
    raise AssertionError


async def test_a_tool_is_found_by_its_name_and_told_its_arguments() -> None:
    toolset = Toolset([Doing("echo", echo)])
    assert [spec.name for spec in toolset.specs] == ["echo"]
    assert "echo" in toolset
    assert await toolset.call("echo", {"words": "hi"}, CONTEXT) == ToolResult(text="hi", shown="shown")


async def nothing(arguments: Mapping[str, Any]) -> None:
    return None


async def test_what_happens_during_a_call_is_passed_on_until_its_result() -> None:
    seen: list[EventBody] = []
    await Toolset([Doing("echo", echo)]).call("echo", {"words": "hi"}, CONTEXT, seen.append)
    assert seen == [ProgressReported(message="begun")]


async def test_a_call_without_a_result_is_a_failed_result() -> None:
    result = await Toolset([Doing("nothing", nothing)]).call("nothing", {}, CONTEXT)
    assert (result.failed, result.text) == (True, "The tool nothing ended without a result.")


async def test_an_unknown_tool_is_a_failed_result_that_names_the_near_one() -> None:
    result = await Toolset([Doing("read_page", echo)]).call("read_pages", {}, CONTEXT)
    assert result.failed
    assert "read_page?" in result.text


async def test_a_tool_that_raises_is_a_failed_result_that_keeps_the_reason_from_the_model() -> None:
    result = await Toolset([Doing("broken", broken)]).call("broken", {}, CONTEXT)
    assert result.failed
    assert "secret" not in result.text
    assert result.detail == "ValueError: secret path /x"


async def test_a_tool_that_does_not_answer_is_left_after_its_time() -> None:
    result = await Toolset([Doing("endless", endless)], timeout_s=0.02).call("endless", {}, CONTEXT)
    assert result.failed
    assert "0.02 seconds" in result.text


async def test_what_is_very_long_is_cut_for_the_model() -> None:
    result = await Toolset([Doing("echo", echo)], text_chars=10).call("echo", {"words": "x" * 25}, CONTEXT)
    assert result.text == "x" * 10 + "\n… (15 more characters)"


async def test_stopping_the_run_stops_the_call() -> None:
    call = asyncio.create_task(Toolset([Doing("endless", endless)]).call("endless", {}, CONTEXT))
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
