"""Workflows inside a chat over HTTP: the frames, the routing by what is published, and what strangers get."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.support.workflow_bench import edges, node
from tests.support.workflow_face import Answer, Face, face_of, workflow_parts

CHAT = "/ai/conversation/chat/stream"
FIELDS = {"type", "content", "isComplete", "isWaitingInput", "runtimeUuid", "workflowUuid"}
ORDERS: Answer = {
    "id": "orders",
    "name": "订单查询",
    "description": "按订单号查询订单的状态、发货和物流",
    "examples": ["帮我查订单", "我的订单到哪了", "查询订单状态", "check my order"],
    "nodes": [
        node("start", "start"),
        node("number", "ask_user", prompt="请提供订单号"),
        node("end", "end", text="订单 {{ number.text }} 已发货"),
    ],
    "edges": edges("start > number > end"),
}
STOCK: Answer = {
    "id": "stock",
    "name": "库存查询",
    "description": "查询商品还有多少库存",
    "examples": ["帮我查库存", "还有多少货", "库存还剩多少", "check the stock"],
    "nodes": [node("start", "start"), node("end", "end", text="库存 12 件")],
    "edges": edges("start > end"),
}


@pytest.fixture
async def face(tmp_path: Path) -> AsyncIterator[Face]:
    async with face_of(workflow_parts(tmp_path)) as opened:
        await opened.published("ann", ORDERS)
        await opened.published("ann", STOCK)
        yield opened


async def conversation(face: Face, who: str = "ann") -> str:
    return str((await face.call(who, "POST", "/conversations", 201, json={"language": "zh"}))["id"])


async def say(face: Face, conversation_id: str, words: str, who: str = "ann", language: str = "zh") -> list[Answer]:
    """Return the frames of the stream that a message gives."""
    body = {"conversationId": conversation_id, "prompt": words, "somethingElse": 1}
    text = await face.text(who, "POST", CHAT, json=body, headers={"accept-language": language})
    assert "event:" not in text
    frames = [json.loads(line.removeprefix("data:")) for line in text.splitlines() if line.startswith("data:")]
    assert all(set(frame) == FIELDS for frame in frames)
    return frames


def types(frames: list[Answer]) -> list[str]:
    return [str(frame["type"]) for frame in frames]


@pytest.mark.requirement("workflow-chat-wire")
async def test_a_conversation_asks_and_goes_on_with_the_answer(face: Face) -> None:
    own = await conversation(face)
    asked = await say(face, own, "帮我查订单")
    assert types(asked) == [
        "start",
        "[NODE_RUN_start]",
        "[NODE_INPUT_start]",
        "[NODE_OUTPUT_start]",
        "[NODE_RUN_number]",
        "[NODE_INPUT_number]",
        "[NODE_WAIT_FEEDBACK_BY_number]",
    ]
    assert json.loads(asked[0]["content"])["runtimeUuid"] == asked[0]["runtimeUuid"]
    last = asked[-1]
    assert (last["content"], last["isWaitingInput"], last["isComplete"]) == ("请提供订单号", True, False)
    assert last["runtimeUuid"]
    assert last["workflowUuid"]
    done = await say(face, f"local::{own}", "ORD-001")
    assert types(done) == [
        "start",
        "[NODE_OUTPUT_number]",
        "[NODE_RUN_end]",
        "[NODE_INPUT_end]",
        "[NODE_OUTPUT_end]",
        "done",
    ]
    assert (done[-1]["content"], done[-1]["isComplete"], done[-1]["isWaitingInput"]) == (
        "订单 ORD-001 已发货",
        True,
        False,
    )
    assert {frame["runtimeUuid"] for frame in [*asked, *done]} == {last["runtimeUuid"]}


@pytest.mark.requirement("workflow-chat-wire")
async def test_a_short_answer_is_one_and_another_intent_begins_another_workflow(face: Face) -> None:
    own = await conversation(face)
    asked = await say(face, own, "我的订单到哪了")
    other = await say(face, own, "帮我查库存")
    assert (other[-1]["type"], other[-1]["content"]) == ("done", "库存 12 件")
    assert other[0]["runtimeUuid"] != asked[0]["runtimeUuid"]
    left = await face.call("ann", "GET", f"/runs/{asked[0]['runtimeUuid']}")
    assert left["outcome"] == "superseded"


@pytest.mark.requirement("workflow-chat-wire")
async def test_where_nothing_fits_the_fallback_answers_and_without_a_default_it_is_said(face: Face) -> None:
    own = await conversation(face)
    echo: Answer = {
        "id": "echo",
        "name": "复述",
        "inputs": [{"name": "question"}],
        "nodes": [node("start", "start"), node("end", "end", text="您说：{{ inputs.question }}")],
        "edges": edges("start > end"),
    }
    fallback = await face.published("ann", echo)
    await face.call("ann", "PUT", "/workflows/settings", json={"fallback": fallback})
    told = "今天晚上吃什么比较好呢"
    assert (await say(face, own, told))[-1]["content"] == f"您说：{told}"
    await face.call("ann", "PUT", "/workflows/settings", json={"fallback": None})
    await face.call("boss", "PUT", "/workflows/settings", json={"tenant": {"default": "none"}})
    for language, words in (("zh", "没有可用的工作流"), ("en", "No workflow is available")):
        (frame,) = await say(face, own, told, language=language)
        assert (frame["type"], frame["isComplete"], frame["runtimeUuid"]) == ("error", True, None)
        assert frame["content"].startswith(words)


@pytest.mark.requirement("workflow-chat-wire")
@pytest.mark.parametrize("prefix", ["/api/v1/ai/conversation/workflow/cancel/", "/workflow/cancel/"])
async def test_cancel_ends_what_waits_and_answers_with_nothing(face: Face, prefix: str) -> None:
    own = await conversation(face)
    asked = await say(face, own, "帮我查订单")
    for _ in range(2):
        assert await face.text("ann", "POST", f"{prefix}{quote(f'local::{own}', safe='')}", whole=True) == ""
    run = await face.call("ann", "GET", f"/runs/{asked[0]['runtimeUuid']}")
    assert run["outcome"] == "cancelled"
    assert (await say(face, own, "帮我查库存"))[-1]["type"] == "done"


@pytest.mark.requirement("workflow-chat-strangers")
async def test_conversations_and_workflows_of_others_are_not_there(face: Face) -> None:
    own = await conversation(face)
    await say(face, own, "帮我查订单")
    for who, named in (("bob", own), ("eve", own), ("eve", f"local::{own}"), ("ann", f"globex::{own}"), ("ann", "x")):
        for language, words in (("zh", "对话不存在: "), ("en", "There is no conversation ")):
            (frame,) = await say(face, named, "ORD-1", who=who, language=language)
            assert (frame["type"], frame["content"]) == ("error", f"{words}{named}")
        await face.text(who, "POST", f"/ai/conversation/workflow/cancel/{quote(named, safe='')}")
    assert (await say(face, own, "ORD-002"))[-1]["content"] == "订单 ORD-002 已发货"
    others = await say(face, await conversation(face, "bob"), "帮我查订单", who="bob")
    assert "请提供订单号" not in json.dumps(others, ensure_ascii=False)


@pytest.mark.requirement("workflow-chat-wire")
async def test_a_workflow_that_fails_says_why(face: Face) -> None:
    failing: Answer = {
        "id": "failing",
        "name": "开具发票",
        "description": "为订单开发票",
        "examples": ["帮我开发票", "开一张发票"],
        "nodes": [node("start", "start"), node("x", "tool", tool="no_such_tool"), node("end", "end")],
        "edges": edges("start > x > end"),
    }
    await face.published("ann", failing)
    frame = (await say(face, await conversation(face), "帮我开发票"))[-1]
    assert (frame["type"], frame["isComplete"]) == ("error", True)
    assert frame["content"].startswith("工作流执行失败: ")
    assert len(frame["content"]) > len("工作流执行失败: ")


@pytest.mark.requirement("workflow-chat-wire")
async def test_switched_off_the_plain_agent_answers_at_once_and_on_again(face: Face) -> None:
    own = await conversation(face)
    await face.call("ann", "PUT", "/workflows/settings", json={"enabled": False})
    plain = await say(face, own, "帮我查库存")
    assert plain[0]["workflowUuid"] is None
    assert types(plain)[-1] == "done"
    await face.call("ann", "PUT", "/workflows/settings", json={"enabled": True})
    assert (await say(face, own, "帮我查库存"))[-1]["content"] == "库存 12 件"


@pytest.mark.requirement("workflow-chat-wire")
async def test_the_history_has_what_was_said_and_the_outcome_alone(face: Face) -> None:
    own = await conversation(face)
    await say(face, own, "帮我查订单")
    await say(face, own, "ORD-003")
    kept = (await face.call("ann", "GET", f"/conversations/{own}/messages"))["items"]
    told: list[Any] = [(each["author"], each["text"], each["provider_name"], each["base_name"]) for each in kept]
    assert told == [
        ("user", "帮我查订单", None, None),
        ("user", "ORD-003", None, None),
        ("assistant", "订单 ORD-003 已发货", "workflow", "workflow-engine"),
    ]


@pytest.mark.requirement("workflow-chat-wire")
async def test_requests_that_say_nothing_are_refused(face: Face) -> None:
    own = await conversation(face)
    for body in (
        {},
        {"conversationId": own},
        {"conversationId": "", "prompt": "x"},
        {"conversationId": own, "prompt": 1},
    ):
        await face.error("ann", "POST", CHAT, 422, json=body)
    assert (await face.error("ann", "POST", CHAT, 422, json={"conversationId": own, "prompt": " "}))[0]


@pytest.mark.requirement("workflow-chat-wire")
async def test_the_native_face_routes_messages_too_and_says_why(face: Face) -> None:
    own = await conversation(face)
    for mode, words, workflow in (
        ("auto", "帮我查库存", True),
        ("auto", "今天晚上吃什么比较好呢", False),
        ("workflow", "今天晚上吃什么比较好呢", True),
    ):
        begun = await face.call(
            "ann", "POST", f"/conversations/{own}/messages", 202, json={"text": words, "mode": mode}
        )
        run = await face.rested("ann", begun["run_id"])
        assert (run["mode"] == "workflow") == workflow, run
        events = await face.text("ann", "GET", f"/runs/{begun['run_id']}/events")
        assert ("workflow.chosen" in events) == workflow


@pytest.mark.requirement("workflow-chat-wire")
async def test_a_waiting_conversation_takes_its_answer_on_the_native_face(face: Face) -> None:
    own = await conversation(face)
    asked = await say(face, own, "帮我查订单")
    begun = await face.call("ann", "POST", f"/conversations/{own}/messages", 202, json={"text": "ORD-9"})
    assert begun["run_id"] == asked[0]["runtimeUuid"]
    assert (await face.rested("ann", begun["run_id"]))["answer"]["text"] == "订单 ORD-9 已发货"


async def test_a_workflow_that_nobody_can_fill_locks_nobody_out_but_says_what_it_lacks_when_named(face: Face) -> None:
    definition: Answer = {
        "id": "totals",
        "name": "Totals by region",
        "examples": ["total amount by region?", "sum of the amount per region"],
        "inputs": [{"name": "file", "kind": "file"}],
        "nodes": [node("start", "start"), node("end", "end", text="the file is {{ inputs.file }}")],
        "edges": edges("start > end"),
    }
    totals = await face.published("ann", definition)
    own, words = await conversation(face), "total amount by region?"
    message = {"text": words, "mode": "auto"}
    plain = await face.call("ann", "POST", f"/conversations/{own}/messages", 202, json=message)
    assert (await face.rested("ann", plain["run_id"]))["mode"] == "auto"
    assert (await say(face, own, words))[-1]["type"] == "done"
    named = {"conversation_id": own}
    code, _ = await face.error("ann", "POST", f"/workflows/{totals}/run", 422, json=named)
    assert code == "workflow_input_missing"
    table = {"file": ("may.csv", b"region,amount\nN,1\n", "text/csv")}
    sent = await face.call("ann", "POST", f"/files?conversation_id={own}", 201, files=table)
    begun = await face.call("ann", "POST", f"/conversations/{own}/messages", 202, json=message)
    ended = await face.rested("ann", begun["run_id"])
    assert (ended["mode"], ended["answer"]["text"]) == ("workflow", f"the file is {sent['id']}")
    again = await face.call("ann", "POST", f"/workflows/{totals}/run", 202, json=named)
    assert (await face.rested("ann", again["run_id"]))["outcome"] == "completed"


async def standing(face: Face, conversation_id: str, who: str = "ann") -> Answer:
    told: Answer = (await face.call(who, "GET", f"/conversations/{conversation_id}"))["workflow"]
    return told


@pytest.mark.requirement("workflow-chat-wire")
async def test_a_conversation_tells_which_workflow_waits_for_what_since_when_and_how_often_it_went_on(
    face: Face,
) -> None:
    own = await conversation(face)
    idle = await standing(face, own)
    assert (idle["state"], idle["workflow_id"], idle["since"], idle["resumed"]) == ("IDLE", None, None, 0)
    twice = {
        **ORDERS,
        "id": "two-questions",
        "name": "退货申请",
        "description": "申请退货退款",
        "examples": ["我要退货", "申请退款", "怎么退货"],
        "nodes": [*ORDERS["nodes"], node("why", "ask_user", prompt="退货原因？")],
        "edges": edges("start > number > why > end"),
    }
    workflow_id = await face.published("ann", twice)
    frames = await say(face, own, "我要退货")
    first = await standing(face, own)
    assert (first["state"], first["workflow_id"]) == ("WORKFLOW_WAITING_INPUT", workflow_id)
    assert (first["run_id"], first["node_id"], first["prompt"]) == (frames[-1]["runtimeUuid"], "number", "请提供订单号")
    assert first["resumed"] == 0
    assert first["began_at"] <= first["since"]
    await say(face, own, "ORD-001")
    second = await standing(face, own)
    assert (second["node_id"], second["resumed"], second["run_id"]) == ("why", 1, first["run_id"])
    assert second["request_id"] != first["request_id"]
    assert second["since"] >= first["since"]
    await face.error("bob", "GET", f"/conversations/{own}", 404)
    await say(face, own, "坏了")
    assert await standing(face, own) == idle


@pytest.mark.requirement("workflow-chat-wire")
async def test_without_a_header_errors_are_in_the_language_of_the_conversation(face: Face) -> None:
    failing = {
        **ORDERS,
        "id": "refunds",
        "name": "退货申请",
        "description": "申请退货退款",
        "examples": ["我要退货", "申请退款", "怎么退货"],
        "nodes": [
            node("start", "start"),
            node("number", "ask_user", prompt="订单号？"),
            node("act", "template", text="{{ 1 / 0 }}"),
            node("end", "end"),
        ],
        "edges": edges("start > number > act > end"),
    }
    await face.published("ann", failing)
    own = await conversation(face)
    await say(face, own, "我要退货", language="")
    *_, last = await say(face, own, "ORD-001", language="")
    assert last["type"] == "error"
    assert str(last["content"]).startswith("工作流执行失败")
    (unknown,) = await say(face, "nosuch", "帮我查订单", language="")
    assert unknown["content"] == "对话不存在: nosuch"
    (english,) = await say(face, "nosuch", "帮我查订单", language="en")
    assert "对话" not in english["content"]
