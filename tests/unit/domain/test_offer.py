"""What a person says chooses an option, or none."""

from __future__ import annotations

import pytest

from tablewright.domain.offer import chosen_option, numbered

OPTIONS = ("orders by order date: 1,204", "orders by ship date: 1,187", "平均金额（2024）：3.5")


@pytest.mark.parametrize(
    ("words", "place"),
    [
        ("1", 0),
        (" ２. ", 1),
        ("4", None),
        ("0", None),
        ("2024", 2),
        ("Orders by ship date", 1),
        ("orders by ship date: 1,187", 1),
        ("ship date", 1),
        ("平均金额（2024）", 2),
        ("orders", None),
        ("how many customers are there?", None),
        ("", None),
    ],
)
def test_an_option_is_chosen_by_its_number_or_by_words_that_are_its_own(words: str, place: int | None) -> None:
    assert chosen_option(OPTIONS, words) == place


def test_options_are_told_with_their_numbers() -> None:
    assert numbered("Which?", ("a", "b")) == "Which?\n1. a\n2. b"
