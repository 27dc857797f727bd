"""Comparisons that are written with signs."""

from __future__ import annotations

import pytest
from tests.unit.analyst.grammar.clinic import read


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("how many visits with fee > 100", "count, where fee > 100"),
        ("how many visits with fee>=100", "count, where fee ≥ 100"),
        ("how many visits with fee < 100", "count, where fee < 100"),
        ("how many visits with fee <= 100", "count, where fee ≤ 100"),
        ("how many visits with fee ≥ 100", "count, where fee ≥ 100"),
        ("count of visits where fee != 20", "count, where fee ≠ 20"),
        ("how many visits where animal != cat", "count, where animal ≠ cat"),
        ("average fee where animal = dog", "average fee, where animal = dog"),
        ("金额＞100的账单有多少", "数量，条件：金额 > 100"),
        ("金额>=100的账单有多少", "数量，条件：金额 ≥ 100"),
    ],
)
def test_a_sign_is_read_as_the_words_for_it(question: str, said: str) -> None:
    assert read(question)[0].said == said


@pytest.mark.parametrize("question", ["how many visits with fee > 100", "金额>=100的账单有多少"])
def test_a_reading_that_leaves_a_sign_out_says_so(question: str) -> None:
    left = [reading for reading in read(question) if "fee = 100" in reading.said or "金额 = 100" in reading.said]
    assert left
    assert all(reading.features.get("left:compare") for reading in left)
