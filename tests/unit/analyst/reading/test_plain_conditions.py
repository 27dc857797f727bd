"""Periods, gaps, flags and columns compared: what must become a condition, or the question be declined."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.analyst.reading.trade import DELIVERIES, JOBS, part_of, refused

from tablewright.analyst.plan import (
    Aggregate,
    AnyOf,
    Between,
    Bucket,
    Col,
    Compare,
    Condition,
    Filter,
    Lit,
    Missing,
    OneOf,
)
from tablewright.analyst.plan_walk import nodes
from tablewright.domain.dataset import DatasetFacts

GAPPY = replace(
    DELIVERIES,
    columns=tuple(replace(column, missing=7) if column.name == "Rating" else column for column in DELIVERIES.columns),
)
DAY = Col(name="Day")


async def condition(question: str, *tables: DatasetFacts) -> Condition:
    part = await part_of(question, *tables)
    return next(node for node in nodes(part.relation) if isinstance(node, Filter)).where


@pytest.mark.parametrize(
    ("question", "want"),
    [
        ("total income in Q3 2023", Between(of=DAY, low="2023-07-01", high="2023-09-30")),
        ("total income in the second half of 2022", Between(of=DAY, low="2022-07-01", high="2022-12-31")),
        ("total income between 2022-04-01 and 2022-06-30", Between(of=DAY, low="2022-04-01", high="2022-06-30")),
        ("total income in March", Compare(op="=", left=Bucket(of=DAY, unit="month_of_year"), right=Lit(value=3))),
    ],
)
async def test_a_period_becomes_a_condition(question: str, want: Condition) -> None:
    assert await condition(question) == want


@pytest.mark.parametrize(
    ("question", "months"),
    [("上半年的运费合计", tuple(range(1, 7))), ("第二季度的总运费", (4, 5, 6)), ("从3月到5月的总运费", (3, 4, 5))],
)
async def test_a_part_of_any_year_is_its_months(question: str, months: tuple[int, ...]) -> None:
    assert await condition(question, JOBS) == OneOf(of=Bucket(of=Col(name="日期"), unit="month_of_year"), values=months)


async def test_two_years_are_alternatives() -> None:
    where = await condition("total income in 2022 and 2023")
    assert isinstance(where, AnyOf)
    assert len(where.parts) == 2


@pytest.mark.parametrize(
    "question",
    [
        "What was the total income last year?",
        "今年的总运费是多少？",
        "总运费昨天是多少？",
        "What is the income of Dogwood?",
    ],
)
async def test_what_the_table_cannot_tell_is_declined(question: str) -> None:
    await refused(question, JOBS if question[0] > "z" else DELIVERIES)


@pytest.mark.parametrize("question", ["How many deliveries have no rating?", "How many deliveries lack a rating?"])
async def test_gaps_are_counted_as_rows(question: str) -> None:
    part = await part_of(question, GAPPY)
    assert isinstance(part.relation, Aggregate)
    assert part.relation.measures[0].function == "count"
    assert await condition(question, GAPPY) == Missing(of=Col(name="Rating"))


@pytest.mark.parametrize(
    ("question", "value"),
    [("How many deliveries are insured?", "Yes"), ("How many deliveries are not insured?", "No")],
)
async def test_a_column_of_yes_and_no_is_said_of_the_rows(question: str, value: str) -> None:
    assert await condition(question) == Compare(op="=", left=Col(name="Insured"), right=Lit(value=value))


async def test_two_columns_of_a_row_are_compared() -> None:
    where = await condition("How many deliveries have an income below the cost?")
    assert where == Compare(op="<", left=Col(name="Income"), right=Col(name="Cost"))
