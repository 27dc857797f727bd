"""What ships as data is whole: the learned weights fit the features, and the vocabulary can be found in texts."""

from __future__ import annotations

import pytest

from tablewright.routing.workflows.features import FIT_FEATURES, NONE_FEATURES
from tablewright.routing.workflows.learned import learned
from tablewright.routing.workflows.tokens import tokens_of
from tablewright.routing.workflows.vocabulary import meanings


def test_there_is_a_weight_for_each_feature_and_thresholds_are_probabilities() -> None:
    shipped = learned()
    assert len(shipped.fit) == len(FIT_FEATURES)
    assert len(shipped.none) == len(NONE_FEATURES)
    assert 0.0 < shipped.threshold < shipped.threshold_with_tables < 1.0
    assert 0.0 < shipped.near <= 1.0
    assert all(text.strip() for text in shipped.strangers)


def test_every_phrase_of_the_vocabulary_is_made_of_words() -> None:
    assert () not in meanings()


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("请假", "=leave"),
        ("I am on vacation", "=leave"),
        ("报销", "=expense"),
        ("two reciepts", "=expense"),
        ("发票", "=invoice"),
    ],
)
def test_a_meaning_is_found_in_either_language_and_with_mistakes(text: str, meaning: str) -> None:
    assert meaning in tokens_of(text).meanings


def test_numbers_are_no_part_of_a_message() -> None:
    assert tokens_of("123 456,789") == tokens_of("")
