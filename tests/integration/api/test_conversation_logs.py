"""The log of a structured query, from the request to the file, and what becomes of its code."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from asgi_lifespan import LifespanManager
from tests.support.parts import FakeParts
from tests.support.patience import found
from tests.support.structured_bench import KINDS, EchoTool, FixedTools, Told, call, calls, report

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.agent.structured.agent import Structured
from tablewright.api.access import Access
from tablewright.api.app import create_api
from tablewright.domain.events import EventBody, RouteChosen
from tablewright.domain.message import TranscriptEntry
from tablewright.models.scripted import ScriptedModel
from tablewright.service.conversation_logs.logs import AGENT

FIELDS = {
    "round_start": {"round"},
    "ModelInput": {"role", "content", "token_count"},
    "ModelOutput": {"raw_content", "structured_response", "token_count"},
    "round_end": {"round", "duration_ms"},
}


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def parts(parts: FakeParts, told: Told) -> FakeParts:
    async def script(given: AgentInput, context: AgentContext) -> AsyncIterator[EventBody | TranscriptEntry]:
        if not given.transcript:
            yield RouteChosen(agent=AGENT, reason="report")
        agent = Structured(tools=FixedTools(given=[EchoTool()]))
        async for item in agent.run(given, replace(context, model=ScriptedModel(told))):
            yield item

    parts.script = script
    parts.kinds = KINDS
    return parts


def logs(folder: Path) -> list[Path]:
    return sorted((folder / "logs" / "conversations").glob("*.jsonl"))


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


async def test_a_query_is_logged_by_rounds_with_every_field(
    parts: FakeParts, access: Access, told: Told, tmp_path: Path
) -> None:
    told.say("no JSON", calls(call("echo", text="42")), report("There are 42.\n```python\nprint(42)\n```"))
    api = create_api(parts.opening(), access)
    async with LifespanManager(api) as running:
        transport = httpx2.ASGITransport(app=running.app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8787") as client:
            body = (await client.post("/api/v1/agent/query", json={"query": "How many?"})).json()
            (saved,) = body["data"]["metadata"]["saved_codes"]
            kept = (await client.get(f"/api/v1/code/{saved['code_id']}")).json()
    assert kept["content"] == "print(42)"
    assert f"<!-- CODE_SAVED: {saved['code_id']} | print(42) -->" in body["data"]["response"]
    (path,) = logs(tmp_path)
    assert path.name.startswith(f"conversation_{body['data']['conversation_id']}_")
    lines = lines_of(path)
    assert [(line["type"], line.get("event")) for line in lines] == [
        ("round_start", None),
        ("ModelInput", None),
        ("ModelInput", None),
        ("ModelOutput", None),
        ("ModelInput", None),
        ("ModelOutput", None),
        ("BackendProcessing", "tool_call"),
        ("round_end", None),
        ("round_start", None),
        ("ModelInput", None),
        ("ModelOutput", None),
        ("BackendProcessing", "code_saved"),
        ("round_end", None),
    ]
    for line in lines:
        assert set(line) - {"type", "timestamp"} == FIELDS.get(line["type"], set(line) - {"type", "timestamp"})
        assert line["timestamp"].endswith("Z")


async def test_the_log_of_a_conversation_is_deleted_with_it(
    client: httpx2.AsyncClient, told: Told, tmp_path: Path
) -> None:
    told.say(report("Nothing.", number=1))
    body = (await client.post("/api/v1/agent/query", json={"query": "How many?"})).json()

    async def written() -> Path | None:
        return next(iter(logs(tmp_path)), None)

    await found(written)
    gone = await client.delete(f"/api/v1/conversations/{body['data']['conversation_id']}")
    assert gone.status_code == 204
    assert logs(tmp_path) == []
