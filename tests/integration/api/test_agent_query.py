"""Structured queries over HTTP: a scripted model, tools that say something again, the whole way through the service."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx2
import pytest
from tests.support.malformed_answers import kept
from tests.support.parts import FakeParts
from tests.support.patience import PATIENCE_S
from tests.support.structured_bench import EchoTool, Told, call, calls, report, reporting_parts

URL = "/api/v1/agent/query"


@pytest.fixture
def told() -> Told:
    """Return what the model will say."""
    return Told()


@pytest.fixture
def tool() -> EchoTool:
    return EchoTool()


@pytest.fixture
def parts(parts: FakeParts, told: Told, tool: EchoTool) -> FakeParts:
    return reporting_parts(parts, told, tool)


async def ask(client: httpx2.AsyncClient, **asked: Any) -> dict[str, Any]:
    got = await client.post(URL, json=asked)
    assert got.status_code == 200, got.text
    body: dict[str, Any] = got.json()
    return body


async def upload(client: httpx2.AsyncClient, name: str = "sales.csv", **where: str) -> dict[str, Any]:
    got = await client.post("/api/v1/files", params=where, files={"file": (name, b"city,amount\nA,1\nB,2\n")})
    assert got.status_code == 201, got.text
    file: dict[str, Any] = got.json()
    return file


def frames(text: str) -> list[dict[str, Any]]:
    """Read a stream in which every event is one line of data."""
    events = [event for event in text.split("\n\n") if event.strip() and not event.startswith(":")]
    assert all(event.startswith("data: ") and "\n" not in event for event in events), text
    return [json.loads(event.removeprefix("data: ")) for event in events]


@pytest.mark.requirement("structured-wire")
async def test_the_call_returns_the_last_round_with_the_earlier_ones_in_its_metadata(
    client: httpx2.AsyncClient, told: Told
) -> None:
    told.say(
        calls(call("echo", text="42")), report("# 42", recommended_questions=["Why?"], download_links=["none.csv"])
    )

    body = await ask(client, query="How much?")

    data = body["data"]
    assert list(body) == ["success", "data"]
    assert list(data) == ["response", "conversation_id", "duration_ms", "tool_calls", "artifacts", "metadata"]
    assert (body["success"], data["response"], data["tool_calls"], data["artifacts"]) == (True, "# 42", [], [])
    assert data["metadata"] == {
        "content_type": "markdown",
        "has_structured_response": True,
        "action_type": "complete",
        "current_round": 2,
        "task_analysis": "Look first.",
        "execution_plan": "R1: look; R2: report",
        "status": "complete",
        "contains_html": False,
        "recommended_questions": ["Why?"],
        "missing_links": ["none.csv"],
        "rounds": [FIRST],
    }


FIRST = {
    "content_type": "text",
    "has_structured_response": True,
    "action_type": "tool_call",
    "current_round": 1,
    "task_analysis": "Look first.",
    "execution_plan": "R1: look; R2: report",
    "tool_calls": [{"tool_name": "echo", "tool_call_id": "c1", "arguments": {"text": "42"}}],
    "status": "processing",
}


@pytest.mark.requirement("structured-wire")
async def test_a_stream_has_one_frame_per_round_and_ends_after_the_report(
    client: httpx2.AsyncClient, told: Told
) -> None:
    told.say(calls(call("echo", text="42")), report("<div id='c'></div>"))

    got = await client.post(URL, json={"query": "How much?", "stream": True})

    assert got.headers["content-type"].startswith("text/event-stream")
    first, last = frames(got.text)
    assert first["data"]["metadata"] == FIRST
    assert first["data"]["response"] == ""
    assert last["data"]["response"] == "<div id='c'></div>"
    assert last["data"]["metadata"]["content_type"] == "html"
    assert last["data"]["metadata"]["contains_html"] is True
    assert "rounds" not in last["data"]["metadata"]


@pytest.mark.requirement("structured-steps")
async def test_step_by_step_each_request_returns_one_round_whose_calls_were_made(
    client: httpx2.AsyncClient, told: Told, tool: EchoTool
) -> None:
    told.say(calls(call("echo", text="a")), calls(call("echo", "c2", text="b"), number=2), report("done", number=3))

    first = await ask(client, query="How much?", step=True)
    conversation = first["data"]["conversation_id"]
    assert first["data"]["metadata"]["status"] == "processing"
    assert [made["text"] for made in tool.made] == ["a"]

    second = await ask(client, conversation_id=conversation, step=True)
    assert second["data"]["metadata"]["current_round"] == 2
    assert [made["text"] for made in tool.made] == ["a", "b"]

    third = await ask(client, conversation_id=conversation, step=True)
    assert third["data"]["response"] == "done"
    assert third["data"]["metadata"]["status"] == "complete"
    assert await ask(client, conversation_id=conversation, step=True) == {
        **third,
        "data": {**third["data"], **DURATION},
    }


DURATION = {"duration_ms": pytest.approx(0, abs=1e6)}


@pytest.mark.requirement("structured-steps")
async def test_a_run_that_waits_goes_on_to_its_end_without_step(client: httpx2.AsyncClient, told: Told) -> None:
    told.say(calls(call("echo", text="a")), calls(call("echo", "c2", text="b"), number=2), report("done", number=3))
    first = await ask(client, query="How much?", step=True)

    last = await ask(client, conversation_id=first["data"]["conversation_id"])

    assert last["data"]["response"] == "done"
    assert [each["current_round"] for each in last["data"]["metadata"]["rounds"]] == [2]


async def test_step_and_stream_together_end_the_stream_where_the_run_waits(
    client: httpx2.AsyncClient, told: Told
) -> None:
    told.say(calls(call("echo", text="a")), report("done"))

    got = await client.post(URL, json={"query": "How much?", "stream": True, "step": True})

    assert [frame["data"]["metadata"]["status"] for frame in frames(got.text)] == ["processing"]


async def test_another_question_is_asked_in_the_same_conversation(client: httpx2.AsyncClient, told: Told) -> None:
    told.say(report("first", number=1), report("second", number=1))
    first = await ask(client, query="How much?")

    second = await ask(client, query="And now?", conversation_id=first["data"]["conversation_id"])

    assert second["data"]["response"] == "second"
    asked = told.requests[1].messages
    assert "How much?" in asked[1].text
    assert '"content": "first"' in asked[2].text


async def test_a_new_question_takes_the_place_of_a_run_that_waits(client: httpx2.AsyncClient, told: Told) -> None:
    told.say(calls(call("echo", text="a")), report("other"))
    first = await ask(client, query="How much?", step=True)

    second = await ask(client, query="Something else", conversation_id=first["data"]["conversation_id"])

    assert second["data"]["response"] == "other"


@pytest.mark.parametrize("by", ["id", "name", "data/"])
async def test_files_are_named_by_id_or_by_name(client: httpx2.AsyncClient, told: Told, by: str) -> None:
    told.say(report("seen", number=1))
    file = await upload(client)

    await ask(client, query="How much?", files=[f"data/{file['name']}" if by == "data/" else file[by]])

    assert [facts.name for facts in told.requests[0].task.datasets] == ["sales"]


async def test_files_without_a_question_are_reported_on(client: httpx2.AsyncClient, told: Told) -> None:
    told.say(report("what matters", number=1))
    file = await upload(client)

    body = await ask(client, files=[file["id"]])

    assert body["data"]["response"] == "what matters"
    assert told.requests[0].task.question == ""
    messages = await client.get(f"/api/v1/conversations/{body['data']['conversation_id']}/messages")
    assert [message["text"] for message in messages.json()["items"]] == ["Report on these tables", "what matters"]


@pytest.mark.requirement("structured-faults")
@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ({}, 422, "question_missing"),
        ({"query": "  "}, 422, "question_missing"),
        ({"step": True}, 422, "question_missing"),
        ({"conversation_id": "nope"}, 404, "not_found"),
        ({"query": "x", "conversation_id": "nope"}, 404, "not_found"),
        ({"query": "x", "files": ["nope.csv"]}, 404, "not_found"),
        ({"query": "x", "files": "a.csv"}, 422, "invalid_input"),
        ({"query": 7}, 422, "invalid_input"),
        ({"query": "x", "stream": "maybe"}, 422, "invalid_input"),
    ],
)
async def test_a_request_that_cannot_be_answered_says_why(
    client: httpx2.AsyncClient, asked: dict[str, Any], status: int, code: str
) -> None:
    got = await client.post(URL, json=asked)

    assert got.status_code == status, got.text
    body = got.json()
    assert body["success"] is False
    assert body["error"]["code"] == code
    assert body["error"]["message"]


async def test_a_field_that_is_wrong_is_named(client: httpx2.AsyncClient) -> None:
    for name, value in {"query": 7, "files": "a.csv", "stream": "maybe"}.items():
        got = await client.post(URL, json={"query": "x", name: value})
        assert got.json()["error"]["field"] == name


@pytest.mark.requirement("structured-faults")
async def test_what_is_no_json_is_told_in_the_same_form(client: httpx2.AsyncClient) -> None:
    got = await client.post(URL, content=b"{", headers={"content-type": "application/json"})

    assert (got.status_code, got.json()["success"]) == (422, False)
    other = await client.post("/api/v1/conversations", content=b"{", headers={"content-type": "application/json"})
    assert "success" not in other.json()


@pytest.mark.requirement("structured-faults")
@pytest.mark.parametrize("stream", [False, True])
async def test_a_model_that_never_answers_in_form_is_told_as_a_fault(
    client: httpx2.AsyncClient, told: Told, *, stream: bool
) -> None:
    told.say("no", "still no")

    got = await client.post(URL, json={"query": "How much?", "stream": stream})

    body = frames(got.text)[-1] if stream else got.json()
    assert (body["success"], body["error"]["code"]) == (False, "answer_unreadable")
    assert got.status_code == (200 if stream else 422)


async def test_a_run_goes_on_when_its_client_leaves_and_the_answer_is_there_when_it_comes_back(
    client: httpx2.AsyncClient, told: Told, tool: EchoTool
) -> None:
    told.say(calls(call("echo", text="a")), report("done"))
    tool.meeting = asyncio.Barrier(2)
    first = asyncio.create_task(ask(client, query="How much?"))
    async with asyncio.timeout(PATIENCE_S):
        await tool.called.wait()
    first.cancel()
    conversations = (await client.get("/api/v1/conversations")).json()["items"]

    again = asyncio.create_task(ask(client, conversation_id=conversations[0]["id"]))
    await tool.meeting.wait()

    assert (await again)["data"]["response"] == "done"


async def test_while_a_run_works_another_question_is_refused(
    client: httpx2.AsyncClient, told: Told, tool: EchoTool
) -> None:
    told.say(calls(call("echo", text="a", hang=True)), report("done"))
    first = asyncio.create_task(client.post(URL, json={"query": "How much?"}))
    async with asyncio.timeout(PATIENCE_S):
        await tool.hanging.wait()
    (conversation,) = (await client.get("/api/v1/conversations")).json()["items"]

    got = await client.post(URL, json={"query": "And?", "conversation_id": conversation["id"]})

    assert (got.status_code, got.json()["error"]["code"]) == (409, "run_in_progress")
    (message,) = (await client.get(f"/api/v1/conversations/{conversation['id']}/messages")).json()["items"]
    await client.post(f"/api/v1/runs/{message['run_id']}/cancel", json={})
    ended = await first
    assert (ended.status_code, ended.json()["error"]["code"]) == (409, "run_cancelled")
    assert tool.closed == 1


async def test_the_mode_report_is_the_same_run_natively(client: httpx2.AsyncClient, told: Told) -> None:
    told.say(report("# Native", number=1))
    file = await upload(client)
    made = (await client.post("/api/v1/conversations", json={})).json()

    got = await client.post(
        f"/api/v1/conversations/{made['id']}/messages",
        json={"text": "", "files": [file["id"]], "mode": "report"},
        headers={"accept": "text/event-stream"},
    )

    types = [line.removeprefix("event: ") for line in got.text.splitlines() if line.startswith("event: ")]
    assert types[:2] == ["run.started", "message.added"]
    assert "round.answered" in types
    assert types[-1] == "run.finished"


@pytest.mark.requirement("structured-malformed")
@pytest.mark.requirement("structured-faults")
async def test_whatever_a_model_writes_there_is_a_response_or_a_fault_of_the_caller(
    client: httpx2.AsyncClient, told: Told
) -> None:
    for entry in kept():
        told.replies[:] = [entry["written"]] * 2
        told.otherwise = report("done")
        got = await client.post(URL, json={"query": "How much?"})
        assert got.status_code in {200, 422}, (entry, got.text)
        assert got.json()["success"] is (got.status_code == 200)
