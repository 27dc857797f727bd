"""What ships as data is whole: the learned weights fit the features, and the vocabulary can be found in texts."""

from __future__ import annotations

import pytest

from tablewright.routing.workflows.features import FIT_FEATURES
from tablewright.routing.workflows.known import NONE_FEATURES
from tablewright.routing.workflows.learned import learned
from tablewright.routing.workflows.pinyin import sound
from tablewright.routing.workflows.tokens import together, tokens_of
from tablewright.routing.workflows.vocabulary import phrases


def test_there_is_a_weight_for_each_feature_and_thresholds_are_probabilities() -> None:
    shipped = learned()
    assert len(shipped.fit) == len(FIT_FEATURES)
    assert len(shipped.none) == len(NONE_FEATURES)
    assert 0.0 < shipped.threshold <= shipped.threshold_with_tables < 1.0
    assert 0.0 < shipped.near <= 1.0
    assert all(text.strip() for text in (*shipped.strangers, *shipped.requests))


def meanings(text: str) -> set[str]:
    """Return the meanings of a text, of whatever kind."""
    found = tokens_of(text)
    return {meaning for kind in ("deeds", "problems", "things", "asides") for meaning in found.of(kind)}


def test_every_phrase_of_the_vocabulary_is_made_of_words() -> None:
    assert () not in phrases().by_parts


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("请假", "leave"),
        ("I am on vacation", "leave"),
        ("报销", "expense"),
        ("two reciepts", "expense"),
        ("发票", "invoice"),
        ("发漂", "invoice"),
        ("she was travelling", "business_trip"),
    ],
)
def test_a_meaning_is_found_in_either_language_and_with_mistakes(text: str, meaning: str) -> None:
    assert meaning in meanings(text)


def test_a_phrase_with_a_mistake_says_less_than_the_phrase_itself() -> None:
    assert 0.0 < tokens_of("发漂").of("things")["invoice"] < tokens_of("发票").of("things")["invoice"] <= 1.0


def test_what_is_written_right_is_not_taken_for_what_sounds_alike() -> None:
    assert sound("发票") == sound("发飘") == ("fa", "piao")
    assert sound("a票") is None


def test_of_a_meaning_that_several_texts_have_the_strongest_counts() -> None:
    weak, strong = tokens_of("发漂"), tokens_of("发票")
    assert together([weak, strong])[4]["invoice"] == strong.of("things")["invoice"]


def test_numbers_are_no_part_of_a_message() -> None:
    assert tokens_of("123 456,789") == tokens_of("")
