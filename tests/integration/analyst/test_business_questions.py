"""Plain questions of an office about its tables, against answers computed by hand from the same rows."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from tests.integration.analyst.asking import Asked
from tests.integration.analyst.conftest import Interpreter

Rows = list[list[Any]]
Row = dict[str, Any]

STATIONS = ("Oslo", "Lima", "Cairo")
WEATHER: list[Row] = [
    {
        "station": STATIONS[at % 3],
        "date": f"2023-{at // 10 + 1:02}-{at % 10 + 1:02}",
        "temp_max_c": 12 + (at * 7) % 23,
        "temp_min_c": (at * 5) % 11,
        "rain_mm": (at * 13) % 17,
        "wind_kmh": (at * 11) % 37,
        "condition": ("sunny", "cloudy", "rain", "snow")[(at * 7 // 3) % 4],
    }
    for at in range(90)
]
ORDERS: list[Row] = [
    {
        "order_id": 5000 + at,
        "order_date": f"{2022 + at // 40}-{at % 12 + 1:02}-15",
        "region": ("North", "South", "East")[at * 5 % 3],
        "product": ("Lamp", "Desk", "Chair", "Shelf")[(at * 3 + at // 7) % 4],
        "quantity": at % 9 + 1,
        "revenue": 100 + (at * 37) % 900,
        "returned": "yes" if at % 7 == 0 else "no",
    }
    for at in range(120)
]
STAFF: list[Row] = [
    {
        "工号": f"E{at:03}",
        "姓名": "赵钱孙李"[at % 4] + "伟芳娜"[at % 3],
        "性别": "男女"[at * 3 // 2 % 2],
        "部门": ("研发部", "市场部", "财务部")[at % 3],
        "学历": ("本科", "硕士", "博士")[at * 7 // 5 % 3],
        "月薪": 6000 + (at * 730) % 20000,
    }
    for at in range(60)
]
STOCK: list[Row] = [
    {
        "商品编码": f"P{at:03}",
        "商品名称": ("铅笔", "钢笔", "文件夹")[at % 3] + str(at),
        "仓库": ("一号仓", "二号仓")[at * 3 // 2 % 2],
        "库存数量": (at * 17) % 97,
        "安全库存": 20,
        "单价": 1 + (at * 3) % 11,
        "入库日期": f"2024-{at // 5 + 1:02}-{at % 5 * 5 + 1:02}",
    }
    for at in range(50)
]


def csv_of(rows: list[Row]) -> str:
    return "\n".join([",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]) + "\n"


def by(rows: list[Row], key: str, of: Callable[[list[Row]], float]) -> dict[Any, float]:
    ordered = sorted(rows, key=lambda row: row[key])
    return {name: of(list(group)) for name, group in groupby(ordered, key=lambda row: row[key])}


def where(rows: list[Row], **wanted: Any) -> list[Row]:
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


@pytest.fixture
def ask(interpreter: Interpreter, tmp_path: Path) -> Callable[[list[Row], str], Rows | str]:
    def asked(rows: list[Row], question: str) -> Rows | str:
        return Asked(interpreter, tmp_path / "table.csv", csv_of(rows)).rows(question)

    return asked


@pytest.fixture
def shown(interpreter: Interpreter, tmp_path: Path) -> Callable[[list[Row], str], list[Rows]]:
    return lambda rows, question: Asked(interpreter, tmp_path / "table.csv", csv_of(rows)).shown(question)


Ask = Callable[[list[Row], str], Rows | str]
Shown = Callable[[list[Row], str], list[Rows]]


def told(rows: Rows | str) -> dict[Any, Any]:
    assert isinstance(rows, list)
    return {row[0]: pytest.approx(row[-1], abs=0.01) for row in rows}


def test_a_unit_in_a_columns_name_is_no_part_of_what_is_said(ask: Ask) -> None:
    assert told(ask(WEATHER, "total rain by station")) == by(
        WEATHER, "station", lambda rows: sum(row["rain_mm"] for row in rows)
    )
    assert told(ask(WEATHER, "average max temperature by station")) == by(
        WEATHER, "station", lambda rows: mean(row["temp_max_c"] for row in rows)
    )


def test_the_hottest_day_is_told_by_the_temperature(shown: Shown) -> None:
    cairo = where(WEATHER, station="Cairo")
    hottest = max(row["temp_max_c"] for row in cairo)
    days = {row["date"] for row in cairo if row["temp_max_c"] == hottest}
    assert days in [{row[0] for row in found} for found in shown(WEATHER, "What was the hottest day in Cairo?")]


@pytest.mark.parametrize(
    "question",
    ["Compare average wind between Oslo and Lima", "average wind of Oslo and Lima"],
)
def test_things_that_are_named_have_an_average_each(ask: Ask, question: str) -> None:
    found = told(ask(WEATHER, question))
    assert found == {
        station: mean(row["wind_kmh"] for row in where(WEATHER, station=station)) for station in ("Lima", "Oslo")
    }


def test_a_share_is_of_the_rows_said_before_the_verb(ask: Ask) -> None:
    oslo = where(WEATHER, station="Oslo")
    share = 100 * len(where(oslo, condition="sunny")) / len(oslo)
    assert ask(WEATHER, "What percentage of days in Oslo were sunny?") == [[pytest.approx(share, abs=0.01)]]


def test_persons_of_one_name_are_counted_each(ask: Ask) -> None:
    women = len(where(STAFF, 部门="研发部", 性别="女"))
    assert ask(STAFF, "研发部有多少名女员工？") == [[women]]


def test_years_are_compared_with_years(ask: Ask) -> None:
    found = ask(ORDERS, "year over year growth of revenue")
    totals = [
        sum(row["revenue"] for row in ORDERS if row["order_date"][:4] == year) for year in ("2022", "2023", "2024")
    ]
    assert isinstance(found, list)
    assert [row[0] for row in found] == [2022, 2023, 2024]
    assert found[1][-1] == pytest.approx(100 * (totals[1] - totals[0]) / totals[0])


def test_rows_with_a_number_of_their_own_are_listed_by_it(ask: Ask) -> None:
    found = ask(ORDERS, "orders with revenue above 900 in the North")
    assert found == [[row["order_id"]] for row in ORDERS if row["revenue"] > 900 and row["region"] == "North"]
