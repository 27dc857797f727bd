"""Estimates of tokens."""

from __future__ import annotations

import base64
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.model_requests import WEATHER_TOOL, said

from tablewright.domain.message import ImagePart, Message, ToolCallPart, ToolResultPart
from tablewright.models.image_tokens import IMAGE_TOKENS, image_tokens
from tablewright.models.tokens import CalibratedEstimator, estimate_text


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("销售额", 2.7),
        ("12345", 5 / 1.7),
        ("!?.", 2.25),
        ("abcd", 4 / 4.2),
        ("表 1!", 0.9 + 1 / 4.2 + 1 / 1.7 + 0.75),
    ],
)
def test_each_kind_of_character_has_its_weight(text: str, tokens: float) -> None:
    assert estimate_text(text) == pytest.approx(tokens)


@given(st.text(max_size=80), st.text(max_size=80))
def test_the_estimate_of_two_texts_is_the_sum_of_theirs(one: str, other: str) -> None:
    assert estimate_text(one + other) == pytest.approx(estimate_text(one) + estimate_text(other))


def test_a_call_counts_its_messages_its_tool_calls_and_its_tools() -> None:
    counter = CalibratedEstimator()
    call = Message(role="assistant", parts=(ToolCallPart(call_id="1", name="weather", arguments={"city": "Oslo"}),))
    result = Message(role="tool", parts=(ToolResultPart(call_id="1", name="weather", text="rain"),))

    alone = counter.count([said("user", "hello")], model="m").tokens
    with_call = counter.count([said("user", "hello"), call, result], model="m").tokens
    with_tools = counter.count([said("user", "hello")], [WEATHER_TOOL], model="m").tokens

    assert alone < with_call
    assert alone < with_tools


def test_what_a_provider_reports_corrects_later_estimates_of_that_model_alone() -> None:
    counter = CalibratedEstimator()
    messages = [said("user", "销售额" * 500)]
    before = counter.count(messages, model="m")

    counter.observe(messages, model="m", input_tokens=round(before.tokens * 0.7))

    assert counter.count(messages, model="m").tokens == pytest.approx(before.tokens * 0.7, rel=0.01)
    assert counter.count(messages, model="other").tokens == before.tokens
    assert (before.method, counter.count(messages, model="m").method) == ("estimate", "calibrated estimate")


def test_the_correction_moves_by_a_part_of_each_new_report() -> None:
    counter = CalibratedEstimator(weight=0.5)
    messages = [said("user", "word " * 1000)]
    tokens = counter.count(messages, model="m").tokens

    counter.observe(messages, model="m", input_tokens=tokens)
    counter.observe(messages, model="m", input_tokens=2 * tokens)

    assert counter.ratio("m") == pytest.approx(1.5, rel=0.01)


@pytest.mark.parametrize(("reported", "ratio"), [(0, 1.0), (-5, 1.0), (10**9, 4.0), (1, 0.25)])
def test_an_absurd_report_cannot_spoil_the_estimate(reported: int, ratio: float) -> None:
    counter = CalibratedEstimator()

    counter.observe([said("user", "word " * 100)], model="m", input_tokens=reported)

    assert counter.ratio("m") == pytest.approx(ratio)


def image(width: int, height: int) -> ImagePart:
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height)
    return ImagePart(mime="image/png", data_base64=base64.b64encode(head + b"\0" * 40).decode(), origin="output")


def test_an_image_costs_by_its_pixels_up_to_a_limit() -> None:
    assert image_tokens(image(300, 250)) == 100
    assert image_tokens(image(4000, 4000)) == IMAGE_TOKENS


@pytest.mark.parametrize("data", ["", "not base64 at all!", base64.b64encode(b"\xff\xd8\xff" * 20).decode()])
def test_an_image_of_unknown_size_is_taken_for_a_large_one(data: str) -> None:
    assert image_tokens(ImagePart(mime="image/jpeg", data_base64=data, origin="output")) == IMAGE_TOKENS


@given(st.lists(st.text(max_size=2_000), max_size=8))
def test_what_is_counted_again_counts_as_before(texts: list[str]) -> None:
    counter = CalibratedEstimator()
    messages = [said("user", text) for text in texts]
    first = counter.count(messages, model="m")
    assert counter.count(messages, model="m") == first
    assert CalibratedEstimator().count(messages, model="m") == first
