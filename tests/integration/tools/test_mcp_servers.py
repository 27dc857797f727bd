"""Other programs' MCP servers as tools: started as a process, or spoken to over HTTP."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.support.agent_bench import Bench, MemoryArtifacts, code
from tests.support.mcp_bench import until
from tests.support.patience import PATIENCE_S, slow
from tests.support.processes import below

from tablewright.agent.code.analyst import CodeAnalyst
from tablewright.domain.events import ProgressReported
from tablewright.domain.ids import CountingIds, SystemClock
from tablewright.domain.message import ToolResultPart
from tablewright.models.base import ToolCalled
from tablewright.models.scripted import Reply, ScriptedModel
from tablewright.tools.base import Tool, ToolContext, ToolResult
from tablewright.tools.mcp_client import McpServer, McpTools

SCRIPT = Path(__file__).with_name("server.py")
CONTEXT = ToolContext(
    run_id="r", language="en", artifacts=MemoryArtifacts(), clock=SystemClock(), ids=CountingIds("id")
)
CALL_S = slow(2.0)
STARTED = McpServer(
    name="testing", command=sys.executable, args=(str(SCRIPT),), timeout_s=CALL_S, connect_timeout_s=PATIENCE_S
)


@asynccontextmanager
async def tools_of(*servers: McpServer) -> AsyncIterator[tuple[McpTools, dict[str, Tool]]]:
    tools = McpTools(servers, SystemClock())
    try:
        yield tools, {tool.spec.name: tool for tool in await tools.tools()}
    finally:
        await tools.close()


async def called(tool: Tool, arguments: dict[str, object]) -> ToolResult:
    (result,) = [item async for item in tool.call(arguments, CONTEXT)]
    assert isinstance(result, ToolResult)
    return result


@pytest.fixture
async def listening() -> AsyncIterator[str]:
    """The address of a server in a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(SCRIPT), str(port), stderr=asyncio.subprocess.DEVNULL
    )
    try:
        await until(lambda: _answers(port))
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


def _answers(port: int) -> bool:
    with socket.socket() as trying:
        return trying.connect_ex(("127.0.0.1", port)) == 0


async def test_a_started_server_has_its_tools_its_refusals_and_its_time_limit() -> None:
    before = below(os.getpid())
    async with tools_of(STARTED) as (_, tools):
        assert set(tools) == {"testing__add", "testing__refuse", "testing__wait", "testing__die"}
        spec = tools["testing__add"].spec
        assert spec.description == "Add two numbers."
        assert set(spec.parameters["properties"]) == {"a", "b"}
        assert (await called(tools["testing__add"], {"a": 2, "b": 3})).text == "5"
        refused = await called(tools["testing__refuse"], {})
        assert (refused.failed, refused.text) == (True, "not today")
        late = await called(tools["testing__wait"], {})
        assert late.failed
        assert f"within {CALL_S:g} seconds" in late.text
    await until(lambda: not below(os.getpid()) - before)


async def test_a_server_that_dies_is_a_failed_result_and_the_next_call_finds_it_again() -> None:
    async with tools_of(STARTED) as (_, tools):
        dead = await called(tools["testing__die"], {})
        assert dead.failed
        assert "testing ended" in dead.text
        assert (await called(tools["testing__add"], {"a": 2, "b": 2})).text == "4"


async def test_a_server_over_http_has_its_tools_and_may_die(listening: str) -> None:
    async with tools_of(McpServer(name="far", url=listening, timeout_s=PATIENCE_S)) as (_, tools):
        assert (await called(tools["far__add"], {"a": 1, "b": 1})).text == "2"
        assert (await called(tools["far__die"], {})).failed
        assert (await called(tools["far__add"], {"a": 1, "b": 1})).failed


async def test_a_server_that_cannot_be_had_has_no_tools_and_keeps_no_other_from_its() -> None:
    missing = McpServer(name="missing", command="/no/such/program", connect_timeout_s=5.0)
    closed = McpServer(name="closed", url="http://127.0.0.1:9/mcp", connect_timeout_s=5.0)
    async with tools_of(missing, closed, STARTED) as (_, tools):
        assert {name.partition("__")[0] for name in tools} == {"testing"}


async def test_a_server_that_never_lists_its_tools_has_none() -> None:
    script = str(SCRIPT.with_name("silent_server.py"))
    silent = McpServer(name="silent", command=sys.executable, args=(script,), connect_timeout_s=3.0)
    async with asyncio.timeout(PATIENCE_S), tools_of(silent, STARTED) as (_, tools):
        assert {name.partition("__")[0] for name in tools} == {"testing"}


async def test_the_code_analyst_calls_them_between_its_turns_and_reads_what_came() -> None:
    call = ToolCalled(call_id="c1", name="testing__add", arguments={"a": 40, "b": 2})
    model = ScriptedModel([Reply.of("I ask.", call), Reply.of(code(("Print", "print(42)"))), Reply.of("It is 42.")])
    async with tools_of(STARTED) as (tools, _):
        took = await Bench(agent=CodeAnalyst(tools=tools), model=model).ask()
    offered = [spec.name for spec in model.requests[0].tools]
    assert {"ask_user", "decline", "testing__add"} <= set(offered)
    (result,) = [part for m in took.transcript for part in m.parts if isinstance(part, ToolResultPart)]
    assert (result.call_id, result.text, result.failed, result.origin) == ("c1", "42", False, "tool")
    assert [event.message for event in took.of(ProgressReported)] == ["Calling the tool testing__add"]
    assert model.requests[1].messages[-1].role == "tool"
    assert took.answer.text == "It is 42."
