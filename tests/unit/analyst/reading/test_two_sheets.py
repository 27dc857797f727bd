"""Sheets with a common key: which rows are counted, and columns that say how often or how long."""

from __future__ import annotations

from tests.unit.analyst.reading.tables import column, table

from tablewright.analyst.base import Understood
from tablewright.analyst.plan import Aggregate, Col, Compare, Filter, Join, Lit, Measure, Source
from tablewright.analyst.plan_walk import nodes
from tablewright.analyst.reading import read
from tablewright.domain.dataset import DistinctValues

BOATS = table(
    "boats",
    "渔船",
    30,
    column("船号", "text", 30),
    column("船队", "text", 4),
    column("船级", "text", 3, None, None, "A", "B", "C"),
    column("吨位", "number", 28, 10, 90),
)
FLEETS = table(
    "fleets", "船队", 4, column("船队", "text", 4), column("队长", "text", 4), column("经费", "number", 4, 5, 60)
)
TRIPS = table("trips", "出海", 400, column("船号", "text", 30), column("修理次数", "integer", 5, 0, 4))
_VALUES: dict[str, dict[str, tuple[str, ...]]] = {
    "boats": {"船队": ("海鸥队", "远洋队"), "船级": ("A", "B", "C")},
    "fleets": {"队长": ("魏海生", "曹大江")},
}


class _Cells:
    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        found = _VALUES.get(profile_ref, {}).get(column)
        return None if found is None else DistinctValues(values=found, counts=(1,) * len(found), complete=True)


async def relation(question: str) -> object:
    reading = await read(question, "zh", (BOATS, FLEETS, TRIPS), _Cells())
    assert isinstance(reading, Understood), reading
    return reading.plan.parts[0].relation


async def test_the_rows_that_are_counted_are_those_of_the_table_that_is_named() -> None:
    told = await relation("魏海生的船队有多少条渔船？")
    join = next(node for node in nodes(told) if isinstance(node, Join))
    assert (join.left, join.right) == (Source(dataset_id="boats"), Source(dataset_id="fleets"))


async def test_a_letter_behind_its_column_is_a_cell() -> None:
    told = await relation("船级为A的渔船平均吨位是多少？")
    where = next(node for node in nodes(told) if isinstance(node, Filter)).where
    assert where == Compare(op="=", left=Col(name="船级"), right=Lit(value="A"))


async def test_how_often_is_the_column_that_says_it() -> None:
    told = await relation("海鸥队一共修理多少次？")
    assert isinstance(told, Aggregate)
    assert told.measures == (Measure(name="修理次数", function="sum", of=Col(name="修理次数")),)
