"""Keys of groups: a column and a unit of time together, in either order; what is counted and what is an amount."""

from __future__ import annotations

import pytest
from tests.unit.analyst.reading.tables import column, relation_for, table

from tablewright.analyst.plan import Aggregate, Bucket, Col, Measure, Named

TRIPS = table(
    "trips",
    "Trips",
    900,
    column("trip_id", "integer", 900, 1, 900),
    column("started", "date", 400, "2021-01-04", "2022-12-30"),
    column("harbour", "text", 6),
    column("amount", "number", 300, 8.5, 240.0),
    column("quantity", "integer", 9, 1, 9),
)
HARBOUR = Named(name="harbour", of=Col(name="harbour"))
MONTH = Named(name="month", of=Bucket(of=Col(name="started"), unit="month"))
YEAR = Named(name="year", of=Bucket(of=Col(name="started"), unit="year"))
QUARTER = Named(name="quarter", of=Bucket(of=Col(name="started"), unit="quarter"))


async def aggregate(question: str) -> Aggregate:
    relation = await relation_for(question, TRIPS)
    assert isinstance(relation, Aggregate), relation
    return relation


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("total amount by harbour and month", (HARBOUR, MONTH)),
        ("total amount by month and harbour", (MONTH, HARBOUR)),
        ("average amount per harbour and year", (HARBOUR, YEAR)),
        ("按harbour和季度统计总金额", (HARBOUR, QUARTER)),
        ("按月份和harbour统计总金额", (MONTH, HARBOUR)),
        ("按年度和harbour统计总金额", (YEAR, HARBOUR)),
    ],
)
async def test_rows_are_grouped_by_a_column_and_a_unit_of_time(question: str, keys: tuple[Named, ...]) -> None:
    assert (await aggregate(question)).groups == keys


@pytest.mark.parametrize("question", ["count trips by harbour", "count the trips by harbour"])
async def test_count_is_a_verb_before_what_is_counted(question: str) -> None:
    assert [measure.function for measure in (await aggregate(question)).measures] == ["count"]


@pytest.mark.parametrize(
    ("question", "summed"),
    [("总数量是多少", "quantity"), ("各harbour的金额", "amount"), ("各harbour的数量", "quantity")],
)
async def test_an_amount_is_no_quantity_beside_one(question: str, summed: str) -> None:
    assert (await aggregate(question)).measures == (Measure(name=f"sum_{summed}", function="sum", of=Col(name=summed)),)
