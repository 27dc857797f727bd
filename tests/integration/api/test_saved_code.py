"""Kept code and files by their names, over HTTP."""

from __future__ import annotations

import httpx2
import pytest

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
