"""Nothing that is a key, or looks like one, is ever said."""

from __future__ import annotations

import pytest

from tablewright.models.gateway.failures import WORDS_CHARS, redacted


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("bad key sk-proj-Ab3dEf6hIj", "bad key ***"),
        ("Incorrect API key provided: sk-abcde***wxyz.", "Incorrect API key provided: ***"),
        ("Authorization: Bearer eyJhbGciOi.x.y", "Authorization: ***"),
        ("AIzaSyD1234567890 is not valid", "*** is not valid"),
        ("twenty-four thousand skeletons were skipped", "twenty-four thousand skeletons were skipped"),
        ("a value of ours: hunter2", "a value of ours: ***"),
        ("two\n  lines", "two lines"),
    ],
)
def test_what_looks_like_a_key_is_left_out_and_words_are_not(said: str, told: str) -> None:
    assert redacted(said, ["hunter2"]) == told


def test_long_words_of_an_endpoint_are_shortened() -> None:
    assert len(redacted("x" * 10_000, [])) == WORDS_CHARS
