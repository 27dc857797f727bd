"""What is typed in a chat, as the answer to what a run asks."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from tablewright.domain.run import OpenRequest
from tablewright.service.chats.answers import answer_in_words


def request(kind: Any, **more: Any) -> OpenRequest:
    return OpenRequest(id="q", run_id="r", kind=kind, prompt="?", created_at=datetime(2026, 1, 1, tzinfo=UTC), **more)


@pytest.mark.requirement("openai-consent-in-words")
@pytest.mark.parametrize("kind", ["approval", "continue"])
@pytest.mark.parametrize(
    ("words", "decision", "text"),
    [
        (" YES! ", "approve", None),
        ("是。", "approve", None),
        ("go", "approve", None),
        ("no", "reject", None),
        ("否", "reject", None),
        ("yes but not the last", "reject", "yes but not the last"),
        ("nope", "reject", "nope"),
        ("", "reject", ""),
    ],
)
def test_consent_is_given_by_its_words_alone(kind: str, words: str, decision: str, text: str | None) -> None:
    answer = answer_in_words(request(kind), words, ["Go"])
    assert (answer.decision, answer.text) == (decision, text)


@pytest.mark.parametrize(("words", "text"), [("2", "b"), ("b", "b"), ("3", "3"), ("0", "0"), ("yes", "yes")])
def test_an_option_may_be_given_by_its_number(words: str, text: str) -> None:
    answer = answer_in_words(request("question", options=("a", "b")), words, ["yes"])
    assert (answer.decision, answer.text) == ("answer", text)


def test_a_form_is_given_as_json() -> None:
    answer = answer_in_words(request("question", schema={"properties": {"a": {}, "b": {}}}), '{"a": 1}', [])
    assert answer.values == {"a": 1}
