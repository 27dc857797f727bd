"""A program that calls tool services: written from the description of the wire; it reads lines that begin `data: `."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx2
from tests.support.patience import PATIENCE_S

TOKEN = {"authorization": "Bearer tw_ann"}


def lines_of(text: str) -> list[str]:
    """Return the data of a stream as the backend reads it: other lines are passed over."""
    return [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]


async def called(url: str, tool: str, body: Mapping[str, Any], **headers: str) -> list[dict[str, Any]]:
    """Call a service; returns its frames. The stream must end with `[DONE]`, and with nothing after it."""
    async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S, headers=headers) as http:
        got = await http.post(f"/tool/{tool}", json=dict(body))
    assert got.status_code == 200, got.text
    assert got.headers["content-type"].startswith("text/event-stream")
    lines = lines_of(got.text)
    assert lines.pop() == "[DONE]"
    return [json.loads(line) for line in lines if line != "heartbeat"]


async def posted(url: str, path: str, body: Mapping[str, Any], **headers: str) -> httpx2.Response:
    async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S, headers=headers) as http:
        return await http.post(path, json=dict(body))


async def got(address: str, **headers: str) -> httpx2.Response:
    async with httpx2.AsyncClient(timeout=PATIENCE_S, headers=headers) as http:
        return await http.get(address)
