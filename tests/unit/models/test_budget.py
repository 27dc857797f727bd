"""Making a conversation fit."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.support.model_requests import said, task

from tablewright.domain.message import Message, ToolCallPart, ToolResultPart
from tablewright.domain.task import TurnFacts
from tablewright.models.budget import Fitted, fit
from tablewright.models.dialogue import output_turn
from tablewright.models.render import render
from tablewright.models.tokens import CalibratedEstimator


def fitted(messages: tuple[Message, ...], limit: int) -> Fitted:
    return fit(messages, limit_tokens=limit, counter=CalibratedEstimator(), model="m", language="en")


def steps(number: int, output: str) -> tuple[Message, ...]:
    turns: list[Message] = []
    for index in range(number):
        turns += [said("assistant", f"code {index}", "output"), output_turn([f"{index} {output}"], "en")]
    return tuple(turns)


def tokens(messages: tuple[Message, ...]) -> int:
    return CalibratedEstimator().count(messages, model="m").tokens


def test_what_fits_is_left_as_it_is() -> None:
    messages = render(task(), steps(3, "short"))

    assert fitted(messages, 100_000).messages == messages


def test_the_oldest_output_is_shortened_first_and_the_last_stays_whole() -> None:
    messages = render(task(), steps(3, "x" * 4_000))

    result = fitted(messages, tokens(messages) - 500)

    assert result.fits
    assert "earlier output left out, 4002 characters" in result.messages[3].text
    assert result.messages[5] == messages[5]
    assert result.messages[7] == messages[7]


def test_shortened_output_keeps_its_tags() -> None:
    messages = render(task(), steps(2, "x" * 4_000))

    shortened = fitted(messages, tokens(messages) - 500).messages[3].text

    assert shortened == "<|code_output|>\n(earlier output left out, 4002 characters)\n<|code_output|>"


def test_old_exchanges_go_when_shortening_is_not_enough_but_never_the_data_or_the_last_turns() -> None:
    history = tuple(TurnFacts(question=f"q{number} " + "w " * 400, answer="a " * 400) for number in range(4))
    messages = render(task(history=history), steps(4, "y " * 100))
    least = tokens((messages[0], *messages[9:10], *messages[-2:]))

    result = fitted(messages, least + 10)

    assert result.fits
    assert result.messages[0] == messages[0]
    assert result.messages[1].text.startswith("# Task")
    assert result.messages[-2:] == messages[-2:]


def test_when_even_the_least_is_too_much_it_is_said() -> None:
    messages = render(task(), steps(2, "short"))

    result = fitted(messages, 10)

    assert not result.fits
    assert result.messages[-2:] == messages[-2:]


@given(st.integers(50, 3_000))
def test_a_tools_call_and_its_result_stay_or_go_together(limit: int) -> None:
    turns: list[Message] = []
    for index in range(5):
        call = ToolCallPart(call_id=str(index), name="read", arguments={"n": index})
        result = ToolResultPart(call_id=str(index), name="read", text="z " * 500)
        turns += [Message(role="assistant", parts=(call,)), Message(role="tool", parts=(result,))]
    messages = render(task(), tuple(turns))

    kept = fitted(messages, limit).messages

    calls = [part.call_id for message in kept for part in message.parts if isinstance(part, ToolCallPart)]
    results = [part.call_id for message in kept for part in message.parts if isinstance(part, ToolResultPart)]
    assert calls == results


@given(st.integers(10, 6_000))
def test_a_trimmed_conversation_begins_with_a_person(limit: int) -> None:
    history = (TurnFacts(question="q " * 300, answer="a " * 300, code="x = 1"),) * 3
    messages = render(task(history=history), steps(3, "y " * 300))

    kept = fitted(messages, limit).messages

    assert [message.role for message in kept[:2]] == ["system", "user"]
