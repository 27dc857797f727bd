"""Questions that change one thing of the question before."""

from __future__ import annotations

import pytest
from tests.unit.analyst.reading.trade import DELIVERIES, JOBS, TradeValues, part_of, reading_of

from tablewright.analyst.base import NotUnderstood, Understood
from tablewright.analyst.reading import read
from tablewright.domain.task import TurnFacts


@pytest.mark.parametrize(
    ("earlier", "question", "whole"),
    [
        (["What is the total income in 2022?"], "And in 2023?", "What is the total income in 2023?"),
        (["What is the total income of Alder?"], "what about Birch?", "What is the total income of Birch?"),
        (["What is the total income by depot?"], "and by carrier?", "What is the total income by carrier?"),
        (["What is the total income by depot?"], "and the average?", "What is the average income by depot?"),
        (["What is the total income?"], "and in 2023?", "What is the total income in 2023?"),
        (
            ["What is the total income of Alder?", "what about Birch?"],
            "and the cost?",
            "What is the total cost of Birch?",
        ),
    ],
)
async def test_what_changes_takes_the_place_of_its_kind(earlier: list[str], question: str, whole: str) -> None:
    assert await part_of(question, earlier=earlier) == await part_of(whole)


@pytest.mark.parametrize(
    ("earlier", "question", "whole"),
    [
        ("东仓的运费是多少？", "那西仓呢？", "西仓的运费是多少？"),
        ("各仓库的运费分别是多少？", "件数呢？", "各仓库的件数分别是多少？"),
        ("各仓库的运费分别是多少？", "2023年3月呢？", "2023年3月各仓库的运费分别是多少？"),
    ],
)
async def test_a_chinese_question_goes_on_too(earlier: str, question: str, whole: str) -> None:
    assert await part_of(question, JOBS, earlier=[earlier]) == await part_of(whole, JOBS)


async def test_a_new_question_stands_for_itself() -> None:
    question = "How many deliveries are there?"
    assert await part_of(question, earlier=["What is the total income in 2022?"]) == await part_of(question)


async def test_an_unknown_thing_is_not_dropped() -> None:
    reading = await reading_of("and the rain?", DELIVERIES, earlier=["What is the total income in 2022?"])
    assert isinstance(reading, NotUnderstood)


@pytest.mark.parametrize("between", ["why?", "thanks", "and the rain?"])
async def test_a_question_goes_on_from_the_last_one_that_was_answered(between: str) -> None:
    history = (
        TurnFacts(question="What is the total income of Alder?", answer="7", code="print(7)"),
        TurnFacts(question=between, answer="I could not tell what these words mean."),
    )
    reading = await read("and of Birch?", "en", (DELIVERIES,), TradeValues(), history)
    assert isinstance(reading, Understood)
    assert reading.plan.parts == (await part_of("What is the total income of Birch?"),)
