"""Wishes about a table whose upper headers span several columns."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest
from tests.integration.analyst.operating.checking import plan_of

_ROWS = [
    ["Shop", "First half", None, "Second half", None],
    [None, "Budget", "Spent", "Budget", "Spent"],
    ["Oak Street", 900, 950, 1000, 870],
    ["Harbour", 700, 640, 720, 800],
    ["Station", 1200, 1180, 1250, 1310],
]


def _book(folder: Path) -> Path:
    made = openpyxl.Workbook()
    sheet = made.active
    assert sheet is not None
    sheet.title = "Shops"
    for row in _ROWS:
        sheet.append(row)
    for cells in ("A1:A2", "B1:C1", "D1:E1"):
        sheet.merge_cells(cells)
    path = folder / "shops.xlsx"
    made.save(path)
    return path


@pytest.mark.requirement("analyst-plans-changes")
@pytest.mark.parametrize(
    "say",
    [
        "make a column chart of first half budget and spent per shop",
        "highlight the cells where spent is over 900 in red",
    ],
)
async def test_a_lower_header_that_stands_under_two_upper_ones_is_not_guessed(say: str, tmp_path: Path) -> None:
    plan = await plan_of(_book(tmp_path), say)
    assert (plan["execution_plan"], bool(plan["error"])) == ([], True)
