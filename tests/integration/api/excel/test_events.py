"""The same requests as events, and what is kept of them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.support.excel_bench import ExcelClient, Model, plan, put
from tests.support.parts import FakeParts

from tablewright.domain.scope import Scope
from tablewright.models.base import ThinkingPiece
from tablewright.models.scripted import Reply
from tablewright.store.workbook_store import FaceMessage

WHOLE = ["START", "NODE_START", "PROCESSING", "RESULT", "NODE_END", "COMPLETE"]


def thinking(*thoughts: str, then: str) -> Reply:
    return Reply.of(*(ThinkingPiece(text=thought) for thought in thoughts), then)


async def kept(parts: FakeParts, message_id: str) -> FaceMessage:
    return await parts.store.faces.get(Scope(), "excel", message_id)


def names(frames: list[tuple[str, dict[str, Any]]]) -> list[str]:
    return [name for name, _ in frames]


async def test_the_events_come_in_order_with_the_response_among_them(excel: ExcelClient, model: Model) -> None:
    model.say(thinking("Pens ", "first.", then=plan(put("B2", 13))))
    excel.language = "zh"
    frames = await excel.frames(excel.body("把笔改成13", messageId="m1", uid="u1"))
    seen = names(frames)
    assert [name for name in seen if name != "MESSAGE_THINK"] == WHOLE
    assert seen[3] == "MESSAGE_THINK"
    thoughts = [data for name, data in frames if name == "MESSAGE_THINK"]
    assert "".join(one["param"] for one in thoughts) == "Pens first."
    assert all(one["tool"] == "thinking" and one["isSubFlow"] is False for one in thoughts)
    actions = [data["action"] for name, data in frames if name not in {"MESSAGE_THINK", "RESULT"}]
    assert actions == ["Excel AI任务开始", "excel节点开始", "分析中...", "excel节点完成", "任务完成"]
    result = dict(frames)["RESULT"]
    assert result["executionPlan"]
    assert result["requestId"]
    assert all(data["messageId"] == "m1" for name, data in frames if name != "RESULT")


@pytest.mark.parametrize("how", [{"params": {"stream": "true"}}, {"headers": {"accept": "text/event-stream"}}])
async def test_a_stream_is_asked_for_by_the_query_or_the_header(
    excel: ExcelClient, model: Model, how: dict[str, Any]
) -> None:
    model.say(plan())
    got = await excel.post(excel.body(), **how)
    assert got.headers["content-type"].startswith("text/event-stream")


@pytest.mark.requirement("excel-kept-per-message")
async def test_events_and_response_are_kept_under_the_clients_ids(
    parts: FakeParts, excel: ExcelClient, model: Model
) -> None:
    model.say(thinking("Hm. ", "Yes.", then=plan(put("B2", 13))))
    frames = await excel.frames(excel.body(messageId="m1", uid="u1"))
    message = await kept(parts, "m1")
    assert (message.uid, message.channel_id, message.error) == ("u1", "c1", None)
    assert [event["event"] for event in message.events] == [*WHOLE[:3], "MESSAGE_THINK", *WHOLE[3:]]
    assert message.events[3]["action"] == "AI Thinking Summary"
    assert message.events[3]["param"] == "Hm. Yes."
    assert message.response == dict(frames)["RESULT"]
    assert message.run_id


async def test_a_json_request_is_kept_just_the_same(parts: FakeParts, excel: ExcelClient, model: Model) -> None:
    model.say(plan())
    response = await excel.ask(messageId="m1")
    message = await kept(parts, "m1")
    assert message.response == response
    assert [event["event"] for event in message.events] == WHOLE


async def test_an_exception_ends_the_node_and_is_kept(parts: FakeParts, excel: ExcelClient) -> None:
    frames = await excel.frames(excel.body(messageId="m1", continueMultiRound=True, requestId="nope"))
    assert names(frames) == ["START", "NODE_START", "PROCESSING", "NODE_END", "COMPLETE"]
    message = await kept(parts, "m1")
    assert message.response is None
    assert message.error is not None
    assert "nope" in message.error
    assert frames[3][1]["param"] == message.error


async def test_no_pieces_of_thinking_where_they_are_not_wanted(
    parts: FakeParts, excel: ExcelClient, model: Model
) -> None:
    model.say(thinking("Hm.", then=plan()))
    frames = await excel.frames(excel.body(messageId="m1", thinkingParams={"enabled": False}))
    assert names(frames) == WHOLE
    assert "MESSAGE_THINK" in [event["event"] for event in (await kept(parts, "m1")).events]


async def test_a_request_that_does_not_read_has_the_error_of_every_route(excel: ExcelClient) -> None:
    sheet = {"name": "S", "range": "everything", "data": [[1]]}
    body = {"operation": "x", "context": {"spreadsheet_data": {"sheets": [sheet]}}}
    refused = await excel.post(body, headers={"accept": "text/event-stream"})
    assert refused.status_code == 422
    assert refused.json()["error"]["field"] == "context.spreadsheet_data.sheets.0.range"


async def test_a_cell_that_is_no_value_is_named(excel: ExcelClient) -> None:
    sheet = {"name": "S", "data": [[{"v": 1}]]}
    refused = await excel.post({"operation": "x", "context": {"spreadsheet_data": {"sheets": [sheet]}}})
    assert refused.status_code == 422
    assert refused.json()["error"]["field"] == "context.spreadsheet_data.sheets.0.data.0.0"


@pytest.mark.parametrize("name", ["a/b", "'quoted'", "tab\there", "x" * 32, ""])
async def test_a_sheet_that_cannot_be_called_so_is_named(excel: ExcelClient, name: str) -> None:
    refused = await excel.post({"operation": "x", "context": {"spreadsheet_data": {"sheets": [{"name": name}]}}})
    assert refused.status_code == 422
    assert refused.json()["error"]["field"] == "context.spreadsheet_data.sheets.0.name"


async def test_a_plan_edited_to_nothing_is_refused_by_its_field(excel: ExcelClient, model: Model) -> None:
    model.say(plan(put("B2", 13)))
    planned = await excel.ask()
    for nothing, field in (
        ([], "editedPlan"),
        ("no", "editedPlan"),
        ([{"step": 1}], "editedPlan.executionPlan.0.function"),
    ):
        body = excel.body(continueMultiRound=True, requestId=planned["requestId"], editedPlan=nothing)
        refused = await excel.post(body)
        assert (refused.status_code, refused.json()["error"]["field"]) == (422, field)
    assert (await excel.go_on(requestId=planned["requestId"], editedPlan={"execution_plan": planned["executionPlan"]}))[
        "version"
    ] == 2


@pytest.mark.parametrize("channel", ["   ", "/", "..", "../../etc 频道\0🎉", "x" * 200])
async def test_a_channel_may_be_called_anything(excel: ExcelClient, model: Model, channel: str) -> None:
    model.say(plan())
    excel.channel = channel
    response = await excel.ask()
    assert response["version"] == 1
    assert response["channelId"] == channel.replace("\0", "") or not channel.strip()


async def test_nothing_wished_for_is_told(excel: ExcelClient) -> None:
    refused = await excel.post({"operation": "  ", "channelId": "c1"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "question_missing")
    assert refused.json()["error"]["field"] == "operation"


async def test_parameters_that_are_nested_without_end_are_refused(excel: ExcelClient) -> None:
    deep: list[object] = []
    for _ in range(200):
        deep = [deep]
    step = {"function": "set_values", "parameters": {"values": deep}}
    refused = await excel.post(excel.body(continueMultiRound=True, editedPlan=[step]))
    assert (refused.status_code, refused.json()["error"]["field"]) == (422, "editedPlan.executionPlan.0.parameters")
