"""Questions over time, within groups, against the average, and for statistical procedures."""

from __future__ import annotations

import pytest
from tests.unit.analyst.reading.tables import column, plan_for, table

from tablewright.analyst.plan import (
    Aggregate,
    Bucket,
    Col,
    Compare,
    Filter,
    Procedure,
    Project,
    Shift,
    Sort,
    Statistic,
    Top,
)

TRIPS = table(
    "trips",
    "行程",
    300,
    column("编号", "text", 300),
    column("出发日期", "date", 200, "2022-01-03", "2023-12-28"),
    column("线路", "text", 6),
    column("司机", "text", 12),
    column("里程", "number", 250, 1.5, 480),
    column("油费", "number", 240, 3, 900),
)


async def test_growth_compares_each_period_with_the_one_before() -> None:
    part = (await plan_for("按月统计油费的环比增长率", TRIPS)).parts[0]
    assert isinstance(part.relation, Shift)
    assert part.relation.how == "growth"
    assert isinstance(part.relation.source, Sort)
    assert isinstance(part.relation.source.source, Aggregate)
    assert part.relation.source.source.groups[0].of == Bucket(of=Col(name="出发日期"), unit="month")


async def test_a_trend_is_a_line_over_periods() -> None:
    part = (await plan_for("2022年每个月的油费趋势", TRIPS)).parts[0]
    assert part.drawing is not None
    assert (part.drawing.kind, part.drawing.x) == ("line", "month")


async def test_periods_are_ranked_by_what_they_sum_to() -> None:
    part = (await plan_for("哪个月的油费最高？", TRIPS)).parts[0]
    assert isinstance(part.relation, Project)
    assert isinstance(part.relation.source, Top)
    assert isinstance(part.relation.source.source, Aggregate)


async def test_the_first_of_each_group_stays_within_it() -> None:
    part = (await plan_for("每个线路里程最长的司机是谁？", TRIPS)).parts[0]
    assert isinstance(part.relation, Project)
    assert isinstance(part.relation.source, Top)
    assert part.relation.source.within == ("线路",)


async def test_a_comparison_with_the_average_is_with_the_whole_column() -> None:
    part = (await plan_for("里程超过平均值的行程有哪些？", TRIPS)).parts[0]
    assert isinstance(part.relation, Project)
    assert isinstance(part.relation.source, Filter)
    condition = part.relation.source.where
    assert isinstance(condition, Compare)
    assert condition.right == Statistic(name="mean", of=Col(name="里程"))


@pytest.mark.parametrize(
    ("question", "name", "columns"),
    [
        ("每列有多少缺失值？", "missing", ()),
        ("对数据做描述性统计", "describe", ("里程", "油费")),
        ("有重复行吗？", "duplicates", ()),
        ("里程有哪些异常值？", "outliers", ("里程",)),
        ("里程和油费的相关系数是多少？", "correlation", ("里程", "油费")),
        ("油费是否服从正态分布？", "normality", ("油费",)),
    ],
)
async def test_procedures_are_named_in_plain_words(question: str, name: str, columns: tuple[str, ...]) -> None:
    part = (await plan_for(question, TRIPS)).parts[0]
    relation = part.relation.source if isinstance(part.relation, Project) else part.relation
    assert isinstance(relation, Procedure)
    assert (relation.name, relation.columns) == (name, columns)
