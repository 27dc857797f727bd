"""Wishes about a table whose upper headers span several columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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


async def _steps(folder: Path, say: str) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = (await plan_of(_book(folder), say))["execution_plan"]
    return [step["parameters"] for step in steps]


@pytest.mark.requirement("analyst-plans-changes")
async def test_an_upper_header_said_once_counts_for_every_column_named_after_it(tmp_path: Path) -> None:
    (chart,) = await _steps(tmp_path, "make a column chart of first half budget and spent per shop")
    assert chart["values"] == ["First half / Budget", "First half / Spent"]


@pytest.mark.requirement("analyst-plans-changes")
async def test_cells_under_every_upper_header_are_coloured_when_none_is_said(tmp_path: Path) -> None:
    found = await _steps(tmp_path, "highlight the cells where spent is over 900 in red")
    assert [step["where"]["tests"][0]["column"] for step in found] == ["First half / Spent", "Second half / Spent"]
