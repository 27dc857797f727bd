"""The order and form of what is sent and stored."""

from __future__ import annotations

import json

import pytest

from tablewright.api.excel.frames import FrameSequence
from tablewright.api.excel.responses import About, refused
from tablewright.domain.language import Language

ACTIONS = {
    "zh": ["Excel AI任务开始", "excel节点开始", "分析中...", "excel节点完成", "任务完成"],
    "en": ["Excel AI task started", "excel node started", "Analysing...", "excel node finished", "Task finished"],
}


def response(language: Language = "zh") -> About:
    return About(language=language, channel_id="c", request_id="r", continuation=False)


@pytest.mark.requirement("excel-event-order")
@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_events_come_in_their_order_with_their_words(language: Language) -> None:
    telling = FrameSequence(message_id="m1", language=language)
    frames = [*telling.begun(), *telling.thought("a"), *telling.answered(refused("no", response(language)))]
    assert [frame.event for frame in frames] == [
        "START", "NODE_START", "PROCESSING", "MESSAGE_THINK", "RESULT", "NODE_END", "COMPLETE",
    ]  # fmt: skip
    told = [json.loads(frame.data) for frame in frames if frame.event not in {"MESSAGE_THINK", "RESULT"}]
    assert [one["action"] for one in told] == ACTIONS[language]
    assert {(one["tool"], one["messageId"]) for one in told} == {("excel", "m1")}
    assert told[1]["param"] == "excel-multi-round"
    assert json.loads(frames[4].data)["error"] == "no"


@pytest.mark.requirement("excel-thinking-two-forms")
def test_fragments_of_thinking_are_sent_and_their_sum_is_stored() -> None:
    telling = FrameSequence(message_id="m1", language="en")
    sent = [*telling.thought("one "), *telling.thought("two")]
    assert [json.loads(frame.data) for frame in sent] == [
        {"event": "MESSAGE_THINK", "tool": "thinking", "action": "AI Thinking", "param": part, "messageId": "m1",
         "isSubFlow": False}
        for part in ("one ", "two")
    ]  # fmt: skip
    frames = telling.answered(refused("no", response()))
    assert all(frame.event != "MESSAGE_THINK" for frame in frames)
    thoughts = [event for event in telling.stored if event["event"] == "MESSAGE_THINK"]
    assert thoughts == [
        {"event": "MESSAGE_THINK", "tool": "thinking", "action": "AI Thinking Summary", "param": "one two",
         "isSubFlow": True}
    ]  # fmt: skip


def test_a_client_that_wants_no_thinking_is_sent_none_and_the_summary_is_stored() -> None:
    telling = FrameSequence(message_id="m1", language="en", thinking=False)
    assert telling.thought("x") == ()
    telling.answered(refused("no", response()))
    assert [event["event"] for event in telling.stored] == ["MESSAGE_THINK", "RESULT", "NODE_END", "COMPLETE"]


@pytest.mark.requirement("excel-exception-ends-the-node")
def test_an_exception_ends_the_node_with_its_message_and_gives_no_result() -> None:
    telling = FrameSequence(message_id="m1", language="zh")
    frames = [*telling.begun(), *telling.failed("没有这个计划")]
    assert [frame.event for frame in frames] == ["START", "NODE_START", "PROCESSING", "NODE_END", "COMPLETE"]
    assert json.loads(frames[3].data)["param"] == "没有这个计划"


def test_what_is_stored_has_event_tool_action_and_param() -> None:
    telling = FrameSequence(message_id="m1", language="en")
    telling.begun()
    telling.answered(refused("no", response("en")))
    assert [event["event"] for event in telling.stored] == [
        "START", "NODE_START", "PROCESSING", "RESULT", "NODE_END", "COMPLETE",
    ]  # fmt: skip
    assert all(event.keys() == {"event", "tool", "action", "param"} for event in telling.stored)
