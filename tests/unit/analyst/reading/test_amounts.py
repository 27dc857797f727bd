"""Columns named without an aggregate, shares, and groups set against each other."""

from __future__ import annotations

import pytest
from tests.unit.analyst.reading.tables import column, table
from tests.unit.analyst.reading.trade import DELIVERIES, JOBS, part_of

from tablewright.analyst.plan import (
    Aggregate,
    Bucket,
    Col,
    Combine,
    Compare,
    Derive,
    Filter,
    Math,
    Named,
    Procedure,
    Project,
    Share,
    Source,
    Top,
)
from tablewright.analyst.plan_walk import nodes
from tablewright.domain.dataset import DatasetFacts


def measured(relation: object) -> list[tuple[str, str | None]]:
    assert isinstance(relation, Aggregate)
    return [
        (measure.function, measure.of.name if isinstance(measure.of, Col) else None) for measure in relation.measures
    ]


def keys(relation: object) -> list[str]:
    assert isinstance(relation, Aggregate)
    return [group.name for group in relation.groups]


@pytest.mark.parametrize(
    ("question", "table", "want"),
    [
        ("What is the income of Alder?", DELIVERIES, [("sum", "Income")]),
        ("income and cost by depot", DELIVERIES, [("sum", "Income"), ("sum", "Cost")]),
        ("rating by carrier", DELIVERIES, [("mean", "Rating")]),
        ("各仓库的运费", JOBS, [("sum", "运费")]),
        ("各仓库的单价", JOBS, [("mean", "单价")]),
        ("东仓的总运费是多少？", JOBS, [("sum", "运费")]),
        ("按仓库统计件数和平均单价", JOBS, [("sum", "件数"), ("mean", "单价")]),
    ],
)
async def test_amounts_are_added_up_and_levels_averaged(
    question: str, table: DatasetFacts, want: list[tuple[str, str | None]]
) -> None:
    assert measured((await part_of(question, table)).relation) == want


ORDERS = table(
    "deliveries",
    "orders",
    90,
    column("Depot", "text", 3),
    column("Price", "number", 40, 1.0, 60.0),
    column("Quantity", "integer", 9, 1, 9),
    column("Amount", "number", 80, 1.0, 540.0),
)


@pytest.mark.parametrize(
    "question", ["What is the total amount by depot?", "total amount per Depot", "各Depot的总金额"]
)
async def test_an_amount_that_the_table_has_is_not_computed_of_price_and_quantity(question: str) -> None:
    assert measured((await part_of(question, ORDERS)).relation) == [("sum", "Amount")]


async def test_several_things_that_are_named_are_told_apart() -> None:
    relation = (await part_of("东仓和西仓的运费分别是多少？", JOBS)).relation
    assert keys(relation) == ["仓库"]
    assert measured(relation) == [("sum", "运费")]


async def test_rows_are_counted_by_two_keys() -> None:
    relation = (await part_of("Number of deliveries by depot and carrier")).relation
    assert keys(relation) == ["Depot", "Carrier"]
    assert measured(relation) == [("count", None)]


async def test_nothing_is_drawn_that_was_not_asked_for() -> None:
    assert (await part_of("total income by depot")).drawing is None
    assert (await part_of("bar chart of the income by depot")).drawing is not None


async def test_a_line_chart_over_months_is_drawn_from_sums() -> None:
    part = await part_of("How does the monthly income develop? Show it as a line chart.")
    assert part.drawing is not None
    assert (part.drawing.kind, part.drawing.x) == ("line", "month")
    aggregate = next(node for node in nodes(part.relation) if isinstance(node, Aggregate))
    assert measured(aggregate) == [("sum", "Income")]


async def test_the_winner_is_the_one_whose_rows_have_more() -> None:
    relation = (await part_of("Was the total income higher in Alder or in Birch?")).relation
    top = next(node for node in nodes(relation) if isinstance(node, Top))
    assert top.descending
    assert measured(top.source) == [("sum", "Income")]
    assert keys(top.source) == ["Depot"]


async def test_two_years_are_subtracted_in_the_order_of_the_question() -> None:
    relation = (await part_of("What is the difference between the total income of 2023 and 2022?")).relation
    assert isinstance(relation, Combine)
    assert relation.op == "difference"
    assert "2023-01-01" in str(relation.left)
    assert "2022-01-01" in str(relation.right)


@pytest.mark.parametrize(
    ("question", "op"),
    [
        ("东仓和西仓的运费相差多少？", "absolute_difference"),
        ("东仓比西仓的运费多多少？", "difference"),
        ("东仓比西仓的运费多百分之多少？", "percent_change"),
    ],
)
async def test_groups_are_set_against_each_other(question: str, op: str) -> None:
    relation = (await part_of(question, JOBS)).relation
    assert isinstance(relation, Combine)
    assert relation.op == op


async def test_one_column_is_subtracted_from_another() -> None:
    relation = (await part_of("What is the total income minus the total cost?")).relation
    assert isinstance(relation, Combine)
    assert (measured(relation.left), measured(relation.right)) == ([("sum", "Income")], [("sum", "Cost")])


async def test_profit_is_implied_by_income_and_cost() -> None:
    relation = (await part_of("Which depot has the highest total profit?")).relation
    made = next(node for node in nodes(relation) if isinstance(node, Derive))
    assert made.columns == (Named(name="Profit", of=Math(op="-", left=Col(name="Income"), right=Col(name="Cost"))),)


async def test_a_share_of_a_sum_and_the_shares_of_groups() -> None:
    one = (await part_of("What share of the income comes from Alder?")).relation
    assert isinstance(one, Combine)
    assert one.op == "percent"
    every = (await part_of("各仓库的运费占比", JOBS)).relation
    assert isinstance(every, Project)
    assert isinstance(every.source, Share)


async def test_a_correlation_is_one_number_with_its_test_beside() -> None:
    part = await part_of("What is the correlation between income and cost?")
    assert isinstance(part.relation, Project)
    assert [named.name for named in part.relation.columns] == ["correlation"]
    assert isinstance(part.relation.source, Procedure)


async def test_what_is_ranked_is_added_up_first() -> None:
    relation = (await part_of("What are the top 2 depots by income?")).relation
    top = next(node for node in nodes(relation) if isinstance(node, Top))
    assert (top.count, measured(top.source)) == (2, [("sum", "Income")])


async def test_the_words_for_units_find_the_quantity() -> None:
    assert measured((await part_of("东仓的销量是多少？", JOBS)).relation) == [("sum", "件数")]


async def test_few_values_in_many_rows_are_listed_once() -> None:
    relation = (await part_of("单价超过50的仓库有哪些？", JOBS)).relation
    assert isinstance(relation, Project)
    assert relation.distinct


async def test_an_age_needs_no_column_beside_the_comparison() -> None:
    assert Bucket(of=Col(name="Day"), unit="month") in list(nodes((await part_of("income per month")).relation))
    relation = (await part_of("How many deliveries have a rating above 3?")).relation
    assert isinstance(relation, Aggregate)
    assert isinstance(relation.source, Filter)
    assert isinstance(relation.source.where, Compare)
    assert relation.source.source == Source(dataset_id="deliveries")
