"""Which columns may be added up."""

from __future__ import annotations

import pytest
from tests.support.model_requests import sales

from tablewright.analyst.linking.additivity import adds_up_in, aggregate_for
from tablewright.domain.dataset import ColumnFacts


@pytest.mark.parametrize(
    "name",
    [
        "Revenue",
        "Net Sales (EUR)",
        "Stock Qty",
        "Overtime Hours",
        "total price",
        "销售额",
        "毛利",
        "件数",
        "预算(万元)",
        "总价",
    ],
)
def test_amounts_are_added_up(name: str) -> None:
    assert aggregate_for(ColumnFacts(name=name, kind="number")) == "sum"


@pytest.mark.parametrize(
    "name",
    [
        "Unit Price",
        "Average Sales",
        "Bounce Rate",
        "Rating",
        "Age",
        "unit cost",
        "speed (km/h)",
        "单价",
        "毛利率",
        "月薪(元)",
        "人均收入",
    ],
)
def test_levels_are_averaged(name: str) -> None:
    assert aggregate_for(ColumnFacts(name=name, kind="number")) == "mean"


def test_a_percentage_is_a_level_whatever_its_name() -> None:
    assert aggregate_for(ColumnFacts(name="Sales", kind="number", notation="percent", unit="%")) == "mean"


def test_money_without_a_telling_name_is_an_amount() -> None:
    assert aggregate_for(ColumnFacts(name="Thing", kind="number", notation="currency", unit="$")) == "sum"


@pytest.mark.parametrize(
    "column",
    [
        ColumnFacts(name="Height of dam above sea", kind="text"),
        ColumnFacts(name="Order_ID", kind="integer", minimum=1, maximum=9),
        ColumnFacts(name="opened", kind="integer", minimum=1990, maximum=2020),
        ColumnFacts(name="Xyzzy", kind="number"),
    ],
)
def test_what_cannot_be_told_is_not_added_up(column: ColumnFacts) -> None:
    assert aggregate_for(column) is None


@pytest.mark.parametrize(
    ("name", "rows", "dates", "accounts", "adds"),
    [
        ("balance", 560, 14, 40, False),  # each account at each month's end
        ("期末余额", 36, 36, 1, False),  # one series
        ("balance", 40, 30, 40, True),  # each account once, with the day on which it was opened
        ("库存", 600, 25, 200, True),
        ("sales", 560, 14, 40, True),
    ],
)
def test_what_is_held_at_a_time_adds_up_over_things_and_not_over_time(
    name: str, rows: int, dates: int, accounts: int, adds: bool
) -> None:
    amount = ColumnFacts(name=name, kind="number")
    columns = (
        ColumnFacts(name="as of", kind="date", distinct=dates),
        ColumnFacts(name="account", kind="text", distinct=accounts),
        ColumnFacts(name="branch", kind="text", distinct=3),
        amount,
    )
    assert adds_up_in(amount, sales(rows=rows, columns=columns)) == adds
