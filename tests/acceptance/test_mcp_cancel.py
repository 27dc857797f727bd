"""Calls of the table tools that are cancelled, or whose clients leave: the model, the code and the processes stop."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, ClientSession
from tests.support.commands import Commands
from tests.support.fake_openai import FakeOpenAI
from tests.support.mcp_bench import (
    TOOLS,
    Heard,
    over_http,
    over_sse,
    over_stdio,
    parameters,
    until,
)
from tests.support.patience import PATIENCE_S
from tests.support.processes import below, large
from tests.support.scripted_http import Hang
from tests.support.wire import Say

CALLS = 6
SPINNING = "<|begin_code|>\n# @step: Spin\nblock = b'x' * 400_000_000\nwhile True:\n    pass\n# @step: Then\nprint(1)\n"
HEADERS = {"accept": "application/json, text/event-stream"}
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
Opening = Callable[[str, Heard], AbstractAsyncContextManager[ClientSession]]


@dataclass(slots=True, kw_only=True)
class Stage:
    """A service whose model writes code that never ends, and goes on writing; and a file of its caller."""

    model: FakeOpenAI
    url: str
    file_id: str

    @property
    def arguments(self) -> dict[str, Any]:
        return {"question": "sum?", "path_or_url": self.file_id}

    async def at_work(self, number: int = 1, call: asyncio.Task[Any] | None = None) -> None:
        """Return when the model has begun to answer the call of this number, and its code runs."""
        done = call.done if call is not None else bool
        await until(lambda: len(self.model.requests) >= number or done())
        await until(lambda: bool(large(below(os.getpid()))) or done())

    async def at_rest(self) -> None:
        """Return when every stream of the model is left and the code has ended."""
        for request in self.model.requests:
            await asyncio.wait_for(request.left.wait(), PATIENCE_S)
        await until(lambda: not large(below(os.getpid())))


def environ(model: FakeOpenAI, **more: str) -> dict[str, str]:
    return {
        "TABLEWRIGHT_PROVIDERS__OPENAI__BASE_URL": model.base_url,
        "TABLEWRIGHT_PROVIDERS__OPENAI__API_KEY": "k",
        "TABLEWRIGHT_MODEL": "openai:fake",
        **more,
    }


@asynccontextmanager
async def staged(commands: Commands, sales: Path, **more: str) -> AsyncIterator[Stage]:
    async with FakeOpenAI() as model:
        for _ in range(CALLS):
            model.says(Say(text=SPINNING), Hang())
        commands.environ = environ(model, **more)
        async with commands.serving() as (url, _), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
            with sales.open("rb") as file:
                sent = await http.post("/api/v1/files", files={"file": (sales.name, file)})
            yield Stage(model=model, url=url, file_id=sent.json()["id"])


async def cancelled_again_and_again(session: ClientSession, stage: Stage) -> None:
    """Each call ends when it is cancelled, and the session goes on."""
    for number in range(1, CALLS + 1):
        call = asyncio.create_task(session.call_tool("analyze_data", stage.arguments))
        await stage.at_work(number, call)
        assert not call.done()
        call.cancel()
        await asyncio.wait((call,))
        await stage.at_rest()
    assert [tool.name for tool in (await session.list_tools()).tools] == TOOLS


@pytest.mark.requirement("mcp-cancel-leaves-nothing")
@pytest.mark.parametrize("opening", [over_http, over_sse])
async def test_cancelled_calls_stop_the_model_and_the_code_and_leave_no_process_and_the_session_goes_on(
    commands: Commands, sales: Path, opening: Opening
) -> None:
    async with staged(commands, sales, TABLEWRIGHT_MCP__SSE="true") as stage:
        heard = Heard()
        async with opening(stage.url, heard) as session:
            await cancelled_again_and_again(session, stage)
        assert any("Spin" in message for message in heard.messages)


@pytest.mark.requirement("mcp-cancel-leaves-nothing")
async def test_cancelled_calls_over_stdio_leave_nothing(tmp_path: Path, sales: Path) -> None:
    async with FakeOpenAI() as model:
        for _ in range(CALLS):
            model.says(Say(text=SPINNING), Hang())
        stage = Stage(model=model, url="", file_id=str(sales))
        async with over_stdio(parameters(tmp_path, **environ(model)), Heard()) as session:
            await cancelled_again_and_again(session, stage)


@pytest.mark.requirement("mcp-cancel-leaves-nothing")
async def test_without_sessions_a_call_is_cancelled_by_the_newest_revision_of_the_protocol(
    commands: Commands, sales: Path
) -> None:
    async with (
        staged(commands, sales, TABLEWRIGHT_MCP__STATELESS="true") as stage,
        Client(f"{stage.url}/mcp") as client,
    ):
        call = asyncio.create_task(client.call_tool("analyze_data", stage.arguments))
        await stage.at_work(1, call)
        assert not call.done()
        call.cancel()
        await asyncio.wait((call,))
        await stage.at_rest()
        assert [tool.name for tool in (await client.list_tools()).tools] == TOOLS


@pytest.mark.requirement("mcp-cancel-leaves-nothing")
@pytest.mark.parametrize("stateless", ["false", "true"])
async def test_a_client_that_closes_its_connection_before_it_has_its_answer_cancels_the_call(
    commands: Commands, sales: Path, stateless: str
) -> None:
    async with (
        staged(commands, sales, TABLEWRIGHT_MCP__STATELESS=stateless) as stage,
        httpx2.AsyncClient(base_url=stage.url, headers=HEADERS, timeout=PATIENCE_S) as http,
    ):
        headers = {"mcp-protocol-version": str(HELLO["protocolVersion"])}
        if stateless == "false":
            begun = await http.post("/mcp", json=_message("initialize", HELLO))
            headers["mcp-session-id"] = begun.headers["mcp-session-id"]
            await http.post("/mcp", json=_message("notifications/initialized", {}, None), headers=headers)
        call = _message("tools/call", {"name": "analyze_data", "arguments": stage.arguments}, 7)
        async with http.stream("POST", "/mcp", json=call, headers=headers) as answer:
            assert answer.status_code == 200
            await stage.at_work()
        await stage.at_rest()
        listed = await http.post("/mcp", json=_message("tools/list", {}, 8), headers=headers)
        assert TOOLS[0] in listed.text


@pytest.mark.requirement("mcp-cancel-leaves-nothing")
async def test_a_client_of_the_old_transport_that_closes_its_stream_cancels_its_calls(
    commands: Commands, sales: Path
) -> None:
    async with staged(commands, sales, TABLEWRIGHT_MCP__SSE="true") as stage:
        async with over_sse(stage.url, Heard()) as session:
            call = asyncio.create_task(session.call_tool("analyze_data", stage.arguments))
            await stage.at_work(1, call)
        await asyncio.gather(call, return_exceptions=True)
        await stage.at_rest()


@pytest.mark.requirement("mcp-cancel-leaves-nothing")
async def test_a_client_over_stdio_that_leaves_takes_everything_with_it(tmp_path: Path, sales: Path) -> None:
    before = below(os.getpid())
    async with FakeOpenAI() as model:
        model.says(Say(text=SPINNING), Hang())
        stage = Stage(model=model, url="", file_id=str(sales))
        async with over_stdio(parameters(tmp_path, **environ(model)), Heard()) as session:
            call = asyncio.create_task(session.call_tool("analyze_data", stage.arguments))
            await stage.at_work(1, call)
        await asyncio.gather(call, return_exceptions=True)
        await until(lambda: not below(os.getpid()) - before)
        await stage.at_rest()


def _message(method: str, params: dict[str, Any], number: int | None = 1) -> dict[str, Any]:
    made: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
    return made if number is None else {**made, "id": number}
