"""Questions that go on from those before them: the earlier reading with some of its slots filled anew."""

from __future__ import annotations

import pytest
from tests.unit.analyst.grammar.clinic import best, read

FEES = "total fee per vet"
BILLS = "各医生的金额合计"


@pytest.mark.parametrize(
    ("before", "question", "said"),
    [
        (FEES, "and by animal?", "total fee per animal"),
        (FEES, "and in 2024?", "total fee per vet, where visited = 2024"),
        (FEES, "and the average?", "average fee per vet"),
        (FEES, "only cats", "total fee per vet, where animal = cat"),
        (FEES, "top 3", "top 3 vet with the highest total fee"),
        ("total fee", "by month", "total fee per month of visited"),
        ("how many visits did Dr Novak have", "what about Dr Silva?", "count, where vet = Dr Silva"),
        ("Which vet had the highest fee?", "and the lowest?", "vet with the lowest total fee"),
        (BILLS, "只看已付的", "每个医生的金额合计，条件：状态 = 已付"),
        (BILLS, "那未付的呢", "每个医生的金额合计，条件：状态 = 未付"),
        (BILLS, "按月呢", "每个日期的月的金额合计"),
        ("已付的账单有几条", "那周明呢", "数量，条件：状态 = 已付且医生 = 周明"),
    ],
)
def test_what_is_said_anew_stands_in_the_place_of_what_was_said_before(before: str, question: str, said: str) -> None:
    assert said in [one.said for one in read(question, 3, after=[before])]


def test_a_question_goes_on_from_one_that_went_on_itself() -> None:
    assert best("only cats", FEES, "and in 2024?") == "total fee per vet, where visited = 2024 and animal = cat"


def test_a_new_key_may_stand_beside_the_earlier_one() -> None:
    assert "total fee per vet, animal" in [one.said for one in read("and by animal?", 10, after=[FEES])]


@pytest.mark.parametrize(("before", "question", "kind"), [(FEES, "as a pie chart", "pie"), (BILLS, "画成饼图", "pie")])
def test_what_was_computed_is_drawn_otherwise(before: str, question: str, kind: str) -> None:
    drawing = read(question, 1, after=[before])[0].plan.parts[-1].drawing
    assert drawing is not None
    assert drawing.kind == kind


def test_a_question_that_is_whole_stands_by_itself() -> None:
    whole = "how many cats were there in 2023?"
    assert best(whole, "how many visits did Dr Novak have") == best(whole)


def test_a_long_question_is_not_read_as_going_on() -> None:
    question = "please tell me " + "how many cats " * 8
    assert not any("follow:before" in one.features for one in read(question, after=[FEES]))
