"""Tables as offices keep them: orders and shops with a common key, and a reader over both."""

from __future__ import annotations

from collections.abc import Sequence

from tests.unit.analyst.reading.tables import column, table

from tablewright.analyst.base import NotUnderstood, Reading, Understood
from tablewright.analyst.plan import Part
from tablewright.analyst.reading import read
from tablewright.domain.dataset import DatasetFacts, DistinctValues
from tablewright.domain.language import language_of
from tablewright.domain.task import TurnFacts

_VALUES: dict[str, dict[str, tuple[str, ...]]] = {
    "deliveries": {
        "Depot": ("Alder", "Birch", "Cedar"),
        "Carrier": ("Swift", "Steady"),
        "Insured": ("Yes", "No"),
    },
    "depots": {"Depot": ("Alder", "Birch", "Cedar"), "Country": ("Peru", "Chile")},
    "jobs": {"仓库": ("东仓", "西仓", "南仓"), "车型": ("厢式", "冷藏")},
}

DELIVERIES = table(
    "deliveries",
    "deliveries",
    900,
    column("Delivery ID", "text", 900),
    column("Day", "date", 360, "2022-01-01", "2023-12-31"),
    column("Depot", "text", 3),
    column("Carrier", "text", 2),
    column("Insured", "text", 2, None, None, "Yes", "No"),
    column("Parcels", "integer", 40, 1, 60),
    column("Income", "number", 800, 5.0, 950.0),
    column("Cost", "number", 790, 4.0, 700.0),
    column("Rating", "integer", 5, 1, 5),
)
DEPOTS = table(
    "depots",
    "depots",
    3,
    column("Depot", "text", 3),
    column("Country", "text", 2),
    column("Docks", "integer", 3, 4, 12),
)
JOBS = table(
    "jobs",
    "运单",
    500,
    column("日期", "date", 300, "2023-01-01", "2023-12-31"),
    column("仓库", "text", 3),
    column("车型", "text", 2),
    column("运费", "number", 400, 20, 900),
    column("件数", "integer", 30, 1, 40),
    column("单价", "number", 25, 5, 80),
)


class TradeValues:
    """The distinct values of these tables."""

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        found = _VALUES.get(profile_ref, {}).get(column)
        return None if found is None else DistinctValues(values=found, counts=(1,) * len(found), complete=True)


async def reading_of(question: str, *tables: DatasetFacts, earlier: Sequence[str] = ()) -> Reading:
    """Read a question, after the `earlier` ones of its conversation."""
    history = [TurnFacts(question=said, answer="") for said in earlier]
    return await read(question, language_of(question), tables or (DELIVERIES,), TradeValues(), history)


async def part_of(question: str, *tables: DatasetFacts, earlier: Sequence[str] = ()) -> Part:
    """Return the one part of the plan of a question that must be understood."""
    reading = await reading_of(question, *tables, earlier=earlier)
    assert isinstance(reading, Understood), reading
    assert len(reading.plan.parts) == 1
    return reading.plan.parts[0]


async def refused(question: str, *tables: DatasetFacts) -> NotUnderstood:
    """Return why a question is declined that must be."""
    reading = await reading_of(question, *tables)
    assert isinstance(reading, NotUnderstood), reading
    return reading
