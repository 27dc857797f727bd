"""Growth of one period against the one before, and stretches that end with the table's last day."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.analyst.reading.trade import DELIVERIES, JOBS, part_of, refused

from tablewright.analyst.plan import Aggregate, Between, Col, Combine, Condition, Filter, Measure, Project, Shift, Top
from tablewright.analyst.plan_walk import nodes

LONG = replace(
    JOBS,
    columns=tuple(
        replace(column, minimum="2021-06-01") if column.name == "日期" else column for column in JOBS.columns
    ),
)


def periods(relation: object) -> list[tuple[object, object]]:
    return [(node.low, node.high) for node in nodes(relation) if isinstance(node, Between)]


@pytest.mark.parametrize(
    ("question", "before", "now"),
    [
        ("2023年的运费同比增长了多少？", ("2022-01-01", "2022-12-31"), ("2023-01-01", "2023-12-31")),
        ("2023年第一季度运费的环比增长率", ("2022-10-01", "2022-12-31"), ("2023-01-01", "2023-03-31")),
        ("2023年上半年运费同比增长了百分之几", ("2022-01-01", "2022-06-30"), ("2023-01-01", "2023-06-30")),
        ("2023年3月运费的环比增长率是多少", ("2023-02-01", "2023-02-28"), ("2023-03-01", "2023-03-31")),
    ],
)
async def test_one_period_is_set_against_the_one_before(
    question: str, before: tuple[str, str], now: tuple[str, str]
) -> None:
    relation = (await part_of(question, LONG)).relation
    assert isinstance(relation, Combine)
    assert relation.op == "percent_change"
    assert (periods(relation.left), periods(relation.right)) == ([before], [now])


async def test_an_amount_of_growth_is_a_difference() -> None:
    relation = (await part_of("2023年的运费同比增长额是多少？", LONG)).relation
    assert isinstance(relation, Combine)
    assert relation.op == "difference"


async def test_what_came_before_the_table_begins_is_not_known() -> None:
    await refused("2023年的运费同比增长了多少？", JOBS)


async def test_each_group_has_its_own_growth() -> None:
    relation = (await part_of("2023年各仓库运费的同比增长率", LONG)).relation
    measures = [node for node in nodes(relation) if isinstance(node, Measure)]
    assert isinstance(relation, Project)
    assert [named.name for named in relation.columns] == ["仓库", "growth"]
    assert [measure.name for measure in measures] == ["before", "now"]


async def test_the_group_that_grew_most_is_found() -> None:
    relation = (await part_of("哪个仓库2023年的运费同比增长最快？", LONG)).relation
    top = next(node for node in nodes(relation) if isinstance(node, Top))
    assert (top.by, top.descending) == ("growth", True)


async def test_growth_of_every_month_stays_a_series() -> None:
    relation = (await part_of("2023年各月运费的环比增长率", LONG)).relation
    assert isinstance(relation, Shift)


@pytest.mark.parametrize(
    ("question", "low"),
    [
        ("最近三个月的运费合计", "2023-10-01"),
        ("近半年的运费合计", "2023-07-01"),
        ("最近30天的运费合计", "2023-12-02"),
        ("过去一年的运费合计", "2023-01-01"),
        ("最近两个季度的运费合计", "2023-07-01"),
    ],
)
async def test_a_recent_stretch_ends_with_the_last_day(question: str, low: str) -> None:
    relation = (await part_of(question, JOBS)).relation
    assert isinstance(relation, Aggregate)
    assert filters(relation) == [Between(of=Col(name="日期"), low=low, high=None)]


async def test_a_recent_stretch_is_read_in_english() -> None:
    relation = (await part_of("total income in the last 3 months", DELIVERIES)).relation
    assert filters(relation) == [Between(of=Col(name="Day"), low="2023-10-01", high=None)]


def filters(relation: object) -> list[Condition]:
    return [node.where for node in nodes(relation) if isinstance(node, Filter)]
