"""How a new computed column shows its values, and what is told of rows that share a place."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from tests.support.workbooks import InlineWorker

from tablewright.domain.codec import from_python
from tablewright.domain.operations import AnyOperation
from tablewright.workbook.base import Applied
from tablewright.workbook.package.editor import PackageEditor

_FORMATS = {"A": "General", "B": "0", "C": "#,##0.00", "D": "#,##0", "E": "0.0%", "F": "yyyy-mm-dd", "G": "@"}


async def _run(folder: Path, *steps: dict[str, Any]) -> tuple[Applied, Path]:
    source, target = folder / "source.xlsx", folder / "target.xlsx"
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.append(["Item", "Units", "Price", "Fee", "Rate", "Sent", "Note"])
    for at, name in enumerate(("a", "b", "c", "d"), 1):
        sheet.append([name, 2 * min(at, 2), 1.5 * at, 10 * at, 0.1, date(2024, 5, at), "-"])
    for letters, code in _FORMATS.items():
        for row in range(2, 6):
            sheet[f"{letters}{row}"].number_format = code
    book.save(source)
    return await PackageEditor(InlineWorker()).apply(
        source, target, from_python(tuple[AnyOperation, ...], list(steps))
    ), target


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("=[Units]*[Price]", "#,##0.00"),
        ("=[Fee]-[Units]", "#,##0"),
        ("=[Price]*[Rate]", "#,##0.00"),
        ("=[Rate]+[Rate]", "0.0%"),
        ("=[Sent]+30", "yyyy-mm-dd"),
    ],
)
@pytest.mark.parametrize("after", [None, "Units"])
async def test_a_computed_column_is_shown_as_what_it_is_computed_from(
    tmp_path: Path, formula: str, code: str, after: str | None
) -> None:
    step = {"function": "add_column", "header": "New", "formula": formula, **({"after": after} if after else {})}
    _, target = await _run(tmp_path, step)
    sheet = openpyxl.load_workbook(target).worksheets[0]
    at = next(cell.column for cell in sheet[1] if cell.value == "New")
    assert {sheet.cell(row, at).number_format for row in range(2, 6)} == {code}


@pytest.mark.parametrize("formula", ["=[Fee]/[Price]", "=[Sent]-[Sent]", "=LEN([Note])"])
async def test_shares_counts_and_days_between_are_not_shown_as_amounts_or_dates(tmp_path: Path, formula: str) -> None:
    step = {"function": "add_column", "header": "New", "formula": formula, "after": "Sent"}
    _, target = await _run(tmp_path, step)
    code = openpyxl.load_workbook(target).worksheets[0]["G2"].number_format
    assert code == "General"


async def test_more_rows_than_asked_for_are_told_with_the_reason(tmp_path: Path) -> None:
    applied, _ = await _run(tmp_path, {"function": "highlight_cells", "top_column": "Units", "top_count": 2})
    assert [note.code for note in applied.steps[0].notes] == ["rows_highlighted_ties"]
    assert applied.steps[0].notes[0].params == {"count": 3, "asked": 2, "column": "Units"}


async def test_as_many_rows_as_asked_for_are_told_plainly(tmp_path: Path) -> None:
    applied, _ = await _run(tmp_path, {"function": "highlight_cells", "top_column": "Fee", "top_count": 2})
    assert [note.code for note in applied.steps[0].notes] == ["rows_highlighted"]
