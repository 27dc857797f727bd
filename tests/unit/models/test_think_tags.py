"""Reasoning inside text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewright.models.base import ThinkingPiece
from tablewright.models.think_tags import ThinkSplitter


def split(*pieces: str) -> tuple[str, str]:
    splitter = ThinkSplitter()
    found = [part for piece in pieces for part in splitter.feed(piece)] + list(splitter.end())
    thoughts = "".join(part.text for part in found if isinstance(part, ThinkingPiece))
    return thoughts, "".join(part.text for part in found if not isinstance(part, ThinkingPiece))


@pytest.mark.parametrize(
    ("text", "thoughts", "words"),
    [
        ("<think>so</think>\n\nThe answer", "so", "The answer"),
        ("\n<think>so</think>x", "so", "x"),
        ("The answer", "", "The answer"),
        ("<|begin_code|>", "", "<|begin_code|>"),
        ("  spaced", "", "  spaced"),
        ("a <think>later</think>", "", "a <think>later</think>"),
        ("<think>never closed", "never closed", ""),
        ("<thi", "", "<thi"),
        ("<think>1 </ 2</think>3", "1 </ 2", "3"),
    ],
)
def test_reasoning_is_what_stands_in_the_tags_at_the_start(text: str, thoughts: str, words: str) -> None:
    assert split(text) == (thoughts, words)


@given(
    st.lists(st.sampled_from(["<think>", "</think>", "</", "<", "think>", "a", " ", "\n", "答"]), max_size=12).map(
        "".join
    ),
    st.data(),
)
def test_however_the_stream_cuts_it_the_same_is_found(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    bounds = [0, *cuts, len(text)]

    assert split(*(text[a:b] for a, b in pairwise(bounds))) == split(text)


def test_words_are_given_out_as_soon_as_they_cannot_be_a_tag() -> None:
    splitter = ThinkSplitter()

    assert [part.text for part in splitter.feed("<")] == []
    assert [part.text for part in splitter.feed("|begin")] == ["<|begin"]
    assert [part.text for part in splitter.feed("_code")] == ["_code"]
