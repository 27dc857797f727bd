"""Readings that are offered have words that differ, and these say what differs."""

from __future__ import annotations

import json

import pytest
from tests.unit.analyst.facts import S
from tests.unit.analyst.grammar.clinic import read
from tests.unit.analyst.understanding.offers import counting

from tablewright.analyst.base import OfferedPlan, Unsure
from tablewright.analyst.plan import Aggregate, Bucket, Col, Compare, Lit, Measure, Named, Part, Plan, Relation
from tablewright.analyst.understanding.differences import told_apart
from tablewright.analyst.understanding.offering import question_of
from tablewright.domain.language import Language


def offered(plan: Plan, text: str, result: str) -> OfferedPlan:
    return OfferedPlan(plan=plan, text=text, option=f"{text}: {result}")


def plan(*measures: Measure, groups: tuple[Named, ...] = ()) -> Plan:
    relation: Relation = Aggregate(source=S, groups=groups, measures=measures)
    return Plan(parts=(Part(relation=relation),))


def test_of_one_wording_each_reading_says_its_own_condition() -> None:
    readings = (offered(counting("East"), "orders", "3"), offered(counting("West"), "Orders", "4"))
    found = told_apart(readings, "en")
    assert [one.text for one in found] == ["orders (region = East)", "Orders (region = West)"]
    assert [one.option for one in found] == ["orders (region = East): 3", "Orders (region = West): 4"]
    assert [one.plan for one in found] == [counting("East"), counting("West")]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["share (rows with fee where vet = A, per year of day)", "share (total fee)"]),
        ("zh", ["share（vet = A的有fee的行数、按day的年）", "share（fee合计）"]),
    ],
)
def test_what_is_computed_of_which_rows_and_groups_is_said(language: Language, said: list[str]) -> None:
    fee, where = Col(name="fee"), Compare(op="=", left=Col(name="vet"), right=Lit(value="A"))
    years = (Named(name="y", of=Bucket(of=Col(name="day"), unit="year")),)
    counted = plan(Measure(name="m", function="count", of=fee, where=where), groups=years)
    summed = plan(Measure(name="m", function="sum", of=fee))
    found = told_apart((offered(counted, "share", "1"), offered(summed, "share", "2")), language)
    assert [one.text for one in found] == said


def test_readings_that_differ_by_nothing_that_can_be_said_say_what_they_give() -> None:
    same = plan(Measure(name="m", function="count"))
    found = told_apart((offered(same, "count", "3"), offered(same, "count", "4"), offered(same, "sum", "5")), "en")
    assert [one.text for one in found] == ["count: 3", "count: 4", "sum"]


@pytest.mark.parametrize("question", ["share of cats", "which vet had the second highest fee", "已付的金额占比"])
def test_no_two_readings_of_a_question_are_offered_with_the_same_words(question: str) -> None:
    language: Language = "en" if question.isascii() else "zh"
    everything = [offered(one.plan, one.said, str(place)) for place, one in enumerate(read(question))]
    assert len({one.text for one in everything}) < len(everything)
    for first in range(0, len(everything), 3):
        asked = question_of(Unsure(readings=tuple(everything[first : first + 3])), language)
        shown = json.loads(json.dumps(asked["readings"]))
        assert len({one["text"] for one in shown}) == len(shown)
