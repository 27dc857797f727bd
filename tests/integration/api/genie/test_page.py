"""Genie's page on our server: what it shows, and each thing that would break it or leave it waiting for ever."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.support.chat_client import asking, echoing, served
from tests.support.genie_client import (
    KEYS,
    PATH,
    Serving,
    driven,
    envelopes,
    failing,
    items,
    kinds,
    making_files,
    need_page,
    upload,
    working_parts,
)
from tests.support.parts import FakeParts
from tests.support.patience import PATIENCE_S
from tests.support.plan_bench import Roles, finish, plan
from tests.support.service_bench import Items
from tests.support.structured_bench import EchoTool
from tests.support.work_bench import called

from tablewright.agent.base import AgentContext, AgentInput
from tablewright.api.access import Access
from tablewright.domain.answer import Answer
from tablewright.domain.events import AnswerCompleted, TextDelta
from tablewright.models.scripted import Reply, ScriptedModel


@pytest.mark.requirement("genie-page")
async def test_the_page_follows_an_agent_and_shows_its_thoughts_calls_and_conclusion(
    serving: Serving, tmp_path: Path
) -> None:
    script: list[Reply | str] = [Reply.of("I look it up.", called("echo", text="42 apples")), "There are 42."]
    url = await serving(working_parts(tmp_path, ScriptedModel(script), [EchoTool()]))
    (answer,) = await driven(url, {"query": "How many apples?"})
    assert kinds(answer) == ["tool_thought", "tool_result", "tool_thought", "result"]
    assert answer["conclusion"] == "There are 42."
    assert not answer["loading"]
    assert [one["item"]["messageType"] for one in answer["shown"]] == ["tool_thought", "tool_result", "tool_thought"]
    assert len({one["taskId"] for one in answer["shown"]}) == 1


@pytest.mark.requirement("genie-page")
async def test_the_page_follows_a_plan_with_tasks_side_by_side(serving: Serving, tmp_path: Path) -> None:
    roles = Roles(planner=[plan("read<sep>count", "compare", title="Years"), "Go on.", finish()], summary="All.")
    url = await serving(working_parts(tmp_path, ScriptedModel(roles), [EchoTool()]))
    (answer,) = await driven(url, {"query": "Compare the years.", "deepThink": 1})
    assert answer["thought"] == "I plan."
    assert answer["plan"]["title"] == "Years"
    assert set(answer["plan"]["stepStatus"]) == {"completed"}
    assert sorted(one["task"] for one in answer["shown"]) == ["compare", "count", "read"]
    assert all(child["messageType"] == "task_summary" for one in answer["shown"] for child in one["children"])
    assert answer["vanished"] == 0
    assert answer["conclusion"] == "All."
    assert not answer["loading"]
    assert {frame["resultMap"]["agentType"] for frame in envelopes(answer) if frame["resultMap"]} == {"3"}


@pytest.mark.requirement("genie-page")
async def test_a_session_goes_on_and_a_question_is_answered_by_its_next_message(serving: Serving) -> None:
    url = await serving(asking)
    asked, which, done = await driven(url, {"query": "Sort the table."}, {"query": "the city"}, {"query": "1"})
    assert "Delete 3 rows?" in asked["conclusion"]
    assert "Which city? (reject: the city)" in which["conclusion"]
    assert done["conclusion"] == "Done for Beijing."
    assert not any(answer["loading"] for answer in (asked, which, done))


@pytest.mark.requirement("genie-page")
async def test_a_session_without_data_gets_the_file_that_is_named_else_the_newest(serving: Serving) -> None:
    url = await serving()
    await upload(url, "one.csv", b"a\n1\n")
    await upload(url, "two.csv", b"a\n1\n2\n")
    newest, named = await driven(
        url,
        {"query": "How many rows?", "sessionId": "s-1"},
        {"query": "How many rows has one.csv?", "sessionId": "s-2"},
    )
    assert newest["conclusion"].startswith("There are 2 rows.")
    assert named["conclusion"].startswith("There are 1 rows.")


@pytest.mark.requirement("genie-edges")
async def test_the_same_request_again_follows_the_same_run_and_goes_on_after_the_last_frame(serving: Serving) -> None:
    url = await serving(echoing)
    first, second = await driven(url, {"query": "?", "requestId": "r"}, {"query": "?", "requestId": "r"})
    again = [(item["messageId"], item["messageType"], item["messageTime"]) for item in items(second)]
    assert again == [(item["messageId"], item["messageType"], item["messageTime"]) for item in items(first)]
    ids = [message["id"] for message in first["raw"] if message["id"]]
    (rest,) = await driven(url, {"query": "?", "requestId": "r", "headers": {"Last-Event-ID": ids[-2]}})
    assert 0 < len(rest["raw"]) < len(first["raw"])
    assert rest["conclusion"] == first["conclusion"]


@pytest.mark.requirement("genie-edges")
async def test_a_line_that_is_no_json_ends_the_page_so_every_line_is_json(serving: Serving) -> None:
    url = await serving()
    answer, broken = await driven(url, {"query": "?"}, {"feed": ["[DONE]"]})
    assert broken["error"]
    assert envelopes(answer)
    assert all(message["data"].startswith("{") for message in answer["raw"] if message["data"])


@pytest.mark.requirement("genie-edges")
async def test_finished_without_event_data_is_not_seen_so_it_never_stands_alone(serving: Serving) -> None:
    url = await serving(failing)
    failed, alone = await driven(url, {"query": "?"}, {"feed": [json.dumps({"finished": True, "resultMap": None})]})
    assert alone["loading"]
    frames = envelopes(failed)
    assert [frame["finished"] for frame in frames] == [False] * (len(frames) - 1) + [True]
    assert frames[-1]["resultMap"]["eventData"]["resultMap"]["messageType"] == "result"


@pytest.mark.requirement("genie-edges")
async def test_a_run_that_fails_ends_with_its_error_as_the_result(serving: Serving) -> None:
    (answer,) = await driven(await serving(failing), {"query": "?"})
    assert not answer["loading"]
    assert answer["conclusion"]
    assert {frame["status"] for frame in envelopes(answer)} == {"running", "success"}


@pytest.mark.requirement("genie-edges")
async def test_a_request_that_cannot_be_taken_ends_with_its_error_as_the_result(serving: Serving) -> None:
    url = await serving()
    for answer in await driven(url, {"query": " "}, {"query": None}, {"query": "?", "sessionId": ""}):
        assert answer["error"] is None
        assert not answer["loading"]
        assert answer["conclusion"]


@pytest.mark.requirement("genie-edges")
async def test_a_second_message_while_the_first_is_worked_on_ends_with_a_result(serving: Serving) -> None:
    begun = asyncio.Event()

    async def hanging(given: AgentInput, context: AgentContext) -> Items:
        begun.set()
        yield TextDelta(text="I begin.")
        await asyncio.Event().wait()

    url = await serving(hanging)
    async with httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http:
        body = {"sessionId": "session-1", "requestId": "first", "query": "?"}
        async with http.stream("POST", PATH, json=body):
            async with asyncio.timeout(PATIENCE_S):
                await begun.wait()
            (answer,) = await driven(url, {"query": "And now?"})
    assert not answer["loading"]
    assert answer["conclusion"]


@pytest.mark.requirement("genie-edges")
async def test_a_service_that_stops_says_so_in_a_result(tmp_path: Path) -> None:
    need_page()
    begun = asyncio.Event()

    async def hanging(given: AgentInput, context: AgentContext) -> Items:
        begun.set()
        yield TextDelta(text="I begin.")
        await asyncio.Event().wait()

    access = Access(keyless=True, read_key=KEYS.get)
    async with served(FakeParts(folder=tmp_path, script=hanging), access) as url:
        following = asyncio.create_task(driven(url.removesuffix("/v1"), {"query": "?"}))
        async with asyncio.timeout(PATIENCE_S):
            await begun.wait()
    (answer,) = await following
    assert answer["conclusion"]
    assert not answer["loading"]


@pytest.mark.requirement("genie-edges")
async def test_a_file_without_a_file_breaks_the_page_so_each_has_one(serving: Serving) -> None:
    event = {"taskId": "t", "messageType": "task", "resultMap": {"messageType": "file", "resultMap": {"fileInfo": []}}}
    url = await serving(making_files)
    broken, answer = await driven(
        url, {"feed": [json.dumps({"resultMap": {"eventData": event}})]}, {"query": "Make files."}
    )
    assert broken["error"]
    assert answer["error"] is None
    made = [item["resultMap"]["fileInfo"][0]["fileName"] for item in items(answer) if item["messageType"] == "file"]
    assert made == ["out.csv", "empty.csv", "page.html"]


@pytest.mark.requirement("genie-edges")
async def test_a_result_without_a_map_breaks_the_page_so_it_has_one(serving: Serving) -> None:
    event = {"taskId": "t", "messageType": "task", "resultMap": {"messageType": "result", "result": "x"}}
    broken, answer = await driven(
        await serving(), {"feed": [json.dumps({"resultMap": {"eventData": event}})]}, {"query": "?"}
    )
    assert broken["error"]
    assert isinstance(items(answer)[-1]["resultMap"]["fileList"], list)


@pytest.mark.requirement("genie-edges")
async def test_children_without_their_task_vanish_so_it_comes_first(serving: Serving, tmp_path: Path) -> None:
    item = {
        "taskId": "t",
        "messageType": "task",
        "resultMap": {"messageType": "task_summary", "resultMap": {"fileList": []}},
    }
    url = await serving(working_parts(tmp_path, ScriptedModel(Roles(planner=[plan("a<sep>b<sep>c"), finish()]))))
    lost, answer = await driven(
        url,
        {"feed": [json.dumps({"resultMap": {"eventData": item}})], "deepThink": 1},
        {"query": "?", "deepThink": 1},
    )
    assert lost["vanished"] == 1
    assert answer["vanished"] == 0
    assert len(answer["shown"]) == 3


@pytest.mark.requirement("genie-edges")
async def test_nothing_is_told_twice_but_pieces_of_one_thought(serving: Serving, tmp_path: Path) -> None:
    script: list[Reply | str] = [Reply.of("I look it up.", called("echo", text="42")), "There are 42."]
    url = await serving(working_parts(tmp_path, ScriptedModel(script), [EchoTool()]))
    (answer,) = await driven(url, {"query": "?"})
    ids = [item["messageId"] for item in items(answer) if item["isFinal"]]
    assert len(ids) == len(set(ids))


@pytest.mark.long
@pytest.mark.requirement("genie-edges")
async def test_a_heartbeat_comes_every_ten_seconds_and_is_no_news_to_the_page(serving: Serving) -> None:
    free = asyncio.Event()

    async def slow(given: AgentInput, context: AgentContext) -> Items:
        yield TextDelta(text="I begin.")
        await free.wait()
        yield AnswerCompleted(answer=Answer(text="Done.", outcome="completed"))

    url = await serving(slow)
    beats: list[dict[str, Any]] = []
    body = {"sessionId": "s", "requestId": "q", "query": "?"}
    async with (
        httpx2.AsyncClient(base_url=url, timeout=PATIENCE_S) as http,
        http.stream("POST", PATH, json=body) as stream,
    ):
        async for line in stream.aiter_lines():
            frame = json.loads(line.removeprefix("data:")) if line.startswith("data:") else {}
            if frame.get("packageType") == "heartbeat":
                beats.append(frame)
                free.set()
    assert beats
    assert all(beat["resultMap"] is None and not beat["finished"] for beat in beats)
