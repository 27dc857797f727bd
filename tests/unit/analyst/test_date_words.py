"""Conditions on dates are said as people say them."""

import pytest

from tablewright.analyst.plan import Between, Bucket, Col, Compare, Condition, Lit, OneOf
from tablewright.analyst.words import Words
from tablewright.domain.language import Language

_SOLD = Col(name="Sold")


@pytest.mark.parametrize(
    ("condition", "language", "said"),
    [
        (Compare(op="=", left=Bucket(of=_SOLD, unit="month_of_year"), right=Lit(value=3)), "en", "Sold is in March"),
        (Compare(op="=", left=Bucket(of=_SOLD, unit="month_of_year"), right=Lit(value=3)), "zh", "Sold在3月"),
        (OneOf(of=Bucket(of=_SOLD, unit="month_of_year"), values=(1, 2)), "en", "Sold is in January or February"),
        (OneOf(of=Bucket(of=_SOLD, unit="weekday"), values=(5, 6)), "en", "Sold is a Saturday or Sunday"),
        (OneOf(of=Bucket(of=_SOLD, unit="weekday"), values=(0,)), "zh", "Sold是周一"),
        (Between(of=_SOLD, low="2024-02-01", high="2024-02-29"), "en", "Sold is in February 2024"),
        (Between(of=_SOLD, low="2024-02-01", high="2024-02-29"), "zh", "Sold在2024年2月"),
        (Between(of=_SOLD, low="2023-01-01", high="2023-12-31"), "en", "Sold is in 2023"),
    ],
)
def test_months_weekdays_and_years_have_their_names(condition: Condition, language: Language, said: str) -> None:
    assert Words(language).condition(condition) == said


@pytest.mark.parametrize(
    "condition",
    [
        Between(of=_SOLD, low="2024-02-01", high="2024-02-28"),
        Between(of=_SOLD, low="2024-02-02", high="2024-02-29"),
        Between(of=_SOLD, low="2023-02-01", high="2024-02-29"),
        Between(of=_SOLD, low="a", high="b"),
        Between(of=_SOLD, low=1, high=3),
    ],
)
def test_other_spans_are_said_by_their_ends(condition: Between) -> None:
    assert Words("en").condition(condition) == f"Sold is from {condition.low} to {condition.high}"


def test_a_number_that_is_no_month_is_said_as_a_number() -> None:
    of_hour = Compare(op="=", left=Bucket(of=_SOLD, unit="hour"), right=Lit(value=3))
    no_month = OneOf(of=Bucket(of=_SOLD, unit="month_of_year"), values=(13,))
    assert Words("en").condition(of_hour) == "hour of Sold is 3"
    assert Words("en").condition(no_month).endswith("is 13")
