"""Questions people at work ask: sales under another name, rows without a partner, averages per person and month, the
month of the largest drop, the first of each group."""

from __future__ import annotations

import pytest
from tests.unit.analyst.reading.tables import column, table

from tablewright.analyst.base import NotUnderstood, Understood
from tablewright.analyst.plan import (
    Aggregate,
    AllOf,
    Between,
    Bucket,
    Col,
    Combine,
    Compare,
    Filter,
    Join,
    Lit,
    Math,
    Measure,
    Missing,
    Named,
    Project,
    Relation,
    Shift,
    Source,
    Top,
)
from tablewright.analyst.plan_walk import nodes
from tablewright.analyst.reading import read
from tablewright.analyst.renaming import readable
from tablewright.domain.dataset import DatasetFacts, DistinctValues
from tablewright.domain.language import language_of

HIRES = table(
    "hires",
    "Hires",
    600,
    column("Hire No", "text", 600),
    column("Start", "date", 380, "2021-01-04", "2022-12-30"),
    column("Member ID", "text", 40),
    column("Boat", "text", 6),
    column("Hours", "integer", 9, 1, 9),
    column("Amount", "number", 300, 8.5, 240.0),
    column("Sales Rep", "text", 4),
)
MEMBERS = table(
    "members",
    "Members",
    55,
    column("Member ID", "text", 55),
    column("Member Name", "text", 55),
    column("Town", "text", 3),
)
PUPILS = table(
    "pupils",
    "学生",
    40,
    column("编号", "integer", 40, 1001, 1040),
    column("姓名", "text", 40),
    column("小队", "text", 3),
    column("级别", "text", 3),
)
TESTS = table(
    "tests",
    "测验",
    300,
    column("编号", "integer", 36, 1001, 1036),
    column("科目", "text", 3),
    column("测验日期", "date", 2, "2023-05-01", "2023-11-01"),
    column("分数", "integer", 60, 30, 100),
)
TRADE = table(
    "trade",
    "订单",
    500,
    column("单号", "text", 500),
    column("日期", "date", 400, "2022-01-01", "2023-12-31"),
    column("编号", "integer", 30, 1001, 1040),
    column("店员", "text", 5),
    column("金额(元)", "number", 480, 10, 4000),
)
BUDGET = table(
    "budget",
    "预算",
    96,
    column("科室", "text", 4),
    column("月份", "date", 12, "2023-01-01", "2023-12-01"),
    column("预算(万元)", "integer", 60, 10, 90),
    column("实际(万元)", "number", 90, 8.5, 99.5),
)
SHELVES = table(
    "shelves",
    "shelves",
    70,
    column("Item", "text", 70),
    column("Bay", "text", 5),
    column("On Hand", "integer", 50, 0, 140),
)
_VALUES: dict[str, dict[str, tuple[str, ...]]] = {
    "members": {"Town": ("Hythe", "Deal", "Rye")},
    "pupils": {"小队": ("雪松队", "云杉队"), "级别": ("A", "B", "C")},
    "tests": {"科目": ("绳结", "攀岩")},
}


class _Cells:
    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        found = _VALUES.get(profile_ref, {}).get(column)
        return None if found is None else DistinctValues(values=found, counts=(1,) * len(found), complete=True)


async def told(question: str, *tables: DatasetFacts) -> Relation:
    reading = await read(question, language_of(question), tables, _Cells())
    assert isinstance(reading, Understood), reading
    return reading.plan.parts[0].relation


async def declines(question: str, *tables: DatasetFacts) -> bool:
    return isinstance(await read(question, language_of(question), tables, _Cells()), NotUnderstood)


def without_partner(relation: Relation, one: str, many: str) -> bool:
    """Return whether only rows of `one` without a row of `many` remain."""
    return any(
        isinstance(node, Filter)
        and isinstance(node.where, Missing)
        and isinstance(node.source, Join)
        and node.source.how == "left"
        and (node.source.left, node.source.right) == (Source(dataset_id=one), Source(dataset_id=many))
        for node in nodes(relation)
    )


@pytest.mark.parametrize(
    "question", ["What is the total revenue of each boat?", "Sales by boat", "total spending per boat"]
)
async def test_revenue_is_the_only_amount_of_a_table_that_does_not_name_it(question: str) -> None:
    relation = await told(question, HIRES)
    assert isinstance(relation, Aggregate)
    assert [group.name for group in relation.groups] == ["Boat"]
    assert [measure.of for measure in relation.measures] == [Col(name="Amount")]


