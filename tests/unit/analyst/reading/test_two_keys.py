"""Questions with two keys, two measures or two columns compared: none of them is left out in silence."""

from __future__ import annotations

import pytest
from tests.unit.analyst.reading.tables import column, table

from tablewright.analyst.base import NotUnderstood, Reading, Understood
from tablewright.analyst.plan import Aggregate, Bucket, Col, Compare, Filter, Named, Part
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
