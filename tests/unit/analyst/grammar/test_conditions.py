"""Candidate tests of rows."""

from __future__ import annotations

import pytest
from tests.unit.analyst.grammar.clinic import seen

from tablewright.analyst.grammar.amounts import havings
from tablewright.analyst.grammar.conditions import conditions
from tablewright.analyst.plan import (
    AnyOf,
    Between,
    Bucket,
    Col,
    Compare,
    Condition,
    Lit,
    Missing,
    Not,
    OneOf,
    Statistic,
)

FEE = Col(name="fee")
VISITED = Col(name="visited")


@pytest.mark.parametrize(
    ("question", "test"),
    [
        ("visits of cats", Compare(op="=", left=Col(name="animal"), right=Lit(value="cat"))),
        ("visits without cats", Compare(op="!=", left=Col(name="animal"), right=Lit(value="cat"))),
        ("fee more than 50", Compare(op=">", left=FEE, right=Lit(value=50))),
        ("fee of at least 50", Compare(op=">=", left=FEE, right=Lit(value=50))),
        ("fee between 20 and 50", Between(of=FEE, low=20, high=50)),
        ("fee above average", Compare(op=">", left=FEE, right=Statistic(name="mean", of=FEE))),
        ("visits with no fee", Missing(of=FEE)),
        ("insured visits", Compare(op="=", left=Col(name="insured"), right=Lit(value="yes"))),
        ("visits in 2023", Compare(op="=", left=VISITED, right=Lit(value="2023"))),
        ("visits in May 2024", Between(of=VISITED, low="2024-05-01", high="2024-05-31")),
        ("visits before 2024", Compare(op="<", left=VISITED, right=Lit(value="2024-01-01"))),
        ("visits on Mondays", OneOf(of=Bucket(of=VISITED, unit="weekday"), values=(0,))),
        ("金额超过300的", Compare(op=">", left=Col(name="金额"), right=Lit(value=300))),
        ("除了已付的账单", Compare(op="!=", left=Col(name="状态"), right=Lit(value="已付"))),
        ("3月的账单", Compare(op="=", left=Bucket(of=Col(name="日期"), unit="month_of_year"), right=Lit(value=3))),
    ],
)
def test_words_become_tests(question: str, test: Condition) -> None:
    assert test in [part.where for part in conditions(seen(question))]


def test_a_negated_test_covers_the_negation() -> None:
    scene = seen("visits without cats")
    (word,) = scene.of("not")[:1]
    negated = [part for part in conditions(scene) if part.negated]
    assert negated
    assert all(part.mask & word.mask for part in negated)


def test_a_negated_test_of_numbers_holds_for_known_numbers_only() -> None:
    found = [part.where for part in conditions(seen("visits with a fee not above 50"))]
    assert Not(of=Compare(op=">", left=FEE, right=Lit(value=50))) in found


def test_numbers_may_test_groups() -> None:
    assert [(part.op, part.value) for part in havings(seen("vets with more than 20 visits"))] == [(">", 20.0)]


def test_an_or_joins_tests_of_one_column() -> None:
    low, high = Compare(op="<", left=FEE, right=Lit(value=20)), Compare(op=">", left=FEE, right=Lit(value=90))
    found = [part.where for part in conditions(seen("visits with fee below 20 or fee above 90"))]
    assert AnyOf(parts=(low, high)) in found


def test_numbers_said_in_millions_fit_columns_in_millions() -> None:
    values = [
        part.where.right.value
        for part in conditions(seen("visits with a fee above 2 million"))
        if isinstance(part.where, Compare) and isinstance(part.where.right, Lit)
    ]
    assert {2_000_000, 2} <= set(values)
