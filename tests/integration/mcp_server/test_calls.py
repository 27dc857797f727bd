"""What calls over HTTP announce, tell and refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.integration.mcp_server.test_access import HELLO, begun, message, served

TEA = b"product,amount\ntea,3\nink,9\n"


def said(response: httpx2.Response) -> list[dict[str, Any]]:
    """Return the messages of a reply."""
    lines = [line for line in response.text.splitlines() if line.startswith("data: ")]
    return [json.loads(line.removeprefix("data: ")) for line in lines] or [response.json()]


async def called(client: httpx2.AsyncClient, name: str, **arguments: Any) -> list[dict[str, Any]]:
    headers = await begun(client)
    call = message("tools/call", 7, name=name, arguments=arguments, _meta={"progressToken": "p"})
    return said(await client.post("/mcp", json=call, headers=headers))


async def uploaded(client: httpx2.AsyncClient, name: str) -> str:
    sent = await client.post("/api/v1/files", files={"file": (name, TEA)})
    return str(sent.json()["id"])


async def test_only_what_there_is_to_list_is_announced(tmp_path: Path) -> None:
    async with served(tmp_path) as client:
        (reply,) = said(await client.post("/mcp", json=message("initialize", **HELLO)))
        capabilities = reply["result"]["capabilities"]
        assert "tools" in capabilities
        assert not capabilities.keys() & {"resources", "prompts"}


@pytest.mark.parametrize("output", ["sales.csv", "out/SALES.csv", "C:\\tables\\Sales.CSV"])
async def test_a_result_does_not_take_the_name_of_an_input(tmp_path: Path, output: str) -> None:
    async with served(tmp_path) as client:
        for place in (await uploaded(client, "Sales.csv"), "Sales.csv"):
            arguments = {"instruction": "count the rows", "input_paths": [place], "output_path": output}
            *_, reply = await called(client, "table_operation", **arguments)
            assert reply["result"]["isError"]
            assert "give another name" in reply["result"]["content"][0]["text"]
        listed = (await client.get("/api/v1/files")).json()["items"]
        assert [file["name"] for file in listed] == ["Sales.csv"]


async def test_the_end_of_a_step_is_told_with_its_name(tmp_path: Path) -> None:
    async with served(tmp_path) as client:
        place = await uploaded(client, "sales.csv")
        replies = await called(client, "analyze_data", question="How many rows?", path_or_url=place)
        told = [one["params"] for one in replies if one.get("method") == "notifications/progress"]
        assert [one.get("message") for one in told] == ["数行", "数行"]
        assert [one["progress"] for one in told] == [1, 2]
