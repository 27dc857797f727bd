"""A row below a table whose rows were inserted or deleted by an earlier part of the same wish."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest
from tests.integration.analyst.operating.books import book
from tests.integration.analyst.operating.checking import done

from tablewright.domain.table import Cell


async def column_after(folder: Path, name: str, say: str, letter: str) -> list[Cell]:
    """Return a column of the first sheet once a wish has been applied, without its header."""
    result = await done(book(folder, name), say)
    assert result.problems == []
    sheet = openpyxl.load_workbook(result.book).worksheets[0]
    return [cell.value for cell in sheet[letter]][1:]


@pytest.mark.parametrize(
    ("say", "revenue"),
    [
        ("insert 2 rows above row 4 and add a total row",
            [1200, 40, None, None, 300, 1150, None, 90, 1150, "=SUM(E2:E10)"]),
        ("delete row 3 and add a total row", [1200, 300, 1150, None, 90, 1150, "=SUM(E2:E7)"]),
        ("delete rows where status is cancelled and add a total row", [1200, 300, 1150, None, 1150, "=SUM(E2:E6)"]),
        ("delete rows where region is North and add a total row", [1200, 40, 300, None, "=SUM(E2:E5)"]),
        ("remove duplicate rows, then add a total row", [1200, 40, 300, 1150, None, 90, "=SUM(E2:E7)"]),
    ],
)  # fmt: skip
async def test_the_total_row_stands_right_below_what_is_left(say: str, revenue: list[Cell], tmp_path: Path) -> None:
    assert await column_after(tmp_path, "orders", say, "E") == revenue


async def test_the_total_row_in_chinese_stands_right_below_what_is_left(tmp_path: Path) -> None:
    said = "删除状态为取消的行，然后在最后加合计行"
    assert await column_after(tmp_path, "sales", said, "G") == [50, 120, 40, 1500, 1200, "=SUM(G2:G6)"]


async def test_a_total_row_is_no_row_that_lacks_something(tmp_path: Path) -> None:
    said = "delete rows where the age is missing and add a total row"
    assert (await column_after(tmp_path, "people", said, "A"))[-1] == "Total"
