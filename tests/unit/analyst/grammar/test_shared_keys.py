"""Two measures in one sentence are of the same groups, though only one of them names the groups."""

from __future__ import annotations

from itertools import permutations

import pytest
from tests.unit.analyst.grammar.clinic import best, read

from tablewright.analyst.grammar import GrammarReading
from tablewright.analyst.plan import Aggregate, Sort


def _table(reading: GrammarReading) -> tuple[list[str], list[str]]:
    """The groups and the functions of what a reading computes, in one table."""
    (part,) = reading.plan.parts
    relation = part.relation.source if isinstance(part.relation, Sort) else part.relation
    assert isinstance(relation, Aggregate)
    return [key.name for key in relation.groups], [measure.function for measure in relation.measures]


@pytest.mark.parametrize(
    ("question", "group", "functions"),
    [
        ("how many visits and what is the average fee per vet", "vet", ["count", "mean"]),
        ("how many visits per animal, and what is the total fee", "animal", ["count", "sum"]),
        ("每位医生看了多少单、平均收费是多少", "医生", ["count", "mean"]),
    ],
)
def test_measures_share_the_groups_that_one_names(question: str, group: str, functions: list[str]) -> None:
    assert ([group], functions) in [_table(one) for one in read(question)[:3] if len(one.plan.parts) == 1]


def test_what_is_counted_of_each_is_told_apart_by_its_test() -> None:
    found = read("how many visits were healed and how many were referred for each vet")
    tables = [
        relation
        for one in found
        if isinstance(relation := one.plan.parts[0].relation, Aggregate) and len(relation.measures) == 2
    ]
    names = {measure.name for measure in tables[0].measures}
    assert [key.name for key in tables[0].groups] == ["vet"]
    assert {"healed", "referred"} <= {name.split(": ")[-1] for name in names}


def test_questions_of_two_sentences_stay_apart() -> None:
    assert all(
        len(one.plan.parts) == 2 or " in one table" not in one.said
        for one in read("How many visits are there? What is the average fee per vet?")
    )


def test_the_same_count_of_all_and_of_groups_stays_two_answers() -> None:
    found = best("how many visits are there, and how many per vet")
    assert "in one table" not in found


def test_the_groups_of_both_must_be_the_same() -> None:
    for first, second in permutations(("vet", "animal")):
        found = best(f"how many visits per {first}, and what is the average fee per {second}")
        assert "in one table" not in found
