"""What a structured query may leave out or name: fields that are null, and files that are texts."""

from __future__ import annotations

import httpx2
import pytest
from tests.support.parts import FakeParts
from tests.support.structured_bench import Told, call, calls, report, reporting_parts

from tablewright.tools.file_reader import FileReader

URL = "/api/v1/agent/query"


@pytest.fixture
def told() -> Told:
    """Return what the model will say."""
    return Told()


@pytest.fixture
def parts(parts: FakeParts, told: Told) -> FakeParts:
    return reporting_parts(parts, told, FileReader())


@pytest.mark.parametrize("name", ["conversation_id", "files", "stream", "step"])
async def test_a_field_that_is_null_is_absent(client: httpx2.AsyncClient, told: Told, name: str) -> None:
    told.say(report("done", number=1))
    got = await client.post(URL, json={"query": "How much?", name: None})
    assert got.status_code == 200, got.text
    assert got.json()["data"]["response"] == "done"


@pytest.mark.parametrize(
    ("name", "content"),
    [("sums.sql", "-- 合计\nSELECT city FROM sales".encode()), ("clean.py", "print('合计')".encode())],
)
async def test_code_and_statements_are_files_that_a_model_can_read(
    client: httpx2.AsyncClient, told: Told, name: str, content: bytes
) -> None:
    sent = await client.post("/api/v1/files", files={"file": (name, content)})
    assert sent.status_code == 201, sent.text
    assert sent.json()["kind"] == "other"
    told.say(calls(call("file_reader", path=name)), report("read"))

    got = await client.post(URL, json={"query": "What does it do?", "files": [name]})

    assert got.status_code == 200, got.text
    assert "合计" in told.requests[-1].messages[-1].text
