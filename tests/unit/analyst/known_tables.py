"""Tables that the reader's tests ask about, as facts, and a reader over them."""

from __future__ import annotations

from tablewright.domain.dataset import ColumnFacts, ColumnKind, DatasetFacts, DistinctValues, ReadOptions
from tablewright.domain.table import Cell, Table

_VALUES: dict[str, dict[str, tuple[str, ...]]] = {
    "shops": {
        "Shop": ("Harbour Books", "Old Mill", "Corner Bakery", "Green Leaf"),
        "City": ("Porto", "Lyon", "Gent"),
        "Kind": ("books", "food"),
    },
    "lakes-north": {"湖泊名称": ("镜湖", "长青湖", "玉带湖")},
    "lakes-south": {"湖泊名称": ("白鹭湖", "双溪湖")},
}


def column(
    name: str, kind: ColumnKind = "text", distinct: int = 4, low: Cell = None, high: Cell = None, *samples: Cell
) -> ColumnFacts:
    """Return a column's facts."""
    return ColumnFacts(
        name=name,
        kind=kind,
        distinct=distinct,
        minimum=low,
        maximum=high,
        samples=samples,
    )


def table(ref: str, name: str, rows: int, *columns: ColumnFacts) -> DatasetFacts:
    """Return a table's facts."""
    return DatasetFacts(
        id=ref,
        name=name,
        file_name=f"{name}.csv",
        path=f"/data/shared/{name}.csv",
        read=ReadOptions(kind="csv"),
        rows=rows,
        columns=columns,
        sample=Table(columns=(), rows=(), total_rows=rows),
        profile_ref=ref,
    )


SHOPS = table(
    "shops",
    "shops",
    4,
    column("Shop_ID", "integer", 4, 1, 4),
    column("Shop", "text", 4),
    column("City", "text", 3),
    column("Kind", "text", 2),
    column("Number_of_Staff", "integer", 4, 2, 31),
    column("Revenue", "number", 4, 10.5, 90.25),
    column("Opened", "date", 4, "1998-04-02", "2019-11-30"),
    column("Closed_Days", "integer", 3, 0, 30),
)
_LAKE = (
    column("湖泊名称", "text", 3),
    column("面积(平方公里)", "number", 3, 1.2, 40.5),
    column("平均水深", "number", 3, 2, 18),
    column("水质等级", "text", 2),
)
NORTH = table("lakes-north", "北川县2021年湖泊调查表", 3, *_LAKE)
SOUTH = table("lakes-south", "南岭县2021年湖泊调查表", 2, *_LAKE)


class Values:
    """The distinct values of these tables."""

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        found = _VALUES.get(profile_ref, {}).get(column)
        return None if found is None else DistinctValues(values=found, counts=(1,) * len(found), complete=True)
