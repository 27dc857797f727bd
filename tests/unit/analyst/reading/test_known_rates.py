"""Rates that everybody knows, places in an order, periods that are ranked, and totals said of single prices."""

from __future__ import annotations

import pytest
from tests.unit.analyst.reading.tables import column, table
from tests.unit.analyst.reading.trade import JOBS, part_of, refused

from tablewright.analyst.linking.numbers import numbers
from tablewright.analyst.linking.tokens import tokenize
from tablewright.analyst.plan import Aggregate, Col, Compare, Derive, Filter, Lit, Math, Measure, Project, Top
from tablewright.analyst.plan_walk import nodes

SHOPS = table(
    "shops",
    "商铺",
    300,
    column("商铺名称", "text", 300),
    column("街道", "text", 8),
    column("营业收入", "number", 280, 10, 900),
    column("净利润", "number", 280, -80, 300),
    column("总资产", "number", 290, 50, 4000),
    column("总负债", "number", 290, 5, 2500),
    column("转让价(元)", "number", 290, 9000, 800000),
    column("转让日期", "date", 200, "2022-01-04", "2023-12-28"),
)


async def test_a_known_rate_is_computed_of_each_row_in_percent() -> None:
    part = await part_of("资产负债率超过70%的商铺有哪些？", SHOPS)
    made = next(node for node in nodes(part.relation) if isinstance(node, Derive)).columns[0]
    quotient = Math(op="/", left=Col(name="总负债"), right=Col(name="总资产"))
    assert made.of == Math(op="*", left=quotient, right=Lit(value=100))
    where = next(node for node in nodes(part.relation) if isinstance(node, Filter)).where
    assert where == Compare(op=">", left=Col(name="资产负债率"), right=Lit(value=70))


@pytest.mark.parametrize("question", ["净利润率是多少？", "各街道的净利润率", "净利润率最高的街道是哪个？"])
async def test_a_known_rate_of_many_rows_is_one_of_sums(question: str) -> None:
    part = await part_of(question, SHOPS)
    sums = {node.name for node in nodes(part.relation) if isinstance(node, Measure) and node.function == "sum"}
    assert sums == {"sum_净利润", "sum_营业收入"}
    assert "净利润率" in {
        named.name for node in nodes(part.relation) if isinstance(node, Derive) for named in node.columns
    }


async def test_a_place_in_the_order_is_a_ranking() -> None:
    part = await part_of("营业收入排名第三的商铺是哪家？", SHOPS)
    top = next(node for node in nodes(part.relation) if isinstance(node, Top))
    assert (top.by, top.offset, top.count, top.descending) == ("营业收入", 2, 1, True)


async def test_several_periods_are_ranked() -> None:
    part = await part_of("运费最高的三个月是哪几个月？", JOBS)
    top = next(node for node in nodes(part.relation) if isinstance(node, Top))
    assert (top.by, top.count) == ("sum_运费", 3)


async def test_the_total_of_single_prices_is_their_sum() -> None:
    part = await part_of("2023年商铺的转让总价是多少？", SHOPS)
    assert isinstance(part.relation, Aggregate)
    assert [measure.function for measure in part.relation.measures] == ["sum"]


async def test_the_average_of_the_own_group_is_not_that_of_all() -> None:
    await refused("营业收入超过街道平均的商铺", SHOPS)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("一万五以上", 15000),
        ("一万五千以上", 15000),
        ("两百五个", 250),
        ("一百零五个", 105),
        ("二十五个", 25),
        ("三千二个", 3200),
    ],
)
def test_chinese_numbers_are_read_as_they_are_spoken(text: str, value: int) -> None:
    assert [mention.value for mention in numbers(tokenize(text))] == [value]


async def test_the_noun_before_who_is_what_is_asked_for() -> None:
    owners = table(
        "sales",
        "销售",
        400,
        column("客户名称", "text", 9),
        column("销售员", "text", 4),
        column("成交额", "number", 390, 10, 900),
    )
    part = await part_of("成交额最高的客户是谁？", owners)
    assert isinstance(part.relation, Project)
    assert [named.name for named in part.relation.columns] == ["客户名称"]


async def test_all_are_not_listed_where_what_chooses_is_not_read() -> None:
    await refused("哪些商铺的净利润由盈转亏？", SHOPS)


async def test_the_number_of_what_a_column_counts_is_that_column_alone() -> None:
    crews = table("crews", "船队", 40, column("船队", "text", 40), column("船员人数", "integer", 30, 2, 60))
    part = await part_of("船员总数是多少？", crews)
    assert isinstance(part.relation, Aggregate)
    assert [(measure.function, measure.of) for measure in part.relation.measures] == [("sum", Col(name="船员人数"))]