async def test_revenue_is_not_the_person_who_sells() -> None:
    relation = await told("每个店员的销售额是多少？", TRADE)
    assert isinstance(relation, Aggregate)
    assert relation.measures == (Measure(name="sum_金额(元)", function="sum", of=Col(name="金额(元)")),)


@pytest.mark.parametrize(
    "question",
    [
        "Which members have never placed a hire?",
        "Which members have no hires?",
        "List the members in Deal without any hires",
    ],
)
async def test_rows_without_a_partner_in_the_other_table_are_listed_by_name(question: str) -> None:
    relation = await told(question, HIRES, MEMBERS)
    assert without_partner(relation, "members", "hires")
    assert isinstance(relation, Project)
    assert [named.name for named in relation.columns] == ["Member Name"]


async def test_rows_without_a_partner_are_counted() -> None:
    relation = await told("How many members have no hires?", HIRES, MEMBERS)
    assert without_partner(relation, "members", "hires")
    assert isinstance(relation, Aggregate)
    assert relation.measures[0].function == "count"
    assert without_partner(await told("没有参加过测验的学生有几个？", TESTS, PUPILS), "pupils", "tests")
    assert without_partner(await told("没下过单的学生有哪些？", TRADE, PUPILS), "pupils", "trade")


async def test_a_letter_before_its_grade_restricts_the_rows_without_a_partner() -> None:
    relation = await told("A级学生中有哪些没有测验？", TESTS, PUPILS)
    assert without_partner(relation, "pupils", "tests")
    assert Compare(op="=", left=Col(name="级别"), right=Lit(value="A")) in set(nodes(relation))


@pytest.mark.parametrize(
    "question",
    ["Which members had no hires in 2022?", "Members without hires by town", "2022年没有下过单的学生有哪些？"],
)
async def test_a_lack_that_is_restricted_further_is_declined(question: str) -> None:
    assert await declines(question, HIRES, MEMBERS, TRADE, PUPILS)


async def test_the_number_of_things_is_not_compared_with_their_codes() -> None:
    relation = await told("Which members placed more than 12 hires?", HIRES, MEMBERS)
    counted = next(node for node in nodes(relation) if isinstance(node, Filter))
    assert counted.where == Compare(op=">", left=Col(name="count"), right=Lit(value=12))


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("平均每个店员每月的销售额是多少？", []),
        ("每个店员平均每月卖了多少钱？", ["店员"]),
        ("What is the average monthly revenue?", []),
        ("How much does each boat earn in revenue per month on average?", ["Boat"]),
    ],
)
async def test_an_average_per_month_is_of_the_totals_of_months(question: str, things: list[str]) -> None:
    relation = await told(question, TRADE if language_of(question) == "zh" else HIRES)
    assert isinstance(relation, Aggregate)
    assert isinstance(relation.source, Aggregate)
    assert [group.name for group in relation.groups] == things
    assert relation.measures[0].function == "mean"
    assert relation.source.measures[0].function == "sum"
    assert any(isinstance(group.of, Bucket) for group in relation.source.groups)


async def test_an_average_of_totals_is_named_in_words() -> None:
    reading = await read("每个店员平均每月卖了多少钱？", "zh", (TRADE,), _Cells())
    assert isinstance(reading, Understood)
    relation = readable(reading.plan, (TRADE,), "zh").parts[0].relation
    assert isinstance(relation, Aggregate)
    assert relation.measures[0].name == "金额(元)合计的平均值"


@pytest.mark.parametrize(
    ("question", "facts", "unit", "rises"),
    [
        ("Which month had the biggest drop in sales compared to the month before?", HIRES, "month", False),
        ("In which quarter did revenue rise the most?", HIRES, "quarter", True),
        ("哪个月销售额环比下降最多？", TRADE, "month", False),
        ("哪个季度的销售额增长最多？", TRADE, "quarter", True),
    ],
)
async def test_the_period_of_the_largest_change_compares_totals(
    question: str, facts: DatasetFacts, unit: str, rises: bool
) -> None:
    relation = await told(question, facts)
    top = next(node for node in nodes(relation) if isinstance(node, Top))
    shift = next(node for node in nodes(relation) if isinstance(node, Shift))
    totals = next(node for node in nodes(relation) if isinstance(node, Aggregate))
    assert (top.descending, shift.how, totals.measures[0].function) == (rises, "difference", "sum")
    assert [group.of.unit for group in totals.groups if isinstance(group.of, Bucket)] == [unit]


