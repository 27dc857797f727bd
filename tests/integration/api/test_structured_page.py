"""docs/reference/structured.md: what its examples say is what happens."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.support.parts import FakeParts
from tests.support.structured_bench import EchoTool, Told, reporting_parts

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "structured.md"
KINDS = "model|request|response|fault"
FENCE = re.compile(rf"^```json (?P<kind>{KINDS})(?: (?P<status>\d+))?\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
VARYING = {"conversation_id", "duration_ms", "message"}


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def parts(parts: FakeParts, told: Told) -> FakeParts:
    return reporting_parts(parts, told, EchoTool())


def alike(value: Any) -> Any:
    """Return a response without what differs from call to call, its fields in order."""
    if isinstance(value, dict):
        return [(name, "…" if name in VARYING else alike(each)) for name, each in value.items()]
    return [alike(each) for each in value] if isinstance(value, list) else value


async def test_the_examples_of_the_page_give_what_it_says(client: httpx2.AsyncClient, told: Told) -> None:
    got: httpx2.Response | None = None
    compared = 0
    for block in FENCE.finditer(PAGE.read_text("utf-8")):
        body = json.loads(block["body"])
        if block["kind"] == "model":
            told.say(block["body"])
        elif block["kind"] == "request":
            got = await client.post("/api/v1/agent/query", json=body)
        else:
            assert got is not None
            assert got.status_code == int(block["status"] or 200), got.text
            assert alike(got.json()) == alike(body)
            compared += 1
    assert (compared, told.replies) == (3, [])
