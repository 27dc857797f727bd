"""A question outlives the connection that brought it, over real HTTP."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.support.commands import Commands
from tests.support.excel_bench import ExcelClient
from tests.support.patience import PATIENCE_S, found

QUESTION = "What is the total amount by city?"


async def dropped(url: str, path: str, body: dict[str, Any], *, accept: str = "*/*", wait_s: float = 0.0) -> None:
    """Post `body`, and drop the connection after `wait_s` without reading an answer."""
    host, port = url.removeprefix("http://").split(":")
    _, writer = await asyncio.open_connection(host, int(port))
    content = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nhost: {host}:{port}\r\ncontent-type: application/json\r\n"
        f"accept: {accept}\r\ncontent-length: {len(content)}\r\n\r\n"
    )
    writer.write(head.encode() + content)
    await writer.drain()
    await asyncio.sleep(wait_s)
    writer.close()


async def unread_workbook(http: httpx2.AsyncClient, conversation: str, content: bytes) -> str:
    """Upload a table and edit a cell, so that its tables are to be read anew with the next question."""
    files = {"file": ("sales.csv", content)}
    made = (await http.post("/api/v1/files", params={"conversation_id": conversation}, files=files)).json()
    edit = {"function": "set_values", "range": "C2", "values": [[121]]}
    wanted = {"operations": [edit], "base_version": 1}
    edited = await http.post(f"/api/v1/workbooks/{made['id']}/edits", json=wanted)
    assert edited.status_code == 200, edited.text
    return str(made["id"])


async def run_of(http: httpx2.AsyncClient, conversation: str) -> str:
    """Return the run of the conversation's only question, once it is there."""

    async def look() -> str | None:
        items = (await http.get(f"/api/v1/conversations/{conversation}/messages")).json()["items"]
        return next((str(item["run_id"]) for item in items if item["text"] == QUESTION), None)

    return await found(look)


@pytest.mark.requirement("question-stored-first")
async def test_a_question_whose_connection_is_dropped_is_kept_and_answered(commands: Commands, sales: Path) -> None:
    content = await asyncio.to_thread(sales.read_bytes)
    async with commands.serving() as (url, _process), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        for accept in ("application/json", "text/event-stream"):
            for wait_s in (0.0, 0.02, 0.3):
                conversation = (await http.post("/api/v1/conversations", json={})).json()["id"]
                file_id = await unread_workbook(http, conversation, content)
                path = f"/api/v1/conversations/{conversation}/messages"
                await dropped(url, path, {"text": QUESTION, "files": [file_id]}, accept=accept, wait_s=wait_s)
                run_id = await run_of(http, conversation)
                events = (await http.get(f"/api/v1/runs/{run_id}/events")).text
                assert "event: answer.completed" in events
                assert (await http.get(f"/api/v1/runs/{run_id}")).json()["outcome"] == "completed"


@pytest.mark.requirement("question-stored-first")
async def test_a_request_of_a_channel_whose_connection_is_dropped_is_kept_and_planned(commands: Commands) -> None:
    async with commands.serving() as (url, _process), httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        rows = [["city", "amount"], ["Rome", 80], ["Oslo", 120]]
        sheet = {"name": "Sheet1", "range": "A1:B3", "data": rows}
        excel = ExcelClient(http=http, channel="ch-1", language="en", sheets=[sheet])
        await dropped(url, "/api/v1/excel/operations", excel.body("Highlight the top 2 by amount"))

        async def planned() -> list[dict[str, Any]] | None:
            for conversation in (await http.get("/api/v1/conversations")).json()["items"]:
                path = f"/api/v1/conversations/{conversation['id']}/messages"
                for message in (await http.get(path)).json()["items"]:
                    run = (await http.get(f"/api/v1/runs/{message['run_id']}")).json()
                    if run["state"] == "waiting":
                        return list(run["requests"])
            return None

        assert [request["kind"] for request in await found(planned)] == ["approval"]
