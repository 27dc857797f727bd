"""Two questions in one text are read as both."""

from __future__ import annotations

import pytest
from tests.unit.analyst.grammar.clinic import read


@pytest.mark.requirement("analyst-answers-both-questions")
@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the total fee? How many visits are there?", ("total fee", "count")),
        ("Which vet has the highest total fee, and which one the lowest?", ("highest", "lowest")),
        ("哪个医生金额最高，哪个最低？", ("最高", "最低")),
    ],
)
def test_two_questions_in_one_are_among_the_readings_as_both(question: str, said: tuple[str, str]) -> None:
    both = [one for one in read(question, 20) if len(one.plan.parts) == 2]
    assert any(all(words in one.said for words in said) for one in both)
