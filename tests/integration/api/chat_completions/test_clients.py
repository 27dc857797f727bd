"""Requests of chat programs in the shapes in which they send them, recorded in tests/suites/chat_clients.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.support.chat_client import Opening
from tests.support.patience import PATIENCE_S

SUITE = Path(__file__).resolve().parents[3] / "suites" / "chat_clients.json"
CLIENTS: list[dict[str, Any]] = json.loads(SUITE.read_text("utf-8"))["clients"]


def filled(body: dict[str, Any], answer: str) -> dict[str, Any]:
    """Put the answer into a request, where it says so."""
    read: dict[str, Any] = json.loads(json.dumps(body).replace("{answer}", json.dumps(answer)[1:-1]))
    return read


def content_of(got: httpx2.Response) -> str:
    """Read a reply as chat programs do: line by line, with whatever they do not know passed over."""
    if "text/event-stream" not in got.headers["content-type"]:
        return str(got.json()["choices"][0]["message"]["content"])
    lines = [line.removeprefix("data: ") for line in got.text.splitlines() if line.startswith("data: ")]
    assert lines[-1] == "[DONE]"
    deltas = [choice["delta"] for line in lines[:-1] for choice in json.loads(line)["choices"]]
    return "".join(delta.get("content") or "" for delta in deltas)


@pytest.mark.requirement("openai-clients")
@pytest.mark.parametrize("program", CLIENTS, ids=[client["name"] for client in CLIENTS])
async def test_a_chat_program_is_understood(chats: Opening, program: dict[str, Any]) -> None:
    url = str((await chats()).client.base_url).rstrip("/")
    answers: list[str] = []
    places: list[str] = []
    async with httpx2.AsyncClient(timeout=PATIENCE_S) as http:
        for request in program["requests"]:
            before = request.get("answer_of", len(answers) - 1)
            body = filled(request["body"], answers[before] if answers else "")
            got = await http.post(f"{url}/chat/completions", json=body, headers=request["headers"])
            assert got.status_code == 200, got.text
            answers.append(content_of(got))
            place = got.headers["x-conversation-id"]
            if "same" in request:
                assert (place == places[before]) == request["same"]
            assert request.get("says", "You said") in answers[-1]
            places.append(place)
