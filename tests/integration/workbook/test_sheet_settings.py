"""The colour of a tab, printed pages and protection are set, and nothing else in the file changes."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest
import xlsxwriter
from tests.support.workbooks import InlineWorker, read_parts, write_rich

from tablewright.domain.operations import AnyOperation
from tablewright.domain.operations.sheets import ProtectSheet, SetPageSetup, SetTabColor
from tablewright.workbook.base import Applied
from tablewright.workbook.package.editor import PackageEditor


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """A workbook without formulas, so that nothing is computed anew."""
    path = tmp_path / "plain.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        for name in ("Data", "Other"):
            sheet = book.add_worksheet(name)
            sheet.write_row("A1", ["Job", "Pay", "Notes"])
            for row in range(1, 4):
                sheet.write_row(row, 0, [f"J{row}", row, ""])
        book.get_worksheet_by_name("Other").protect("secret")
    return path


async def applied(source: Path, *operations: AnyOperation) -> Applied:
    return await PackageEditor(InlineWorker()).apply(source, source.with_name("edited.xlsx"), operations)


def changed(source: Path) -> set[str]:
    before, after = read_parts(source), read_parts(source.with_name("edited.xlsx"))
    assert before.keys() == after.keys()
    return {name for name in before if before[name] != after[name]}


async def test_a_tab_gets_a_colour_and_loses_it(plain: Path) -> None:
    await applied(plain, SetTabColor(sheet="Data", color="green"))
    book = openpyxl.load_workbook(plain.with_name("edited.xlsx"))
    assert book["Data"].sheet_properties.tabColor.rgb == "FF92D050"
    book.close()
    assert changed(plain) == {"xl/worksheets/sheet1.xml"}
    await applied(plain, SetTabColor(sheet="Data", color="green"), SetTabColor(sheet="Data"))
    assert b"tabColor" not in read_parts(plain.with_name("edited.xlsx"))["xl/worksheets/sheet1.xml"]


async def test_pages_are_set_up_and_what_is_left_out_stays(plain: Path) -> None:
    await applied(plain, SetPageSetup(orientation="landscape"), SetPageSetup(pages_wide=1, repeat_rows="1:1"))
    book = openpyxl.load_workbook(plain.with_name("edited.xlsx"))
    sheet = book["Data"]
    assert (sheet.page_setup.orientation, sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) == (
        "landscape", 1, 0,
    )  # fmt: skip
    assert sheet.sheet_properties.pageSetUpPr.fitToPage
    assert sheet.print_title_rows == "$1:$1"
    book.close()
    assert changed(plain) == {"xl/worksheets/sheet1.xml", "xl/workbook.xml"}


async def test_a_sheet_is_protected_but_for_the_data_of_some_columns(plain: Path) -> None:
    await applied(plain, ProtectSheet(sheet="Data", unlocked=("Notes",)))
    book = openpyxl.load_workbook(plain.with_name("edited.xlsx"))
    sheet = book["Data"]
    assert sheet.protection.sheet
    assert [sheet[cell].protection.locked for cell in ("B2", "C1", "C2", "C4")] == [True, True, False, False]
    book.close()
    await applied(plain, ProtectSheet(sheet="Data"), ProtectSheet(sheet="Data", protected=False))
    assert b"sheetProtection" not in read_parts(plain.with_name("edited.xlsx"))["xl/worksheets/sheet1.xml"]


async def test_protection_with_a_password_is_not_ended(plain: Path) -> None:
    error = (await applied(plain, ProtectSheet(sheet="Other", protected=False))).steps[0].error
    assert error is not None
    assert error.code == "sheet_password"


async def test_a_page_setup_that_sets_nothing_is_refused(plain: Path) -> None:
    error = (await applied(plain, SetPageSetup())).steps[0].error
    assert error is not None
    assert error.code == "page_setup_empty"


async def test_settings_of_a_rich_sheet_keep_all_other_parts(tmp_path: Path) -> None:
    rich = write_rich(tmp_path / "rich.xlsx")
    settings = SetTabColor(sheet="Data", color="red"), SetPageSetup(sheet="Data", repeat_rows="1:1"), ProtectSheet()
    outcome = await applied(rich, *settings)
    assert [step.error for step in outcome.steps] == [None] * 3
    computed = {"xl/worksheets/sheet2.xml"}  # values of formulas, which the maker of the file left at 0
    assert changed(rich) - computed == {"xl/worksheets/sheet1.xml", "xl/workbook.xml"}
