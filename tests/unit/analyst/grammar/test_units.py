"""Units that are said of numbers, and those of columns."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.analyst.grammar.clinic import seen

from tablewright.analyst.grammar.units import unit_features
from tablewright.analyst.plan import Col
from tablewright.domain.dataset import ColumnFacts


@pytest.mark.parametrize(
    ("question", "column", "said"),
    [
        ("fee above 50 dollars", "fee", "unit:agrees"),
        ("fee above £50", "fee", "unit:agrees"),
        ("longer than 24 hours", "fee", "unit:differs"),
        ("金额超过500元", "金额", "unit:agrees"),
        ("金额超过24小时", "金额", "unit:differs"),
    ],
)
def test_a_column_has_the_unit_of_a_number_or_another(question: str, column: str, said: str) -> None:
    scene = seen(question)
    assert unit_features(scene, scene.numbers[0], Col(name=column)) == ((said, 1.0),)


def test_a_comma_in_the_name_of_a_column_is_no_unit() -> None:
    scene = seen("fee above 50 dollars")
    columns = (ColumnFacts(name="fee (gross, with tax)", kind="number"),)
    priced = replace(scene, facts=replace(scene.facts, columns=columns))
    assert unit_features(priced, scene.numbers[0], Col(name=columns[0].name)) == (("unit:agrees", 1.0),)


@pytest.mark.parametrize(("question", "column"), [("fee above 50", "fee"), ("visited above 50 dollars", "visited")])
def test_nothing_is_told_without_two_units(question: str, column: str) -> None:
    scene = seen(question)
    assert unit_features(scene, scene.numbers[0], Col(name=column)) == ()
