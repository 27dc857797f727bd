"""Rows picked by another column of theirs, and by their place among others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import openpyxl
import pytest
from tests.support.workbooks import InlineWorker, write_xlsx

from tablewright.domain.codec import from_python
from tablewright.domain.operations import AnyOperation
from tablewright.domain.table import Cell
from tablewright.workbook.package.editor import PackageEditor


async def _filled(folder: Path, step: dict[str, Any]) -> list[int]:
    source, target = folder / "source.xlsx", folder / "target.xlsx"
    rows: list[list[Cell]] = [
        ["Part", "Held", "Least"],
        ["a", 5, 9],
        ["b", 12, 9],
        ["c", 9, 9],
        ["d", None, 4],
        ["e", 30, 40],
    ]
    write_xlsx(source, {"Parts": rows})
    await PackageEditor(InlineWorker()).apply(source, target, from_python(tuple[AnyOperation, ...], [step]))
    sheet = openpyxl.load_workbook(target)["Parts"]
    return [row[0].row for row in sheet.iter_rows() if row[0].fill.fill_type]


@pytest.mark.parametrize(("op", "rows"), [("<", [2, 6]), (">=", [3, 4]), ("=", [4]), ("!=", [2, 3, 5, 6])])
async def test_a_column_is_compared_with_another_of_its_row(tmp_path: Path, op: str, rows: list[int]) -> None:
    test = {"column": "Held", "op": op, "than": "Least"}
    assert await _filled(tmp_path, {"function": "highlight_cells", "where": {"tests": [test]}}) == rows


async def test_one_place_of_the_largest_is_filled_alone(tmp_path: Path) -> None:
    step = {"function": "highlight_cells", "top_column": "Held", "top_count": 2, "top_from": 2}
    assert await _filled(tmp_path, step) == [3]
