"""What is typed where consent was asked for: a clear yes, a clear no, or neither."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tablewright.domain.run import OpenRequest
from tablewright.service.workflow_chat.answers import answer_of
from tablewright.service.workflow_chat.consent import consent_in
from tablewright.workflows.state import SUBJECT

CONSENT = OpenRequest(
    id="q", run_id="r", kind="approval", prompt="?", created_at=datetime(2026, 1, 1, tzinfo=UTC), subject_kind=SUBJECT
)


@pytest.mark.parametrize(
    "words",
    [
        "Yes, please do",
        "同意",
        "我同意。",
        "好的，可以",
        "好的可以",
        "确认！",
        "OK",
        "ok thanks",
        "Sure, go ahead.",
        "no problem",
        "没问题",
    ],
)
def test_a_clear_yes_agrees(words: str) -> None:
    assert consent_in(words) == "yes"
    assert answer_of(CONSENT, words, continue_words=()).decision == "approve"


@pytest.mark.parametrize(
    "words",
    ["no", "No, thanks.", "不同意", "不可以", "不行，取消吧", "Please don’t", "I don't agree", "算了", "cancel it"],
)
def test_a_clear_no_rejects(words: str) -> None:
    assert consent_in(words) == "no"
    assert answer_of(CONSENT, words, continue_words=()).decision == "reject"


@pytest.mark.parametrize(
    "words",
    [
        "yes?",
        "yes but not the last",
        "可以吗",
        "好不好",
        "是不是",
        "对不起",
        "don't stop",
        "不确定",
        "no, go ahead",
        "yesterday",
        "why",
        "",
    ],
)
def test_what_is_neither_is_handed_on_as_it_is(words: str) -> None:
    assert consent_in(words) is None
    answer = answer_of(CONSENT, words, continue_words=())
    assert (answer.decision, answer.text) == ("answer", words)


def test_the_words_that_are_configured_agree() -> None:
    assert consent_in("Los, bitte") is None
    assert consent_in("Los!", ["los"]) == "yes"
