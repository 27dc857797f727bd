"""The language of what a person wrote."""

from __future__ import annotations

import pytest

from tablewright.domain.language import Language, language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("各大区的销售额分别是多少？", "zh"),
        ("用Python画一个Revenue的柱状图", "zh"),
        ("Order ID 一共有多少个？", "zh"),
        ("What is the total revenue?", "en"),
        ("What is the total 销售额 by 大区?", "en"),
        ("Quel est le total ?", "en"),
    ],
)
def test_a_sentence_counts_by_its_weight(text: str, language: Language) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize("default", ["zh", "en"])
def test_without_a_letter_the_default_holds(default: Language) -> None:
    assert language_of("2024 + 1?", default) == default
