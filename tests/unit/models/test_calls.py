"""Calls that cannot go out as calls."""

from __future__ import annotations

from tests.support.model_requests import said

from tablewright.domain.message import Message, TextPart, ToolCallPart, ToolResultPart
from tablewright.models.gateway.calls import settled_calls

CALL = Message(role="assistant", parts=(ToolCallPart(call_id="1", name="ask_user", arguments={"question": "哪年？"}),))
RESULT = Message(role="tool", parts=(ToolResultPart(call_id="1", name="ask_user", text="2024"),))
CALL_IN_WORDS = Message(role="assistant", parts=(TextPart(text='[ask_user({"question": "哪年？"})]', origin="output"),))
RESULT_IN_WORDS = Message(role="user", parts=(TextPart(text="[ask_user: 2024]", origin="tool"),))


def test_a_call_with_its_result_stands() -> None:
    messages = (said("user", "hello"), CALL, RESULT)

    assert settled_calls(messages, tools=True) == messages


def test_without_tools_calls_and_results_are_told_in_words() -> None:
    assert settled_calls((CALL, RESULT), tools=False) == (CALL_IN_WORDS, RESULT_IN_WORDS)


def test_a_call_that_was_never_answered_is_told_in_words() -> None:
    assert settled_calls((CALL, said("user", "go on")), tools=True) == (CALL_IN_WORDS, said("user", "go on"))


def test_a_result_that_comes_after_the_next_turn_is_no_result() -> None:
    between = said("assistant", "well", "output")

    assert settled_calls((CALL, between, RESULT), tools=True) == (CALL_IN_WORDS, between, RESULT_IN_WORDS)


def test_what_stands_beside_a_call_stays() -> None:
    words = TextPart(text="Let me ask.", origin="output")
    message = Message(role="assistant", parts=(words, *CALL.parts))

    assert settled_calls((message,), tools=True)[0].parts == (words, *CALL_IN_WORDS.parts)
