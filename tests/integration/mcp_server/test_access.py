"""Who reaches the tools over HTTP: names, origins, keys, and whose files a key sees."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from asgi_lifespan import LifespanManager
from tests.support.parts import FakeParts
from tests.support.patience import PATIENCE_S

from tablewright.api.access import Access
from tablewright.asgi import application
from tablewright.domain.ids import SystemClock
from tablewright.service.api_keys import ApiKeys

ACCEPT = {"accept": "application/json, text/event-stream"}
HELLO: dict[str, Any] = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


def message(method: str, number: int | None = 1, **params: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
    return made if number is None else {**made, "id": number}


@asynccontextmanager
async def served(
    folder: Path, *, keyless: bool = True, base: str = "http://127.0.0.1:8787", **more: bool
) -> AsyncIterator[httpx2.AsyncClient]:
    access = Access(keyless=keyless, read_key=ApiKeys(folder).scope_of)
    app = application(FakeParts(folder=folder).opening(), access, **more)
    async with LifespanManager(app) as running:
        transport = httpx2.ASGITransport(app=running.app)
        async with httpx2.AsyncClient(transport=transport, base_url=base, headers=ACCEPT, timeout=PATIENCE_S) as client:
            yield client


async def begun(client: httpx2.AsyncClient, **headers: str) -> dict[str, str]:
    """Begin a session; returns the headers of what follows in it."""
    answered = await client.post("/mcp", json=message("initialize", **HELLO), headers=headers)
    assert answered.status_code == 200, answered.text
    kept = {**headers, "mcp-session-id": answered.headers["mcp-session-id"]}
    told = await client.post("/mcp", json=message("notifications/initialized", None), headers=kept)
    assert told.status_code == 202
    return kept


async def previewed(client: httpx2.AsyncClient, place: str, headers: dict[str, str]) -> str:
    call = message("tools/call", 7, name="get_preview_data", arguments={"path_or_url": place})
    return (await client.post("/mcp", json=call, headers=headers)).text


async def test_on_loopback_no_key_is_needed_and_the_page_and_the_api_stay_where_they_were(tmp_path: Path) -> None:
    async with served(tmp_path) as client:
        headers = await begun(client)
        listed = await client.post("/mcp", json=message("tools/list", 2), headers=headers)
        assert "table_operation" in listed.text
        assert (await client.get("/")).status_code == 200
        assert (await client.get("/api/v1/files")).status_code == 200
        assert "event-stream" not in (await client.get("/sse")).headers["content-type"]


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "127.0.0.1.evil.example:8787"},
        {"origin": "https://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "null"},
    ],
)
async def test_foreign_names_and_pages_are_refused(tmp_path: Path, headers: dict[str, str]) -> None:
    async with served(tmp_path) as client:
        refused = await client.post("/mcp", json=message("initialize", **HELLO), headers=headers)
        assert refused.status_code == 403


async def test_a_form_of_a_foreign_page_cannot_call(tmp_path: Path) -> None:
    async with served(tmp_path) as client:
        sent = await client.post("/mcp", content=b'{"jsonrpc":"2.0"}', headers={"content-type": "text/plain"})
        assert sent.status_code == 422


async def test_off_loopback_a_key_is_needed_and_shows_its_owners_files_alone(tmp_path: Path) -> None:
    keys = ApiKeys(tmp_path)
    mine, theirs = (f"Bearer {keys.create(name, SystemClock(), owner=name)}" for name in ("me", "you"))
    async with served(tmp_path, keyless=False, base="https://tables.example") as client:
        for headers in ({}, {"authorization": "Bearer tw_wrong"}):
            assert (await client.post("/mcp", json=message("initialize", **HELLO), headers=headers)).status_code == 401
        sent = await client.post("/api/v1/files", files={"file": ("a.csv", b"x\n1\n")}, headers={"authorization": mine})
        file_id = sent.json()["id"]
        session = await begun(client, authorization=mine)
        assert '"shape":[1,1]' in (await previewed(client, file_id, session)).replace(" ", "")
        other = await begun(client, authorization=theirs)
        for place in (file_id, "a.csv", "/etc/passwd"):
            said = await previewed(client, place, other)
            assert "isError" in said.replace('"isError":false', "")
        taken = await client.post("/mcp", json=message("tools/list", 3), headers={**session, "authorization": theirs})
        assert taken.status_code == 404


async def test_without_sessions_a_call_stands_for_itself(tmp_path: Path) -> None:
    async with served(tmp_path, stateless=True) as client:
        listed = await client.post("/mcp", json=message("tools/list", 2))
        assert "analyze_data" in listed.text
