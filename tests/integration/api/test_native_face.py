"""The native face from outside: what is sent and what comes back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from tests.support.held_log import held_ends
from tests.support.parts import FakeParts
from tests.support.patience import PATIENCE_S, found

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.domain.answer import Answer
from tablewright.domain.events import AnswerCompleted, ApprovalRequested, EventBody, StepAnnounced
from tablewright.domain.message import TranscriptEntry

CSV = "城市,额\n北京,1\n上海,2\n".encode()


async def conversation(client: httpx2.AsyncClient) -> str:
    made = await client.post("/api/v1/conversations", json={"title": "t"})
    assert made.status_code == 201
    return str(made.json()["id"])


async def upload(client: httpx2.AsyncClient, into: str, name: str = "销售.csv", content: bytes = CSV) -> dict[str, Any]:
    sent = await client.post(
        "/api/v1/files", params={"conversation_id": into}, files={"file": (name, content, "text/csv")}
    )
    assert sent.status_code == 201, sent.text
    shown: dict[str, Any] = sent.json()
    return shown


async def ask(client: httpx2.AsyncClient, into: str, text: str = "how many rows?") -> str:
    sent = await client.post(f"/api/v1/conversations/{into}/messages", json={"text": text})
    assert sent.status_code == 202, sent.text
    return str(sent.json()["run_id"])


def events_of(body: str) -> list[dict[str, str]]:
    blocks = [block for block in body.replace("\r\n", "\n").split("\n\n") if block and not block.startswith(":")]
    return [dict(line.split(": ", 1) for line in block.split("\n") if ": " in line) for block in blocks]


async def followed(client: httpx2.AsyncClient, run_id: str, **how: Any) -> list[dict[str, str]]:
    async with asyncio.timeout(PATIENCE_S):
        got = await client.get(f"/api/v1/runs/{run_id}/events", **how)
    assert got.status_code == 200, got.text
    return events_of(got.text)


async def test_health_says_alive_and_ready_says_level_database_and_models(client: httpx2.AsyncClient) -> None:
    assert (await client.get("/health")).json()["status"] == "ok"
    ready = await client.get("/health/ready")
    assert ready.status_code == 200
    assert ready.json()["sandbox"] == {"ok": True, "detail": "L2", "layers": ["namespaces", "seccomp", "limits"]}
    assert ready.json()["database"]["ok"]
    assert ready.json()["models"] == ["builtin"]


@pytest.mark.requirement("sandbox-readiness-of-the-pool")
async def test_ready_says_no_while_no_worker_can_be_started(client: httpx2.AsyncClient, parts: FakeParts) -> None:
    parts.sandbox.failure = "sandbox_unavailable"
    ready = await client.get("/health/ready")
    assert ready.status_code == 503
    assert ready.json()["sandbox"] == {"ok": False, "detail": "sandbox_unavailable", "layers": []}
    parts.sandbox.failure = ""
    assert (await client.get("/health/ready")).status_code == 200


async def test_a_question_about_an_uploaded_file_is_answered(client: httpx2.AsyncClient) -> None:
    into = await conversation(client)
    file = await upload(client, into)
    assert file["name"] == "销售.csv"
    assert file["sheets"] == [{"name": "销售", "rows": 2, "columns": ["城市", "额"]}]
    run_id = await ask(client, into)
    events = await followed(client, run_id)
    assert events[0]["event"] == "run.started"
    assert events[-1]["event"] == "run.finished"
    run = (await client.get(f"/api/v1/runs/{run_id}")).json()
    assert run["state"] == "finished"
    assert run["outcome"] == "completed"
    assert run["answer"]["result"]["rows"] == [[2]]
    messages = (await client.get(f"/api/v1/conversations/{into}/messages")).json()["items"]
    assert [message["author"] for message in messages] == ["user", "assistant"]


@pytest.mark.requirement("events-resume")
async def test_events_have_ids_without_gaps_and_resume_where_a_reader_left(client: httpx2.AsyncClient) -> None:
    into = await conversation(client)
    run_id = await ask(client, into)
    whole = await followed(client, run_id)
    assert [int(event["id"]) for event in whole] == list(range(1, len(whole) + 1))
    assert all(json.loads(event["data"])["body"]["type"] == event["event"] for event in whole)
    after_three = await followed(client, run_id, headers={"Last-Event-ID": "3"})
    assert after_three == whole[3:]
    assert await followed(client, run_id, params={"after": 3}) == whole[3:]
    ended = await client.get(f"/api/v1/runs/{run_id}/events", params={"after": len(whole)})
    assert ended.status_code == 204


@pytest.mark.requirement("events-stream-on-asking")
async def test_asking_with_an_event_stream_accepted_returns_the_events(client: httpx2.AsyncClient) -> None:
    into = await conversation(client)
    async with asyncio.timeout(PATIENCE_S):
        sent = await client.post(
            f"/api/v1/conversations/{into}/messages", json={"text": "rows?"}, headers={"accept": "text/event-stream"}
        )
    assert sent.headers["content-type"].startswith("text/event-stream")
    assert events_of(sent.text)[-1]["event"] == "run.finished"


async def asks_first(given: AgentInput, context: AgentContext) -> AsyncIterator[EventBody | TranscriptEntry]:
    if not given.answered:
        yield ApprovalRequested(request_id="r1", prompt="May I?")
        return
    decision = given.answered[0].answer
    yield AnswerCompleted(answer=Answer(text=decision.decision if decision else "", outcome="completed"))


async def waiting(client: httpx2.AsyncClient, run_id: str) -> None:
    async def waits() -> bool | None:
        return (await client.get(f"/api/v1/runs/{run_id}")).json()["state"] == "waiting" or None

    await found(waits)


async def test_an_approval_is_answered_once_and_the_run_goes_on(parts: FakeParts, client: httpx2.AsyncClient) -> None:
    parts.script = asks_first
    into = await conversation(client)
    run_id = await ask(client, into)
    await waiting(client, run_id)
    url = f"/api/v1/runs/{run_id}/requests/r1"
    answered = await client.post(url, json={"decision": "approve"})
    assert answered.status_code == 200
    assert answered.json()["answer"]["decision"] == "approve"
    assert (await client.post(url, json={"decision": "approve"})).status_code == 200
    other = await client.post(url, json={"decision": "reject"})
    assert other.status_code == 409
    assert other.json()["error"]["code"] == "already_answered"
    await followed(client, run_id)
    assert (await client.get(f"/api/v1/runs/{run_id}")).json()["answer"]["text"] == "approve"


async def never_ends(given: AgentInput, context: AgentContext) -> AsyncIterator[EventBody | TranscriptEntry]:
    yield StepAnnounced(step_id="s1", name="waits")
    await asyncio.Event().wait()


async def test_a_cancelled_run_ends_as_cancelled(parts: FakeParts, client: httpx2.AsyncClient) -> None:
    parts.script = never_ends
    run_id = await ask(client, await conversation(client))
    cancelled = await client.post(f"/api/v1/runs/{run_id}/cancel")
    assert cancelled.json()["id"] == run_id
    assert (await followed(client, run_id))[-1]["event"] == "run.finished"
    again = await client.post(f"/api/v1/runs/{run_id}/cancel")
    assert again.json()["outcome"] == "cancelled"


@pytest.mark.requirement("run-cancel-under-way")
async def test_a_cancel_that_takes_longer_says_that_it_is_under_way(
    parts: FakeParts, client: httpx2.AsyncClient
) -> None:
    parts.script = never_ends
    free = held_ends(parts.store)
    run_id = await ask(client, await conversation(client))
    assert (await client.get(f"/api/v1/runs/{run_id}")).json()["cancelling"] is False
    async with asyncio.timeout(PATIENCE_S):
        told = await client.post(f"/api/v1/runs/{run_id}/cancel")
    assert told.status_code == 200
    assert (told.json()["state"], told.json()["cancelling"], told.json()["outcome"]) == ("running", True, None)
    assert (await client.get(f"/api/v1/runs/{run_id}")).json()["cancelling"] is True
    free.set()
    await followed(client, run_id)
    ended = (await client.get(f"/api/v1/runs/{run_id}")).json()
    assert (ended["state"], ended["cancelling"], ended["outcome"]) == ("finished", False, "cancelled")


async def test_a_second_question_while_one_is_worked_on_is_a_conflict(
    parts: FakeParts, client: httpx2.AsyncClient
) -> None:
    parts.script = never_ends
    into = await conversation(client)
    await ask(client, into)
    second = await client.post(f"/api/v1/conversations/{into}/messages", json={"text": "and?"})
    assert second.status_code == 409
    assert second.json()["error"]["code"] == "run_in_progress"


async def test_a_file_is_previewed_profiled_downloaded_and_deleted(client: httpx2.AsyncClient) -> None:
    file = await upload(client, await conversation(client), name="销售 2024.csv")
    url = f"/api/v1/files/{file['id']}"
    assert (await client.get(f"{url}/preview")).json()["columns"] == ["城市", "额"]
    assert (await client.get(f"{url}/profile")).json()["datasets"][0]["rows"] == 2
    loaded = await client.get(f"{url}/download")
    assert loaded.content == CSV
    assert "filename*=UTF-8''%E9%94%80%E5%94%AE%202024.csv" in loaded.headers["content-disposition"]
    assert (await client.delete(url)).status_code == 204
    assert (await client.get(url)).status_code == 404


async def test_conversations_are_found_renamed_and_deleted(client: httpx2.AsyncClient) -> None:
    into = await conversation(client)
    renamed = await client.patch(f"/api/v1/conversations/{into}", json={"title": "季度销售"})
    assert renamed.json()["title"] == "季度销售"
    found = await client.get("/api/v1/conversations", params={"query": "季度"})
    assert [item["id"] for item in found.json()["items"]] == [into]
    assert (await client.delete(f"/api/v1/conversations/{into}")).status_code == 204
    assert (await client.get(f"/api/v1/conversations/{into}")).status_code == 404


@pytest.mark.requirement("api-lists-paged")
async def test_lists_are_paged(client: httpx2.AsyncClient) -> None:
    made = {await conversation(client) for _ in range(3)}
    first = (await client.get("/api/v1/conversations", params={"limit": 2})).json()
    cursor = first["next_cursor"]
    rest = (await client.get("/api/v1/conversations", params={"limit": 2, "cursor": cursor})).json()
    assert {item["id"] for item in first["items"] + rest["items"]} == made
    assert rest["next_cursor"] is None


@pytest.mark.requirement("api-errors-in-callers-language")
@pytest.mark.parametrize(
    ("accepted", "language"), [("zh-CN,zh;q=0.9,en;q=0.5", "zh"), ("en-GB", "en"), ("", "en"), ("de, zh;q=0.1", "zh")]
)
async def test_errors_come_in_the_callers_language(client: httpx2.AsyncClient, accepted: str, language: str) -> None:
    got = await client.get("/api/v1/conversations/none", headers={"accept-language": accepted})
    assert got.status_code == 404
    assert got.json()["error"]["code"] == "not_found"
    assert got.headers["content-language"] == language
    assert ("没有" in got.json()["error"]["message"]) == (language == "zh")


@pytest.mark.requirement("api-errors-in-conversations-language")
async def test_errors_without_a_language_come_in_that_of_the_conversation(client: httpx2.AsyncClient) -> None:
    made = await client.post("/api/v1/conversations", json={"language": "zh"})
    into = made.json()["id"]
    url = f"/api/v1/conversations/{into}/messages"
    empty = await client.post(url, json={"text": ""})
    assert "还没有写问题" in empty.json()["error"]["message"]
    assert "text：必须给出" in (await client.post(url, json={})).json()["error"]["message"]
    upload = await client.post("/api/v1/files", params={"conversation_id": into}, files={"other": ("a.csv", b"a")})
    assert "表单" in upload.json()["error"]["message"]
    run_id = await ask(client, into, "how many?")
    unknown = await client.post(f"/api/v1/runs/{run_id}/requests/none", json={"decision": "approve"})
    assert unknown.headers["content-language"] == (await client.get(f"/api/v1/runs/{run_id}")).json()["language"]
    english = await client.post(url, json={"text": ""}, headers={"accept-language": "en"})
    assert "no question" in english.json()["error"]["message"]


@pytest.mark.requirement("api-wrong-requests-explained")
@pytest.mark.parametrize(
    ("body", "field", "zh", "en"),
    [
        ({}, "text", "必须给出", "must be given"),
        ({"text": 3}, "text", "应为文字", "must be text"),
        ({"text": "x", "files": "a"}, "files", "应为列表", "must be a list"),
        ({"text": "x", "mode": "odd"}, "mode", "以下之一：auto", "one of: auto"),
        ({"text": "x", "colour": "red"}, "colour", "没有这个字段", "no such field"),
        ({"text": "x", "model": "m" * 300}, "model", "最多 200 个字符", "at most 200 characters"),
        ([], "body", "名称和对应的值", "names with their values"),
    ],
)
async def test_what_does_not_fit_is_said_in_the_callers_language(
    client: httpx2.AsyncClient, body: object, field: str, zh: str, en: str
) -> None:
    into = await conversation(client)
    for language, words in (("zh", zh), ("en", en)):
        url = f"/api/v1/conversations/{into}/messages"
        got = await client.post(url, json=body, headers={"accept-language": language})
        fault = got.json()["error"]
        assert (got.status_code, fault["code"], fault["field"]) == (422, "invalid_input", field)
        assert words in fault["message"]


async def test_a_body_that_is_no_json_is_told(client: httpx2.AsyncClient) -> None:
    headers = {"content-type": "application/json", "accept-language": "zh"}
    got = await client.post("/api/v1/conversations", content=b'{"title": ', headers=headers)
    assert (got.status_code, got.json()["error"]["field"]) == (422, "body")
    assert "应为有效的 JSON" in got.json()["error"]["message"]


async def test_a_missing_question_names_the_field(client: httpx2.AsyncClient) -> None:
    into = await conversation(client)
    got = await client.post(f"/api/v1/conversations/{into}/messages", json={"text": "  "})
    assert got.status_code == 422
    assert got.json()["error"]["code"] == "question_missing"
    assert got.json()["error"]["field"] == "text"


async def test_an_unknown_model_is_told_before_the_files_are_looked_at(client: httpx2.AsyncClient) -> None:
    into = await conversation(client)
    message = {"text": "how many?", "model": "nobody:x", "files": ["none"]}
    got = await client.post(f"/api/v1/conversations/{into}/messages", json=message)
    assert got.status_code == 422
    assert (got.json()["error"]["code"], got.json()["error"]["field"]) == ("model_unknown", "model")
    assert "nobody:x" in got.json()["error"]["message"]


async def test_a_request_that_does_not_fit_has_the_same_form_of_error(client: httpx2.AsyncClient) -> None:
    into = await conversation(client)
    got = await client.post(f"/api/v1/conversations/{into}/messages", json={"text": "x", "mode": "odd"})
    assert got.status_code == 422
    assert got.json()["error"]["code"] == "invalid_input"
    assert got.json()["error"]["field"] == "mode"
    unknown = await client.get("/api/v1/nothing")
    assert unknown.status_code == 404
    assert unknown.json()["error"]["code"] == "path_unknown"
    wrong = await client.put("/api/v1/conversations", json={})
    assert wrong.status_code == 405
    assert wrong.json()["error"]["code"] == "method_not_allowed"


async def broken(given: AgentInput, context: AgentContext) -> AsyncIterator[EventBody | TranscriptEntry]:
    yield StepAnnounced(step_id="s1", name="breaks")
    raise RuntimeError("a bug")


async def test_a_bug_of_an_agent_ends_the_run_as_failed_in_words(parts: FakeParts, client: httpx2.AsyncClient) -> None:
    parts.script = broken
    run_id = await ask(client, await conversation(client), "有多少行？")
    await followed(client, run_id)
    run = (await client.get(f"/api/v1/runs/{run_id}")).json()
    assert run["outcome"] == "failed"
    assert run["failure"]["code"] == "internal"
    assert "意外" in run["failure"]["message"]
