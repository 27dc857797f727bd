"""The memory of an agent with tools: what is left to do, and what of it is remembered."""

from __future__ import annotations

from tablewright.agent.react.conversation import Conversation, clipped, record_lines, without_tools
from tablewright.domain.message import Message, TextPart, ToolCallPart, ToolResultPart
from tablewright.models.work_prompt import next_step_turn, question_turn, task_turn


def says(text: str, *call_ids: str) -> Message:
    calls = tuple(ToolCallPart(call_id=call_id, name="look", arguments={}) for call_id in call_ids)
    return Message(role="assistant", parts=(*((TextPart(text=text, origin="output"),) if text else ()), *calls))


def result(call_id: str, text: str = "seen") -> Message:
    return Message(role="tool", parts=(ToolResultPart(call_id=call_id, name="look", text=text),))


WORK = [
    question_turn("How much?"),
    says("I look.", "a", "b"),
    result("b"),
    result("a"),
    next_step_turn("en"),
    says("", "c"),
    result("c"),
    next_step_turn("en"),
    says("It is 3."),
]


def test_calls_without_results_are_pending_in_their_order() -> None:
    assert [call.call_id for call in Conversation(WORK[:2]).pending] == ["a", "b"]
    assert [call.call_id for call in Conversation(WORK[:3]).pending] == ["a"]
    assert Conversation(WORK[:4]).pending == ()
    assert Conversation([]).pending == ()


def test_a_turn_without_calls_is_the_conclusion() -> None:
    assert Conversation(WORK).conclusion == "It is 3."
    assert Conversation(WORK[:-1]).conclusion is None
    assert Conversation(WORK[:2]).conclusion is None


def test_the_work_begins_with_the_last_question_or_task() -> None:
    memory = [*WORK, task_turn("Compare.", "en")]
    assert Conversation(memory).turns == 0
    assert Conversation(memory).conclusion is None
    assert Conversation([*memory, says("Done.")]).turns == 1


def test_without_tools_the_conversation_stays() -> None:
    assert [(message.role, message.text) for message in without_tools(WORK)] == [
        ("user", "How much?"),
        ("assistant", "I look."),
        ("assistant", "It is 3."),
    ]


def test_what_is_remembered_of_results_is_cut() -> None:
    (short,) = clipped([result("a", "x" * 9_000)], 300, "en")
    (part,) = short.parts
    assert isinstance(part, ToolResultPart)
    assert len(part.text) < 500


def test_the_record_has_a_line_for_each_turn_that_somebody_took() -> None:
    lines = record_lines(WORK, 100, "en").splitlines()
    assert lines[0] == "role:user content:How much?"
    assert "role:tool content:seen" in lines
    assert lines[-1] == "role:assistant content:It is 3."
    assert not any("without any call" in line for line in lines)
