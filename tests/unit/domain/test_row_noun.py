"""What rows are called is known from the names of tables and files, where they say it."""

from __future__ import annotations

import pytest

from tablewright.domain.dataset import DatasetFacts, ReadOptions
from tablewright.domain.row_noun import row_noun
from tablewright.domain.table import Table


def table(name: str, file_name: str = "book.xlsx") -> DatasetFacts:
    return DatasetFacts(
        id="t",
        name=name,
        file_name=file_name,
        path=f"/data/shared/{file_name}",
        read=ReadOptions(kind="xlsx"),
        rows=1,
        columns=(),
        sample=Table(columns=(), rows=(), total_rows=0),
        profile_ref="",
    )


@pytest.mark.requirement("facts-row-nouns")
@pytest.mark.parametrize(
    ("name", "noun"),
    [
        ("clinic_visits_2024", "visits"),
        ("RepairTickets", "tickets"),
        ("Open Orders (export)", "orders"),
        ("customers list", "customers"),
        ("维修单明细表", "维修单"),
        ("2024年3月门诊就诊记录", "门诊就诊"),
        ("月饼订单", "月饼订单"),
        ("报修-工单", "工单"),
    ],
)
def test_a_table_that_is_called_after_its_rows_has_their_noun(name: str, noun: str) -> None:
    assert row_noun(table(name)) == noun


@pytest.mark.parametrize(
    "name", ["Sheet1", "Q3", "data", "bus", "analysis", "statistics", "工作表1", "明细", "数据表", "2024", "", "gas"]
)
def test_a_table_with_any_other_name_has_none(name: str) -> None:
    assert row_noun(table(name)) is None


def test_a_file_names_the_rows_of_a_sheet_that_does_not() -> None:
    assert row_noun(table("Sheet1", "2024/shop orders.xlsx")) == "orders"
    assert row_noun(table("Returns", "shop orders.xlsx")) == "returns"
