"""A small table's facts, for tests that run no code."""

from __future__ import annotations

from tablewright.analyst.plan import Col, Named, Source
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, DistinctValues, ReadOptions
from tablewright.domain.table import Cell, Table
from tablewright.domain.task import StepFacts

SALES = DatasetFacts(
    id="s1",
    name="orders",
    file_name="orders.csv",
    path="/data/shared/orders.csv",
    read=ReadOptions(kind="csv", encoding="gb18030", delimiter=";", quote='"'),
    rows=120,
    columns=(
        ColumnFacts(name="region", kind="text", distinct=4),
        ColumnFacts(name="city", kind="text", distinct=9),
        ColumnFacts(name="amount", kind="number", notation="currency", unit="¥", minimum=5, maximum=9000),
        ColumnFacts(name="date", kind="date", notation="date_text", date_format="%d.%m.%Y"),
        ColumnFacts(name="units", kind="integer", missing=3, minimum=0, maximum=12),
        ColumnFacts(name="year", kind="integer", minimum=2020, maximum=2024),
    ),
    sample=Table(columns=("region",), rows=(("East",),), total_rows=1),
    profile_ref="f" * 64,
)
S = Source(dataset_id="s1")


class Values:
    """Distinct values of the table's words."""

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        known = {"region": ("East", "West", "North", "South"), "city": ("Shanghai", "Chengdu", "Beijing")}
        found = known.get(column)
        return None if found is None else DistinctValues(values=found, counts=(30,) * len(found), complete=True)


def column(name: str) -> Named:
    """Return a column under its own name."""
    return Named(name=name, of=Col(name=name))


def ran(
    columns: tuple[str, ...], *rows: tuple[Cell, ...], shown: Table | None = None, total: int | None = None
) -> tuple[StepFacts, ...]:
    """Return the progress of a run that gave this result."""
    result = Table(columns=columns, rows=rows, total_rows=len(rows) if total is None else total)
    return (
        StepFacts(name="Load", code="df = 1"),
        StepFacts(name="Show", code="result = df", result=result, tables=() if shown is None else (shown,)),
    )


def table(columns: tuple[str, ...], *rows: tuple[Cell, ...]) -> Table:
    """Return a table."""
    return Table(columns=columns, rows=rows, total_rows=len(rows))
