"""Deep search as a tool of agents: the run's model plans and writes, and a call that is stopped stops."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any

from tests.support.patience import PATIENCE_S

from tablewright.data.base import FileContent
from tablewright.domain.artifact import ArtifactRef
from tablewright.domain.events import EventBody, ToolFinished, ToolStarted, UsageReported
from tablewright.domain.ids import SystemClock, Uuid7Ids
from tablewright.models.base import Model
from tablewright.models.scripted import ScriptedModel
from tablewright.tools.base import ToolContext, ToolResult
from tablewright.tools.deep_search.base import Document
from tablewright.tools.deep_search.search import DeepSearch
from tablewright.tools.deep_search.tool import DeepSearchTool
from tablewright.tools.memory import MemoryFiles
from tablewright.tools.toolset import Toolset

FILES = {"tea.md": FileContent(format="text", text="Tea rose by twelve percent.", chars=27, lines=1)}


class NoArtifacts:
    async def put(self, name: str, mime: str, content: Any) -> ArtifactRef:
        raise NotImplementedError


def context(model: Model | None, files: MemoryFiles | None = None) -> ToolContext:
    return ToolContext(
        run_id="r",
        language="en",
        artifacts=NoArtifacts(),
        clock=SystemClock(),
        ids=Uuid7Ids(),
        model=model,
        files=files or MemoryFiles(FILES),
    )


async def called(given: ToolContext) -> tuple[list[EventBody], ToolResult]:
    arguments = {"query": "What of tea?", "response_format": "standard"}
    items = [item async for item in DeepSearchTool().call(arguments, given)]
    last = items.pop()
    assert isinstance(last, ToolResult)
    return [item for item in items if not isinstance(item, ToolResult)], last


async def test_the_model_of_the_run_plans_and_writes_and_what_it_used_is_told() -> None:
    model = ScriptedModel(['{"queries": ["tea"]}', "It rose [1]."])
    events, result = await called(context(model))
    assert not result.failed
    assert "It rose [1]." in result.text
    assert "[1] tea.md — tea.md\n> Tea rose by twelve percent." in result.text
    assert [event.arguments["query"] for event in events if isinstance(event, ToolStarted)] == ["tea"]
    assert len(model.requests) == 2
    assert all(isinstance(event, ToolStarted | ToolFinished | UsageReported) for event in events)


async def test_without_a_model_the_passages_are_the_answer() -> None:
    _, result = await called(context(None))
    assert "> Tea rose by twelve percent." in result.text


async def test_wrong_arguments_are_told_as_those_of_any_tool() -> None:
    toolset = Toolset((DeepSearchTool(),), language="en")
    result = await toolset.call("deep_search", {"question": "x"}, context(None))
    assert result.failed
    assert "query" in result.text


async def test_a_search_that_is_stopped_stops_its_engine() -> None:
    working, stopped = asyncio.Event(), asyncio.Event()

    class Hanging:
        async def search(self, query: str, count: int) -> tuple[Document, ...]:
            try:
                working.set()
                await asyncio.Event().wait()
            finally:
                stopped.set()
            return ()

    async def write(task: Any, purpose: Any) -> str:
        return '{"queries": ["a"]}'

    search = DeepSearch(engine=Hanging(), write=write, ids=Uuid7Ids(), language="en")

    async def run() -> None:
        async with aclosing(search.run("a?")) as items:
            async for _ in items:
                pass

    task = asyncio.create_task(run())
    async with asyncio.timeout(PATIENCE_S):
        await working.wait()
        task.cancel()
        await asyncio.wait((task,))
        await stopped.wait()
    assert task.cancelled()
