"""The bridge of Genie as a client of our tools, over the older transport that it speaks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import httpx2
import pytest
from tests.support.chat_client import served
from tests.support.genie_bridge import Bridge
from tests.support.genie_client import KEYS
from tests.support.mcp_bench import TOOLS
from tests.support.parts import FakeParts
from tests.support.patience import PATIENCE_S

from tablewright.api.access import Access
from tablewright.asgi import application

KEY = {"Authorization": "Bearer tw_ann", "X-Server-Keys": "Authorization"}


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    access = Access(keyless=False, read_key=KEYS.get)
    async with served(FakeParts(folder=tmp_path), access, partial(application, sse=True)) as address:
        yield address.removesuffix("/v1")


@pytest.mark.requirement("genie-bridge")
async def test_the_tools_are_listed_with_what_the_backend_reads(url: str) -> None:
    bridge = Bridge(headers=KEY)
    assert await bridge.pong(f"{url}/sse") == {"code": 200, "message": "success", "data": None}
    reply = await bridge.list(f"{url}/sse")
    assert reply["code"] == 200
    assert sorted(tool["name"] for tool in reply["data"]) == sorted(TOOLS)
    assert all(tool["description"] and tool["inputSchema"]["type"] == "object" for tool in reply["data"])


@pytest.mark.requirement("genie-bridge")
async def test_a_tool_is_called_as_who_has_the_forwarded_key(url: str) -> None:
    async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S, headers=KEY) as http:
        await http.post("/api/v1/files", files={"file": ("tea.csv", b"product,amount\ntea,3\n")})
    reply = await Bridge(headers=KEY).call(f"{url}/sse", "get_preview_data", {"path_or_url": "tea.csv"})
    assert (reply["code"], reply["data"]["isError"]) == (200, False)
    assert "tea" in reply["data"]["content"][0]["text"]
    failed = await Bridge(headers=KEY).call(f"{url}/sse", "get_preview_data", {"path_or_url": "none.csv"})
    assert (failed["code"], failed["data"]["isError"]) == (200, True)


@pytest.mark.requirement("genie-bridge")
async def test_without_a_forwarded_key_nothing_is_reached(url: str) -> None:
    headers = {name: value for name, value in KEY.items() if name != "X-Server-Keys"}
    for bridge in (Bridge(), Bridge(headers=headers)):
        assert (await bridge.list(f"{url}/sse"))["code"] == 500
