"""Kept code and files by their names, over HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from tests.support.agent_bench import LocalSandbox
from tests.support.parts import FakeParts
from tests.support.patience import PATIENCE_S
from tests.support.service_bench import Items

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.code.supplied import SuppliedCode
from tablewright.agent.emission import closing
from tablewright.domain.scope import Scope
from tablewright.errors import NotFound

CODE = "code_20260309_0a1b2c3d"
TEXT = "# 各店合计\nprint(1)\n"


async def sent(client: httpx2.AsyncClient, name: str, content: str, into: str | None = None) -> str:
    params = {} if into is None else {"conversation_id": into}
    got = await client.post("/api/v1/files", params=params, files={"file": (name, content.encode())})
    assert got.status_code == 201, got.text
    return str(got.json()["id"])


async def conversation(client: httpx2.AsyncClient) -> str:
    return str((await client.post("/api/v1/conversations", json={"title": "t"})).json()["id"])


@pytest.fixture
async def kept(client: httpx2.AsyncClient) -> str:
    """Return the conversation in which code was kept, beside what only looks like it."""
    into = await conversation(client)
    await sent(client, f"{CODE}.py", TEXT, into)
    for name in ("code_20260309_0a1b2c3d.txt", "code_list.py", "data.txt"):
        await sent(client, name, "x", into)
    return into


async def test_kept_code_is_listed_read_and_downloaded(client: httpx2.AsyncClient, kept: str) -> None:
    (line,) = (await client.get("/api/v1/code")).json()["items"]
    assert (line["code_id"], line["file_path"]) == (CODE, f"data/{CODE}.py")
    assert (line["description"], line["original_length"]) == ("# 各店合计", len(TEXT))
    whole = (await client.get(f"/api/v1/code/{CODE}")).json()
    assert whole["content"] == TEXT
    file = await client.get(f"/api/v1/code/{CODE}/download")
    assert file.text == TEXT
    assert file.headers["content-type"] == "application/octet-stream"
    assert f"{CODE}.py" in file.headers["content-disposition"]


async def test_kept_code_is_listed_by_conversation(client: httpx2.AsyncClient, kept: str) -> None:
    of_it = await client.get("/api/v1/code", params={"conversation_id": kept})
    assert len(of_it.json()["items"]) == 1
    other = await client.get("/api/v1/code", params={"conversation_id": await conversation(client)})
    assert other.json()["items"] == []
    assert (await client.get("/api/v1/code", params={"conversation_id": "none"})).status_code == 404


@pytest.mark.parametrize("code_id", ["code_20260309_ffffffff", "code_list", "data", "..%2Fdata"])
async def test_code_that_was_not_kept_is_not_found(client: httpx2.AsyncClient, kept: str, code_id: str) -> None:
    for path in (code_id, f"{code_id}/download"):
        got = await client.get(f"/api/v1/code/{path}", headers={"accept-language": "zh"})
        assert got.status_code == 404
    assert (
        (await client.get("/api/v1/code/code_list", headers={"accept-language": "zh"}))
        .json()["error"]["message"]
        .startswith("这里没有代码")
    )


async def test_the_newest_file_of_a_name_is_downloaded_or_that_of_a_conversation(client: httpx2.AsyncClient) -> None:
    first, second = await conversation(client), await conversation(client)
    await sent(client, "报告 1.txt", "old", first)
    await sent(client, "报告 1.txt", "new", second)
    path = "/api/v1/files/download/报告 1.txt"
    assert (await client.get(path)).text == "new"
    old = await client.get(path, params={"conversation_id": first})
    assert old.text == "old"
    assert old.headers["content-security-policy"] == "sandbox; default-src 'none'"


async def test_a_name_that_nobody_uses_is_not_found(client: httpx2.AsyncClient) -> None:
    for name in ("none.csv", "preview", "..%2F..%2Fetc%2Fpasswd"):
        got = await client.get(f"/api/v1/files/download/{name}")
        assert got.status_code == 404, name


@pytest.fixture
def sandbox(parts: FakeParts) -> LocalSandbox:
    """Have every run execute the code that it is given, in this sandbox."""
    sandbox = LocalSandbox()

    async def script(given: AgentInput, context: AgentContext) -> Items:
        async with closing(SuppliedCode().run(given, replace(context, sandbox=sandbox))) as items:
            async for item in items:
                yield item

    parts.script = script
    return sandbox


async def ended(client: httpx2.AsyncClient, run_id: str) -> dict[str, Any]:
    """Watch a run to its end and return it."""
    async with asyncio.timeout(PATIENCE_S):
        await client.get(f"/api/v1/runs/{run_id}/events")
    got: dict[str, Any] = (await client.get(f"/api/v1/runs/{run_id}")).json()
    return got


@pytest.mark.requirement("saved-code-run-again")
async def test_kept_code_is_run_again_as_a_run_of_its_conversation(
    client: httpx2.AsyncClient, sandbox: LocalSandbox, kept: str
) -> None:
    got = await client.post(f"/api/v1/code/{CODE}/run")
    assert got.status_code == 202
    assert got.headers["location"] == f"/api/v1/runs/{got.json()['run_id']}"
    run = await ended(client, got.json()["run_id"])
    assert (run["conversation_id"], run["outcome"], run["answer"]["text"]) == (kept, "completed", "1")
    assert sandbox.executed == [TEXT]
    said = (await client.get(f"/api/v1/conversations/{kept}/messages")).json()["items"]
    assert [(one["author"], one["text"]) for one in said] == [
        ("user", f"Run the saved code {CODE} (# 各店合计)"),
        ("assistant", "1"),
    ]


@pytest.mark.requirement("saved-code-run-again")
async def test_kept_code_is_streamed_as_every_run_is(
    client: httpx2.AsyncClient, sandbox: LocalSandbox, kept: str
) -> None:
    got = await client.post(f"/api/v1/code/{CODE}/run", headers={"accept": "text/event-stream"})
    assert got.status_code == 200
    events = [json.loads(line[6:]) for line in got.text.splitlines() if line.startswith("data: ")]
    assert [event["seq"] for event in events] == [*range(1, len(events) + 1)]
    types = [event["body"]["type"] for event in events]
    assert types == [
        "run.started",
        "message.added",
        "step.announced",
        "code.finished",
        "step.started",
        "output.text",
        "step.finished",
        "answer.completed",
        "message.added",
        "run.finished",
    ]


async def test_kept_code_is_run_in_another_conversation_where_one_is_named(
    client: httpx2.AsyncClient, sandbox: LocalSandbox, kept: str
) -> None:
    other = await conversation(client)
    got = await client.post(f"/api/v1/code/{CODE}/run", json={"conversation_id": other})
    assert (await ended(client, got.json()["run_id"]))["conversation_id"] == other


@pytest.mark.requirement("saved-code-refused")
async def test_code_that_cannot_be_run_is_refused_with_the_reason(
    client: httpx2.AsyncClient, parts: FakeParts, sandbox: LocalSandbox, kept: str
) -> None:
    async def fault(code_id: str, body: dict[str, Any] | None = None) -> tuple[int, str, str]:
        got = await client.post(f"/api/v1/code/{code_id}/run", json=body or {}, headers={"accept-language": "zh"})
        error = got.json()["error"]
        return got.status_code, error["code"], error["message"]

    status, code, words = await fault("code_20260309_ffffffff")
    assert (status, code) == (404, "not_found")
    assert words.startswith("这里没有代码")
    assert (await fault(CODE, {"conversation_id": "none"}))[:2] == (404, "not_found")
    assert (await fault(CODE, {"other": 1}))[:2] == (422, "invalid_input")

    sandbox.gate = asyncio.Event()
    first = (await client.post(f"/api/v1/code/{CODE}/run")).json()["run_id"]
    assert (await fault(CODE))[:2] == (409, "run_in_progress")
    await asyncio.wait_for(sandbox.held.wait(), PATIENCE_S)
    await client.post(f"/api/v1/runs/{first}/cancel")
    assert ((await ended(client, first))["outcome"], sandbox.ended) == ("cancelled", [TEXT])

    await client.delete(f"/api/v1/conversations/{kept}")
    assert (await fault(CODE))[0] == 422
    file_id = (await client.get(f"/api/v1/code/{CODE}")).json()["file_id"]
    await client.delete(f"/api/v1/files/{file_id}")
    assert (await fault(CODE))[:2] == (404, "not_found")


@pytest.mark.requirement("saved-code-refused")
async def test_code_that_fails_ends_its_run_with_the_error_and_without_another_try(
    client: httpx2.AsyncClient, sandbox: LocalSandbox
) -> None:
    into = await conversation(client)
    await sent(client, f"{CODE}.py", "print('so far')\nraise ValueError('no such column: 销售额')", into)
    run = await ended(client, (await client.post(f"/api/v1/code/{CODE}/run")).json()["run_id"])
    assert (run["outcome"], run["failure"]["code"]) == ("failed", "supplied_code_failed")
    assert "no such column: 销售额" in run["failure"]["message"]
    assert len(sandbox.executed) == 1


@pytest.mark.requirement("saved-code-refused")
async def test_code_of_another_owner_does_not_exist(parts: FakeParts, sandbox: LocalSandbox) -> None:
    async with parts.opening() as app:
        mine, other = Scope(), Scope(owner="other")
        home = await app.conversations.create(mine)
        pieces = _pieces(TEXT.encode())
        await app.files.upload(mine, name=f"{CODE}.py", content=pieces, conversation_id=home.id, tables_needed=False)
        for wanted in (None, home.id):
            with pytest.raises(NotFound):
                await app.saved_code.run(other, CODE, conversation_id=wanted)


async def _pieces(content: bytes) -> AsyncIterator[bytes]:
    yield content
