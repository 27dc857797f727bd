"""Questions with two keys, two measures or two columns compared: none of them is left out in silence."""

from __future__ import annotations

import pytest
from tests.unit.analyst.reading.tables import column, table

from tablewright.analyst.base import NotUnderstood, Reading, Understood
from tablewright.analyst.plan import (
    Aggregate,
    Between,
    Bucket,
    Col,
    Compare,
    Concat,
    Derive,
    Filter,
    Lit,
    Named,
    Part,
    Project,
    Share,
    Sort,
    Source,
    Top,
)
from tablewright.analyst.plan_walk import nodes
from tablewright.analyst.reading import read
from tablewright.domain.dataset import DatasetFacts, DistinctValues
from tablewright.domain.language import language_of

BOATS = table(
    "boats",
    "船票",
    400,
    column("票号", "text", 400),
    column("出航日期", "date", 150, "2022-01-03", "2023-12-28"),
    column("码头", "text", 4),
    column("舱位", "text", 2),
    column("售票员", "text", 5),
    column("票价", "number", 90, 20.0, 300.0),
    column("金额", "number", 300, 20.0, 2400.0),
    column("人数上限", "integer", 30, 10, 60),
    column("实载人数", "integer", 40, 0, 70),
)
CREW = table(
    "crew",
    "crew",
    90,
    column("Crew ID", "text", 90),
    column("Full Name", "text", 90),
    column("Harbour", "text", 4),
    column("Rank", "text", 3),
    column("Age", "integer", 40, 19, 63),
    column("Pay", "integer", 70, 1800, 7400),
    column("Joined", "date", 80, "2012-01-03", "2023-12-28"),
)
_VALUES: dict[str, dict[str, tuple[str, ...]]] = {
    "boats": {"码头": ("东港", "西港", "南港", "北港"), "舱位": ("头等", "二等")},
    "crew": {"Harbour": ("Alder", "Birch", "Cedar", "Dune"), "Rank": ("Mate", "Cook", "Deckhand")},
}


class _Cells:
    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        found = _VALUES.get(profile_ref, {}).get(column)
        return None if found is None else DistinctValues(values=found, counts=(1,) * len(found), complete=True)


async def reading_of(question: str, *tables: DatasetFacts) -> Reading:
    return await read(question, language_of(question), tables, _Cells())


async def part_of(question: str, *tables: DatasetFacts) -> Part:
    reading = await reading_of(question, *tables)
    assert isinstance(reading, Understood), reading
    return reading.plan.parts[0]


async def grouped(question: str, *tables: DatasetFacts) -> Aggregate:
    """Return the first grouping of the plan."""
    part = await part_of(question, *tables)
    return next(node for node in nodes(part.relation) if isinstance(node, Aggregate))


def columns(*names: str) -> tuple[Named, ...]:
    return tuple(Named(name=name, of=Col(name=name)) for name in names)


@pytest.mark.parametrize(
    "question", ["哪些船票超过了人数上限", "有多少张票超过人数上限", "按码头统计超过人数上限的票数"]
)
async def test_a_limit_is_compared_with_the_other_column_of_the_same_noun(question: str) -> None:
    boats = table("boats", "船票", 400, *[facts for facts in BOATS.columns if facts.name != "实载人数"])
    boats = table("boats", "船票", 400, *boats.columns, column("乘客人数上限线", "integer", 40, 0, 70))
    part = await part_of(question, boats)
    found = [node.where for node in nodes(part.relation) if isinstance(node, Filter)]
    assert found == [Compare(op=">", left=Col(name="乘客人数上限线"), right=Col(name="人数上限"))]


async def test_a_limit_without_anything_to_compare_is_declined() -> None:
    assert isinstance(await reading_of("按码头统计低于票价的数量", BOATS), NotUnderstood)


async def test_a_comparison_of_two_columns_may_be_in_the_past() -> None:
    part = await part_of("有几张票实载人数超过了人数上限", BOATS)
    found = [node.where for node in nodes(part.relation) if isinstance(node, Filter)]
    assert found == [Compare(op=">", left=Col(name="实载人数"), right=Col(name="人数上限"))]


@pytest.mark.parametrize(
    "question", ["每个码头不同舱位的平均票价", "各码头各舱位的平均票价", "各码头头等和二等的平均票价"]
)
async def test_the_second_of_two_keys_is_kept(question: str) -> None:
    assert (await grouped(question, BOATS)).groups == columns("码头", "舱位")


async def test_a_unit_in_the_name_of_a_date_is_a_second_key() -> None:
    year = Named(name="year", of=Bucket(of=Col(name="出航日期"), unit="year"))
    assert (await grouped("各码头出航年份的数量", BOATS)).groups == (*columns("码头"), year)


async def test_each_year_groups_dates_by_year() -> None:
    year = Named(name="year", of=Bucket(of=Col(name="Joined"), unit="year"))
    assert (await grouped("total pay by harbour for each year", CREW)).groups == (*columns("Harbour"), year)


@pytest.mark.parametrize("question", ["what is the maximum of pay by harbour", "What is the highest pay by harbour?"])
async def test_the_extreme_of_a_column_is_one_per_group(question: str) -> None:
    found = await grouped(question, CREW)
    assert found.groups == columns("Harbour")
    assert [measure.function for measure in found.measures] == ["max"]


