"""What hangs on cells goes with them when rows are sorted."""

from __future__ import annotations

import re
from pathlib import Path

import openpyxl
import pytest
import xlsxwriter
from tests.support.workbooks import InlineWorker, read_parts

from tablewright.domain.operations.tables import SortKey, SortRows
from tablewright.workbook.package.editor import PackageEditor


@pytest.fixture
def noted(tmp_path: Path) -> Path:
    """Ten rows in falling order; the last one has a note and a link, a cell beside the table has a note too."""
    path = tmp_path / "noted.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("Data")
        sheet.write_row("A1", ["name", "amount"])
        for row in range(1, 11):
            sheet.write_row(row, 0, [f"n{row}", 100 - row])
        sheet.write_comment("B11", "the smallest")
        sheet.write_comment("G11", "beside")
        sheet.write_url("A11", "https://example.com/", string="n10")
    return path


async def test_notes_their_boxes_and_links_follow_a_sorted_row(noted: Path) -> None:
    target = noted.with_name("sorted.xlsx")
    by_amount = SortRows(sheet="Data", by=(SortKey(column="amount"),))
    outcome = await PackageEditor(InlineWorker()).apply(noted, target, [by_amount])
    assert [step.error for step in outcome.steps] == [None]
    book = openpyxl.load_workbook(target)
    sheet = book["Data"]
    notes = {cell.coordinate: cell.comment.text for row in sheet.iter_rows() for cell in row if cell.comment}
    assert sheet["A2"].value == "n10"
    assert notes == {"B2": "the smallest", "G11": "beside"}
    assert sheet["A2"].hyperlink is not None
    assert sheet["A11"].hyperlink is None
    book.close()
    boxes = read_parts(target)["xl/drawings/vmlDrawing1.vml"].decode()
    places = zip(re.findall(r"<x:Row>(\d+)", boxes), re.findall(r"<x:Column>(\d+)", boxes), strict=True)
    assert sorted(places) == [("1", "1"), ("10", "6")]


async def test_a_sort_that_changes_nothing_leaves_every_part_as_it_was(noted: Path) -> None:
    target = noted.with_name("sorted.xlsx")
    by_amount = SortRows(sheet="Data", by=(SortKey(column="amount", descending=True),))
    await PackageEditor(InlineWorker()).apply(noted, target, [by_amount])
    assert not target.exists() or read_parts(target) == read_parts(noted)


@pytest.mark.parametrize(
    ("descending", "wanted"),
    [
        (False, ["low", "Low", "Medium", "High", 2, "Extra", None]),
        (True, ["High", "Medium", "low", "Low", "Extra", 2, None]),
    ],
)
async def test_values_that_a_key_lists_come_in_its_order_and_others_after_them(
    tmp_path: Path, *, descending: bool, wanted: list[object]
) -> None:
    path, target = tmp_path / "levels.xlsx", tmp_path / "sorted.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("Data")
        sheet.write_column("A1", ["level", "Extra", "low", "High", None, "Medium", 2, "Low"])
        sheet.write_column("B1", ["n", 1, 2, 3, 4, 5, 6, 7])
    key = SortKey(column="level", descending=descending, order=("Low", "Medium", "High"))
    outcome = await PackageEditor(InlineWorker()).apply(path, target, [SortRows(by=(key,))])
    assert [step.error for step in outcome.steps] == [None]
    reread = openpyxl.load_workbook(target)
    assert [cell.value for cell in reread["Data"]["A"][1:]] == wanted
    reread.close()
