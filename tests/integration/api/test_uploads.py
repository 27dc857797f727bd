"""Files on their way in: streamed, whole, or not at all."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from tests.support.parts import FakeParts

URL = "/api/v1/files"
CSV = b"a,b\n1,2\n"


def form(name: str = "a.csv", content: bytes = CSV, field: str = "file", boundary: str = "x") -> bytes:
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n'
    return head.encode() + b"Content-Type: text/csv\r\n\r\n" + content + f"\r\n--{boundary}--\r\n".encode()


async def send(client: httpx2.AsyncClient, body: bytes, boundary: str = "x") -> httpx2.Response:
    headers = {"content-type": f"multipart/form-data; boundary={boundary}"}
    return await client.post(URL, content=body, headers=headers)


@pytest.mark.parametrize("name", ["a.csv", "销售 报表.csv", "a'b.csv", "x" * 150 + ".csv"])
async def test_a_file_keeps_its_name(client: httpx2.AsyncClient, name: str) -> None:
    sent = await send(client, form(name))
    assert sent.status_code == 201, sent.text
    assert sent.json()["name"] == name


async def test_a_name_with_folders_loses_them(client: httpx2.AsyncClient) -> None:
    sent = await send(client, form("../../etc/a.csv"))
    assert sent.json()["name"] == "a.csv"


async def test_fields_before_the_file_are_passed_over(client: httpx2.AsyncClient) -> None:
    other = b'--x\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n'
    assert (await send(client, other + form())).status_code == 201


async def test_a_form_may_arrive_byte_by_byte(client: httpx2.AsyncClient) -> None:
    body = form("慢.csv")

    async def pieces() -> AsyncIterator[bytes]:
        for place in range(len(body)):
            yield body[place : place + 1]

    sent = await client.post(URL, content=pieces(), headers={"content-type": "multipart/form-data; boundary=x"})
    assert sent.status_code == 201
    assert (await client.get(f"{URL}/{sent.json()['id']}/download")).content == CSV


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (form(field="other"), "no file"),
        (b"--x--\r\n", "no file"),
        (form()[: -len("--x--\r\n")] + form("b.csv"), "one file"),
        (form()[:-12], "ended before"),
        (b"rubbish", "multipart"),
        (b"", "no file"),
    ],
)
async def test_a_form_that_is_none_is_refused_with_a_reason(client: httpx2.AsyncClient, body: bytes, said: str) -> None:
    sent = await send(client, body)
    assert sent.status_code == 422
    assert said in sent.json()["error"]["message"]
    assert sent.json()["error"]["field"] == "file"


async def test_json_is_no_upload(client: httpx2.AsyncClient) -> None:
    sent = await client.post(URL, json={"file": "x"})
    assert sent.status_code == 422
    assert sent.json()["error"]["field"] == "file"


async def test_a_file_that_cannot_be_read_leaves_nothing_behind(
    client: httpx2.AsyncClient, parts: FakeParts, tmp_path: Path
) -> None:
    sent = await send(client, form("a.csv", b"\0\1\2"))
    assert sent.status_code == 422
    assert sent.json()["error"]["code"] == "file_unreadable"
    assert "a.csv" in sent.json()["error"]["message"]
    assert (await client.get(URL)).json()["items"] == []
    assert not [path for path in (tmp_path / "blobs").rglob("*") if path.is_file() and path.name != ".lock"]


async def test_a_file_for_an_unknown_conversation_is_not_found(client: httpx2.AsyncClient) -> None:
    headers = {"content-type": "multipart/form-data; boundary=x"}
    sent = await client.post(URL, params={"conversation_id": "none"}, content=form(), headers=headers)
    assert sent.status_code == 404


async def test_a_conversation_begins_with_files_that_are_there(client: httpx2.AsyncClient) -> None:
    file = (await send(client, form())).json()["id"]
    begun = await client.post("/api/v1/conversations", json={"files": [file]})
    assert begun.status_code == 201, begun.text
    found = await client.get("/api/v1/files", params={"conversation_id": begun.json()["id"]})
    assert [one["id"] for one in found.json()["items"]] == [file]
    assert (await client.post("/api/v1/conversations", json={"files": ["none"]})).status_code == 404
    assert len((await client.get("/api/v1/conversations")).json()["items"]) == 1