async def test_the_rows_of_a_group_are_ranked_where_their_noun_stands_behind() -> None:
    relation = (await part_of("每个售票员金额最大的两张票号", BOATS)).relation
    top = next(node for node in nodes(relation) if isinstance(node, Top))
    assert (top.within, top.count, top.source) == (("售票员",), 2, Source(dataset_id="boats"))


@pytest.mark.parametrize("question", ["金额最大的那个票号是谁卖的", "金额最大的票号是哪个售票员的"])
async def test_the_highest_row_is_not_the_group_with_the_highest_total(question: str) -> None:
    relation = (await part_of(question, BOATS)).relation
    assert isinstance(relation, Project)
    assert relation.columns == columns("售票员")
    assert isinstance(relation.source, Top)
    assert relation.source.source == Source(dataset_id="boats")


async def test_the_pair_of_two_things_is_ranked() -> None:
    assert (await grouped("哪个码头的哪个舱位平均票价最高", BOATS)).groups == columns("码头", "舱位")


async def test_the_first_of_each_group_and_period() -> None:
    relation = (await part_of("各码头各季度金额最高的售票员", BOATS)).relation
    top = next(node for node in nodes(relation) if isinstance(node, Top))
    assert set(top.within) == {"码头", "quarter"}


@pytest.mark.parametrize("question", ["各码头金额占比，画饼图", "画一个各码头金额占比的柱状图"])
async def test_shares_are_computed_for_their_chart(question: str) -> None:
    part = await part_of(question, BOATS)
    assert any(isinstance(node, Share) for node in nodes(part.relation))
    assert part.drawing is not None
    assert part.drawing.y == "percent"


async def test_amounts_stand_beside_their_shares() -> None:
    relation = (await part_of("各码头金额及占比", BOATS)).relation
    assert isinstance(relation, Project)
    assert relation.columns == columns("码头", "sum_金额", "percent")


async def test_counts_amounts_and_shares_together_are_declined() -> None:
    assert isinstance(await reading_of("各码头订单数、总金额和占比", BOATS), NotUnderstood)


async def test_an_order_by_one_of_two_measures_leaves_both() -> None:
    found = await grouped("各码头的订单数和总金额，按总金额降序", BOATS)
    assert {measure.name for measure in found.measures} == {"sum_金额", "count"}


async def test_rows_by_a_key_are_counted() -> None:
    found = await grouped("employees by harbour and weekday", CREW)
    assert {group.name for group in found.groups} == {"Harbour", "weekday"}
    assert [measure.function for measure in found.measures] == ["count"]


async def test_a_headcount_is_of_the_people_and_not_of_their_groups() -> None:
    harbours = table("harbours", "Harbours", 4, column("Harbour", "text", 4), column("Berths", "integer", 4, 3, 40))
    assert (await grouped("headcount by harbour", CREW, harbours)).source == Source(dataset_id="crew")


async def test_all_rows_are_listed_in_an_order_that_is_named() -> None:
    relation = (await part_of("show all trips sorted by pay descending", CREW)).relation
    assert relation == Sort(source=Source(dataset_id="crew"), keys=(("Pay", True),))


@pytest.mark.parametrize("question", ["how many are aged 30 to 40", "average pay of those 30 to 40 years old"])
async def test_two_ages_are_a_range(question: str) -> None:
    found = await grouped(question, CREW)
    assert isinstance(found.source, Filter)
    assert found.source.where == Between(of=Col(name="Age"), low=30, high=40)


async def test_rows_of_several_sheets_are_shown_with_the_name_of_their_sheet() -> None:
    form = (column("Good", "text", 3), column("Boat", "text", 3), column("Income", "integer", 3, 10, 90))
    march, april = table("march", "March", 9, *form), table("april", "April", 9, *form)
    part = await part_of("total income by boat", march, april)
    assert isinstance(part.relation, Concat)
    named = [node.columns[0].of for node in nodes(part.shown) if isinstance(node, Derive)]
    assert named == [Lit(value="March"), Lit(value="April")]


async def test_where_most_is_sold_is_told_by_amounts() -> None:
    ledger = table(
        "ledger", "ledger", 200, column("Day", "date", 60), column("Stall", "text", 4), column("Sales", "number", 190)
    )
    found = await grouped("Which stall sold the most?", ledger)
    assert [measure.function for measure in found.measures] == ["sum"]


async def test_periods_with_several_rows_each_are_not_counted_by_rows() -> None:
    assert isinstance(await reading_of("有几个月实载人数超过了人数上限", BOATS), NotUnderstood)


async def test_a_name_spelled_as_a_pronoun_is_not_passed_over() -> None:
    assert isinstance(await reading_of("How many people aged 30 to 40 work in IT?", CREW), NotUnderstood)


async def test_a_measure_said_again_does_not_name_a_row() -> None:
    fares = table(
        "fares", "fares", 400, column("码头", "text", 4), column("舱位", "text", 2), column("金额", "number", 400)
    )
    assert (await grouped("各码头金额最高的舱位和金额", fares)).groups == columns("码头", "舱位")
