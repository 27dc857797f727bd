"""The table tools, called by real clients over every transport."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from mcp import ClientSession
from openpyxl import load_workbook
from tests.support.commands import Commands
from tests.support.mcp_bench import (
    TOOLS,
    Heard,
    over_http,
    over_sse,
    over_stdio,
    parameters,
)
from tests.support.patience import PATIENCE_S

PREPARED = ["Preparing the environment", "Data loaded"]
Opening = Callable[[str, Heard], AbstractAsyncContextManager[ClientSession]]


def steps(heard: Heard) -> list[str]:
    """The names in the notifications, each of which must have exactly this form."""
    told = [json.loads(message) for message in heard.messages]
    assert all(message == {"key_step": True, "content": "", "step": message["step"]} for message in told)
    return [message["step"] for message in told]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


async def called(session: ClientSession, name: str, arguments: dict[str, Any], heard: Heard | None = None) -> Any:
    callback = heard.moved if heard is not None else None
    async with asyncio.timeout(PATIENCE_S):
        return await session.call_tool(name, arguments, progress_callback=callback)


@asynccontextmanager
async def with_file(commands: Commands, sales: Path) -> AsyncIterator[tuple[str, str]]:
    """A service with one uploaded file; yields its URL and the file's id."""
    commands.environ = {"TABLEWRIGHT_MCP__SSE": "true"}
    async with commands.serving() as (url, _), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        with sales.open("rb") as file:
            sent = await http.post("/api/v1/files", files={"file": (sales.name, file)})
        yield url, sent.json()["id"]


@pytest.mark.requirement("mcp-three-tools")
async def test_over_stdio_all_three_tools_are_listed_and_called(tmp_path: Path, sales: Path) -> None:
    heard, before = Heard(), digest(sales)
    async with over_stdio(parameters(tmp_path), heard) as session:
        assert [tool.name for tool in (await session.list_tools()).tools] == TOOLS
        shown = (await called(session, "get_preview_data", {"path_or_url": str(sales), "nrows": 2})).structured_content
        assert shown["columns"] == ["city", "product", "amount"]
        assert shown["types"] == {"city": "text", "product": "text", "amount": "number"}
        assert (shown["shape"], len(shown["sample"])) == ([4, 3], 2)
        assert heard.messages == []

        asked = {"question": "What is the total amount?", "path_or_url": str(sales)}
        answered = await called(session, "analyze_data", asked, heard)
        assert "230.5" in answered.content[0].text
        assert set(answered.structured_content) == {"answer", "steps", "tables", "images", "files"}
        assert steps(heard)[:2] == PREPARED
        assert steps(heard)[2:] == [step["name"] for step in answered.structured_content["steps"]]
        assert heard.progress == sorted(set(heard.progress))
        assert heard.progress

        made = tmp_path / "by city.xlsx"
        arguments = {"instruction": "total amount by city", "input_paths": [str(sales)], "output_path": str(made)}
        told = json.loads((await called(session, "table_operation", arguments)).content[0].text)
        assert set(told) == {"file_path", "path_desc"}
        assert told["file_path"] == str(made)
        rows = list(load_workbook(made).active.iter_rows(values_only=True))
        assert {row[0]: row[1] for row in rows[1:]} == {"Beijing": 150.5, "Guangzhou": 0, "Shanghai": 80}
    assert digest(sales) == before


async def test_steps_are_told_in_the_language_of_the_question(tmp_path: Path, sales: Path) -> None:
    heard = Heard()
    async with over_stdio(parameters(tmp_path), heard) as session:
        await called(session, "analyze_data", {"question": "amount 的总和是多少？", "path_or_url": str(sales)})
    assert steps(heard)[:2] == ["初始化分析环境", "数据加载完成"]


