"""Measures that a question defines itself, amounts by another word, and sides of zero."""

from __future__ import annotations

import pytest
from tests.unit.analyst.reading.tables import column, table
from tests.unit.analyst.reading.trade import DELIVERIES, JOBS, part_of

from tablewright.analyst.plan import Aggregate, Col, Compare, Derive, Filter, Lit, Math, Measure, Named, Project
from tablewright.analyst.plan_walk import nodes

FARMS = table(
    "farms",
    "农场",
    240,
    column("农场名称", "text", 240),
    column("农场编号", "text", 240),
    column("县", "text", 6),
    column("产区", "text", 9),
    column("销售额", "number", 230, 10, 900),
    column("净利润", "number", 230, -80, 300),
    column("人数", "integer", 40, 2, 60),
    column("进货价", "number", 200, 1, 40),
    column("零售价", "number", 200, 2, 60),
)
PER_HEAD = Math(op="/", left=Col(name="sum_销售额"), right=Col(name="sum_人数"))


@pytest.mark.parametrize(
    ("question", "column"),
    [
        (
            "加价率最高的农场是哪个？加价率=(零售价-进货价)/进货价",
            Math(
                op="/",
                left=Math(op="-", left=Col(name="零售价"), right=Col(name="进货价")),
                right=Col(name="进货价"),
            ),
        ),
        ("加价最高的农场是哪个（零售价减去进货价）？", Math(op="-", left=Col(name="零售价"), right=Col(name="进货价"))),
    ],
)
async def test_what_a_chinese_question_defines_is_computed_of_each_row(question: str, column: Math) -> None:
    part = await part_of(question, FARMS)
    made = next(node for node in nodes(part.relation) if isinstance(node, Derive)).columns[0]
    assert made.of == column


@pytest.mark.parametrize(
    "question", ["整体人均产值是多少？（销售额除以人数）", "各县的人均产值分别是多少？人均产值=销售额/人数"]
)
async def test_a_quotient_of_many_rows_is_one_of_sums(question: str) -> None:
    part = await part_of(question, FARMS)
    told = [node for node in nodes(part.relation) if isinstance(node, Derive)]
    assert PER_HEAD in [named.of for node in told for named in node.columns]


async def test_an_average_that_is_asked_for_stays_one_of_rows() -> None:
    part = await part_of("平均人均产值是多少？人均产值=销售额/人数", FARMS)
    assert not any(isinstance(node, Math) and node == PER_HEAD for node in nodes(part.relation))


async def test_what_is_divided_by_the_number_of_rows_is_an_average() -> None:
    part = await part_of("哪个仓库的票均运费最高（运费除以单数）？", JOBS)
    measures = [node for node in nodes(part.relation) if isinstance(node, Measure)]
    assert [measure.function for measure in measures] == ["mean"]
    assert Named(name="票均运费", of=Col(name="运费")) in list(nodes(part.relation))


async def test_the_amount_is_the_one_column_of_what_was_taken_in() -> None:
    part = await part_of("各县的总金额", FARMS)
    assert isinstance(part.relation, Aggregate)
    assert [measure.of for measure in part.relation.measures] == [Col(name="销售额")]


@pytest.mark.parametrize(
    ("question", "operator"),
    [
        ("净利润为负的农场有几家？", "<"),
        ("净利润为正的农场有几家？", ">"),
        ("净利润不为负的农场有几家？", ">="),
        ("亏损的农场有几家？", "<"),
    ],
)
async def test_a_side_of_zero_is_a_condition(question: str, operator: str) -> None:
    part = await part_of(question, FARMS)
    where = next(node for node in nodes(part.relation) if isinstance(node, Filter)).where
    assert where == Compare(op=operator, left=Col(name="净利润"), right=Lit(value=0))  # type: ignore[arg-type]


async def test_negative_in_english_is_of_the_column_behind_it() -> None:
    part = await part_of("How many deliveries have a negative income?", DELIVERIES)
    where = next(node for node in nodes(part.relation) if isinstance(node, Filter)).where
    assert where == Compare(op="<", left=Col(name="Income"), right=Lit(value=0))


async def test_different_things_that_are_counted_are_no_groups() -> None:
    part = await part_of("一共有多少个不同的产区？", FARMS)
    assert isinstance(part.relation, Aggregate)
    assert part.relation.groups == ()
    assert [measure.function for measure in part.relation.measures] == ["count_distinct"]


async def test_a_thing_goes_by_its_name_rather_than_by_its_number() -> None:
    part = await part_of("人数超过50的农场有哪几家？", FARMS)
    assert isinstance(part.relation, Project)
    assert [named.name for named in part.relation.columns] == ["农场名称"]