async def test_a_rate_of_change_is_relative() -> None:
    relation = await told("哪个月销售额下降幅度最大？", TRADE)
    assert next(node for node in nodes(relation) if isinstance(node, Shift)).how == "growth"


async def test_marks_are_said_by_their_unit() -> None:
    relation = await told("攀岩90分以上的学生有哪些？", TESTS, PUPILS)
    where = next(node for node in nodes(relation) if isinstance(node, Filter)).where
    assert isinstance(where, AllOf)
    assert Compare(op=">=", left=Col(name="分数"), right=Lit(value=90)) in where.parts
    relation = await told("每个小队的攀岩平均分是多少？", TESTS, PUPILS)
    assert isinstance(relation, Aggregate)
    assert relation.measures == (Measure(name="mean_分数", function="mean", of=Col(name="分数")),)


async def test_the_extreme_of_each_group_is_one_value_per_group() -> None:
    relation = await told("每科最高分是多少？", TESTS)
    assert isinstance(relation, Aggregate)
    assert relation.groups == (Named(name="科目", of=Col(name="科目")),)
    assert relation.measures == (Measure(name="max_分数", function="max", of=Col(name="分数")),)


async def test_the_first_of_each_group_are_ranked_by_their_totals() -> None:
    relation = await told("每个小队总分前两名是谁？", TESTS, PUPILS)
    top = next(node for node in nodes(relation) if isinstance(node, Top))
    assert (top.by, top.count, top.within) == ("sum_分数", 2, ("小队",))


@pytest.mark.parametrize("question", ["B级及以上的学生有几个？", "各科及格率是多少？"])
async def test_an_order_of_grades_or_an_unknown_rate_is_declined(question: str) -> None:
    assert await declines(question, TESTS, PUPILS)


async def test_a_range_still_bounds_a_measure() -> None:
    relation = await told("分数在60到80之间的测验有几次？", TESTS)
    where = next(node for node in nodes(relation) if isinstance(node, Filter)).where
    assert where == Between(of=Col(name="分数"), low=60, high=80)


async def test_a_ranking_goes_by_the_measure_that_is_said() -> None:
    relation = await told("按金额算，卖得最好的三个店员是谁？", TRADE)
    top = next(node for node in nodes(relation) if isinstance(node, Top))
    assert (top.by, top.count, top.descending) == ("sum_金额(元)", 3, True)


async def test_what_exceeds_the_budget_is_the_actual_less_the_budget() -> None:
    relation = await told("哪个科室超预算最多？", BUDGET)
    made = next(node for node in nodes(relation) if isinstance(node, Math))
    assert (made.op, made.left, made.right) == ("-", Col(name="实际(万元)"), Col(name="预算(万元)"))


@pytest.mark.parametrize(
    ("question", "left", "right"),
    [
        ("实际比预算少多少？", "预算(万元)", "实际(万元)"),
        ("实际比预算多多少？", "实际(万元)", "预算(万元)"),
    ],
)
async def test_a_difference_with_a_direction_has_a_sign(question: str, left: str, right: str) -> None:
    relation = await told(question, BUDGET)
    assert isinstance(relation, Combine)
    assert relation.op == "difference"
    sides = [side.measures[0].of for side in (relation.left, relation.right) if isinstance(side, Aggregate)]
    assert sides == [Col(name=left), Col(name=right)]


async def test_out_of_stock_is_nothing_on_hand() -> None:
    relation = await told("How many items are out of stock?", SHELVES)
    where = next(node for node in nodes(relation) if isinstance(node, Filter)).where
    assert where == Compare(op="<=", left=Col(name="On Hand"), right=Lit(value=0))


@pytest.mark.parametrize(
    "question", ["平均客单价是多少？", "平均每个店员每月下多少单？", "店员一共卖了多少张凳子？", "复购率是多少？"]
)
async def test_a_figure_that_no_column_holds_is_declined(question: str) -> None:
    assert await declines(question, TRADE)


async def test_sold_out_is_declined_without_a_column_of_stock() -> None:
    assert await declines("How many members are sold out?", MEMBERS)


async def test_of_two_measures_neither_is_left_out_for_a_chart() -> None:
    relation = await told("画柱状图比较各科室的预算和实际", BUDGET)
    assert isinstance(relation, Aggregate)
    assert [measure.of for measure in relation.measures] == [Col(name="预算(万元)"), Col(name="实际(万元)")]
