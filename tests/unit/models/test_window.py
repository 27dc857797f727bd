"""What of a conversation fits into a window: nothing is torn apart, and the newest is kept."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablewright.domain.message import Message, Part, TextPart, ToolCallPart, ToolResultPart
from tablewright.errors import TokenLimitExceeded
from tablewright.models.tokens import CalibratedEstimator
from tablewright.models.window import Window, WindowRules, shortened, unpaired, windowed
from tablewright.models.work_prompt import next_step_turn

SYSTEM = Message(role="system", parts=(TextPart(text="You are an agent.", origin="system"),))


def rules(limit: int) -> WindowRules:
    return WindowRules(limit_tokens=limit, counter=CalibratedEstimator(), model="m", language="en")


def asks(text: str) -> Message:
    return Message(role="user", parts=(TextPart(text=text, origin="user"),))


def says(text: str, *call_ids: str) -> Message:
    calls = tuple(ToolCallPart(call_id=call_id, name="look", arguments={"at": call_id}) for call_id in call_ids)
    texts: tuple[Part, ...] = (TextPart(text=text, origin="output"),) if text else ()
    return Message(role="assistant", parts=(*texts, *calls))


def result(call_id: str, text: str) -> Message:
    return Message(role="tool", parts=(ToolResultPart(call_id=call_id, name="look", text=text),))


WORDS = st.integers(0, 60).map(lambda count: "word " * count)


@st.composite
def turns(draw: st.DrawFn) -> list[Message]:
    """A question, and what an agent did about it."""
    made = [asks(draw(WORDS) + "?")]
    for _ in range(draw(st.integers(0, 4))):
        number = draw(st.integers(0, 2**40))
        call_ids = [f"c{number}.{place}" for place in range(draw(st.integers(1, 3)))]
        made.append(says(draw(WORDS), *call_ids))
        made += [result(call_id, draw(WORDS) * draw(st.integers(1, 40))) for call_id in call_ids]
        made.append(next_step_turn("en"))
    made.append(says(draw(WORDS) + "."))
    return made


@st.composite
def conversations(draw: st.DrawFn) -> list[Message]:
    rounds = draw(st.lists(turns(), min_size=1, max_size=5))
    messages = [SYSTEM, *(message for one in rounds for message in one)]
    return messages[:-1] if draw(st.booleans()) else messages


def fit(messages: list[Message], limit: int) -> Window | None:
    try:
        return windowed(messages, rules(limit))
    except TokenLimitExceeded:
        return None


@settings(max_examples=300, deadline=None)
@given(conversations(), st.integers(50, 4_000))
def test_no_call_is_ever_without_its_result(messages: list[Message], limit: int) -> None:
    window = fit(messages, limit)
    if window is not None:
        assert unpaired(window.messages) == unpaired(messages)


@settings(max_examples=300, deadline=None)
@given(conversations(), st.integers(50, 4_000))
def test_what_is_kept_fits_begins_with_the_system_and_the_user_and_ends_with_the_newest(
    messages: list[Message], limit: int
) -> None:
    window = fit(messages, limit)
    if window is None:
        return
    assert window.tokens <= limit
    assert window.tokens == rules(limit).count(window.messages)
    assert window.messages[0] == SYSTEM
    assert window.messages[1].role == "user"
    assert window.messages[-1].role == messages[-1].role
    if not any(isinstance(part, ToolResultPart) for part in messages[-1].parts):
        assert window.messages[-1] == messages[-1]
    assert len(messages) - len(window.messages) == window.left_out


@settings(max_examples=200, deadline=None)
@given(conversations(), st.integers(50, 4_000))
def test_what_is_kept_is_in_order_and_only_results_are_made_shorter(messages: list[Message], limit: int) -> None:
    window = fit(messages, limit)
    if window is None:
        return
    left = iter(messages)
    for kept in window.messages:
        assert any(_same(kept, message) for message in left)


def _same(kept: Message, message: Message) -> bool:
    if kept.role != "tool":
        return kept == message
    ids = [[part.call_id for part in each.parts if isinstance(part, ToolResultPart)] for each in (kept, message)]
    return ids[0] == ids[1]


@settings(max_examples=100, deadline=None)
@given(conversations())
def test_what_fits_is_left_as_it_is(messages: list[Message]) -> None:
    whole = rules(1).count(messages)
    window = windowed(messages, rules(whole))
    assert window.messages == tuple(messages)
    assert (window.left_out, window.shortened) == (0, 0)


def test_the_current_question_is_kept_however_long_the_work_on_it_is() -> None:
    messages = [SYSTEM, asks("old?"), says("old."), asks("What is it?")]
    for number in range(50):
        messages += [says("I look.", f"c{number}"), result(f"c{number}", "text " * 400), next_step_turn("en")]
    window = windowed(messages, rules(1_500))
    assert [message.text for message in window.messages[:2]] == ["You are an agent.", "What is it?"]
    assert window.left_out > 0
    assert window.shortened > 0


def test_old_results_are_made_shorter_before_anything_is_left_out() -> None:
    messages = [SYSTEM, asks("?"), says("", "a"), result("a", "long " * 3_000), says("", "b"), result("b", "new")]
    window = windowed(messages, rules(1_000))
    assert (window.left_out, window.shortened) == (0, 1)
    assert window.messages[-1] == messages[-1]


@pytest.mark.parametrize(("message", "kind"), [(asks("word " * 5_000), "USER"), (says("word " * 5_000), "ASSISTANT")])
def test_what_cannot_be_made_to_fit_is_named(message: Message, kind: str) -> None:
    with pytest.raises(TokenLimitExceeded) as caught:
        windowed([SYSTEM, message], rules(1_000))
    params = caught.value.params
    assert params["message_type"] == kind
    assert params["max_tokens"] == 1_000
    assert params["exceeded_tokens"] == int(str(params["current_tokens"])) - 1_000


def test_a_system_message_that_is_too_long_is_named() -> None:
    long = Message(role="system", parts=(TextPart(text="word " * 5_000, origin="system"),))
    with pytest.raises(TokenLimitExceeded) as caught:
        windowed([long, asks("?")], rules(1_000))
    assert caught.value.params["message_type"] == "SYSTEM"


def test_of_a_long_text_the_beginning_and_the_end_stay() -> None:
    text = "".join(chr(ord("a") + place % 26) for place in range(10_000))
    short = shortened(text, 300, "en")
    assert short.startswith(text[:200])
    assert short.endswith(text[-100:])
    assert "9700 characters" in short
    assert shortened("short", 300, "en") == "short"


def test_the_window_follows_what_a_provider_reports() -> None:
    counter = CalibratedEstimator()
    messages = [SYSTEM, asks("word " * 100), says("."), asks("?")]
    known = WindowRules(limit_tokens=150, counter=counter, model="m", language="en")
    assert windowed(messages, known).left_out == 0
    counter.observe(messages, model="m", input_tokens=2 * known.count(messages))
    assert windowed(messages, known).left_out == 2
