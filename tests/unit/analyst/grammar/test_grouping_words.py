"""Words that say by what is grouped, ranked or averaged, and what they cost where no part has them."""

from __future__ import annotations

import pytest
from tests.unit.analyst.grammar.clinic import best, read, seen

from tablewright.analyst.grammar.coverage import classes_of
from tablewright.analyst.grammar.measures import measures
from tablewright.analyst.grammar.orders import sortings


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("fee by month", "total fee per month of visited"),
        ("每月的金额合计是多少", "每个日期的月的金额合计"),
        ("average fee by animal and outcome", "average fee per animal, outcome"),
        ("各医生的金额合计是多少？", "每个医生的金额合计"),
        ("average number of visits per day", "average over day of visited of count"),
    ],
)
def test_what_is_grouped_by_is_not_left_aside(question: str, said: str) -> None:
    assert best(question) == said


@pytest.mark.parametrize(("question", "places"), [("fee by month", [1, 2]), ("fee per animal", [1])])
def test_words_that_group_are_a_class_of_their_own(question: str, places: list[int]) -> None:
    assert [place for place, (name, _) in enumerate(classes_of(seen(question))) if name == "per"] == places


def test_what_ranks_is_no_group() -> None:
    assert "per" not in {name for name, _ in classes_of(seen("top 2 animals by fee"))}


def test_a_question_for_an_amount_counts_no_rows() -> None:
    assert not [part for part in measures(seen("金额合计是多少"), []) if part.kind == "rows" and part.mask]
    assert [part for part in measures(seen("账单有多少"), []) if part.kind == "rows" and part.mask]


def test_rows_that_are_called_orders_are_not_sorted_by_that_word() -> None:
    assert sortings(seen("fee per vet in order"))
    assert not sortings(seen("how many visits per vet"))


def test_how_much_the_best_has_is_answered_where_it_is_shown() -> None:
    found = {tuple(sorted(one.unread)) for one in read("which vet had the highest total fee, and how much", 12)}
    assert () in found


def test_a_word_behind_one_that_is_linked_loosely_is_missed() -> None:
    assert any(one.features.get("left:head") for one in read("total charge weight"))
    assert not any(one.features.get("left:head") for one in read("total charge"))


@pytest.mark.parametrize(
    ("question", "missed"),
    [
        ("average fee per customer", True),
        ("按客户统计平均金额", True),
        ("average fee per visit", False),
        ("average fee per row", False),
        ("average fee of all customers", False),
    ],
)
def test_a_thing_that_is_grouped_by_and_has_no_column_is_missed(question: str, missed: bool) -> None:
    found = read(question)[0]
    assert bool(found.features.get("left:word")) is missed, found.said