@pytest.mark.parametrize("opening", [over_http, over_sse])
async def test_over_http_and_the_old_transport_the_callers_own_file_is_used(
    commands: Commands, sales: Path, opening: Opening
) -> None:
    async with with_file(commands, sales) as (url, file_id):
        heard = Heard()
        async with opening(url, heard) as session:
            assert [tool.name for tool in (await session.list_tools()).tools] == TOOLS
            shown = await called(session, "get_preview_data", {"path_or_url": file_id})
            assert shown.structured_content["shape"] == [4, 3]
            asked = {"question": "What is the total amount?", "path_or_url": sales.name}
            answered = await called(session, "analyze_data", asked, heard)
            assert "230.5" in answered.structured_content["answer"]
            assert steps(heard)[:2] == PREPARED
            assert len(steps(heard)) > 2
            wanted = {"instruction": "total amount by city", "input_paths": [file_id], "output_path": "by city.csv"}
            made = await called(session, "table_operation", wanted)
            place = json.loads(made.content[0].text)["file_path"]
            again = await called(session, "get_preview_data", {"path_or_url": place})
            assert again.structured_content["shape"] == [3, 2]
        async with httpx2.AsyncClient(base_url=url) as http:
            assert (await http.get(place)).text.splitlines()[0].startswith("city,")


async def test_fastmcps_client_works_over_stdio_and_http(commands: Commands, tmp_path: Path, sales: Path) -> None:
    server = parameters(tmp_path)
    stdio = StdioTransport(server.command, server.args, env=server.env, cwd=str(tmp_path))
    async with with_file(commands, sales) as (url, file_id):
        for transport, place in ((stdio, str(sales)), (f"{url}/mcp", file_id)):
            heard: list[str] = []

            async def log(message: Any, heard: list[str] = heard) -> None:
                heard.append(message.data["msg"])

            async with Client(transport, log_handler=log) as client:
                assert [tool.name for tool in await client.list_tools()] == TOOLS
                asked = {"question": "What is the total amount?", "path_or_url": place}
                answered = await client.call_tool("analyze_data", asked, timeout=PATIENCE_S)
                assert "230.5" in answered.structured_content["answer"]
                assert json.loads(heard[0])["step"] == PREPARED[0]
                shown = await client.call_tool("get_preview_data", {"path_or_url": place}, timeout=PATIENCE_S)
                assert shown.structured_content["shape"] == [4, 3]
                output = str(tmp_path / "fastmcp.csv") if transport is stdio else "fastmcp.csv"
                told = await client.call_tool(
                    "table_operation",
                    {"instruction": "total amount by city", "input_paths": [place], "output_path": output},
                    timeout=PATIENCE_S,
                )
                assert set(json.loads(told.data)) == {"file_path", "path_desc"}


@pytest.mark.requirement("mcp-never-overwrites")
async def test_outputs_never_replace_what_is_there_and_inputs_are_refused_in_every_spelling(
    tmp_path: Path, sales: Path
) -> None:
    (tmp_path / "kept.xlsx").write_bytes(b"mine")
    (tmp_path / "link.csv").symlink_to(sales)
    os.link(sales, tmp_path / "hard.csv")
    outputs = [
        str(sales),
        f"{tmp_path}/./sub/../sales.csv",
        "link.csv",
        "hard.csv",
        "kept.xlsx",
        "no/such/a.csv",
        "a.txt",
    ]
    before = digest(sales)
    async with over_stdio(parameters(tmp_path), Heard()) as session:
        for output in outputs:
            path = output if output.startswith("/") or output == "a.txt" else str(tmp_path / output)
            arguments = {"instruction": "total amount by city", "input_paths": [str(sales)], "output_path": path}
            refused = await called(session, "table_operation", arguments)
            assert refused.is_error, output
            assert "cannot be written" in refused.content[0].text
    assert digest(sales) == before
    assert (tmp_path / "kept.xlsx").read_bytes() == b"mine"


async def test_standard_output_carries_the_protocol_alone(commands: Commands) -> None:
    said = await commands.run("mcp", "--set", "log.level=debug")
    assert (said.code, said.out) == (0, "")
