"""Workbooks of every format, opened in a child."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlwt
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P
from tests.integration.data.conftest import Writer, only

from tablewright.data.files.tables import FileTables
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.table_facts import Irregularity
from tablewright.errors import InvalidInput

pytestmark = pytest.mark.asyncio(loop_scope="module")

Build = Callable[[Writer], Path]


async def facts_of(tables: FileTables, path: Path) -> dict[str, DatasetFacts]:
    return {dataset.facts.id: dataset.facts for dataset in (await tables.profile(path, path.name)).datasets}


def names(facts: DatasetFacts) -> list[str]:
    return [column.name for column in facts.columns]


def quarterly(book: Any) -> None:
    sheet = book.add_worksheet("销售")
    sheet.merge_range(0, 0, 0, 5, "2023年度销售汇总表")
    sheet.write_row(1, 0, ["单位：万元"])
    sheet.merge_range(2, 0, 3, 0, "地区")
    sheet.merge_range(2, 1, 3, 1, "门店")
    sheet.merge_range(2, 2, 2, 3, "第一季度")
    sheet.merge_range(2, 4, 2, 5, "第二季度")
    sheet.write_row(3, 2, ["销售额", "利润", "销售额", "利润"])
    sheet.merge_range(4, 0, 5, 0, "华东")
    sheet.merge_range(6, 0, 7, 0, "华北")
    for number in range(4):
        sheet.write_row(4 + number, 1, [f"门店{number}", 100 + number, 10, 200 + number, 20])
    sheet.write_row(8, 0, ["总计", None, 406, 40, 806, 80])
    sheet.write(9, 0, "注：以上数据未经审计")


async def test_titles_groups_merged_cells_totals_and_notes_are_understood(tables: FileTables, workbook: Build) -> None:
    facts = (await facts_of(tables, workbook(quarterly)))["销售"]
    assert names(facts) == [
        "地区",
        "门店",
        "第一季度 / 销售额",
        "第一季度 / 利润",
        "第二季度 / 销售额",
        "第二季度 / 利润",
    ]
    assert (facts.read.header_rows, facts.read.last_row, facts.read.totals_row) == ((2, 3), 7, 8)
    assert facts.read.fill_down == ("地区",)
    assert facts.columns[0].missing == 0
    assert (facts.rows, facts.columns[2].maximum) == (4, 103)


async def test_merged_cells_beside_cells_that_are_empty_by_themselves_are_filled_and_counted(
    tables: FileTables, workbook: Build
) -> None:
    def write(book: Any) -> None:
        sheet = book.add_worksheet("shops")
        sheet.write_row(0, 0, ["area", "shop", "sold"])
        for number in range(7):
            sheet.write_row(1 + number, 1, [f"shop {number}", 10 + number])
        sheet.merge_range(1, 0, 3, 0, "north")
        sheet.merge_range(5, 0, 6, 0, "south")

    (facts,) = (await facts_of(tables, workbook(write))).values()
    area = facts.columns[0]
    assert facts.read.fill_ranges == (("area", ((0, 2), (4, 5))),)
    assert (area.missing, area.distinct) == (2, 2)
    assert area.irregular == (Irregularity(kind="merged", cells=3, examples=()),)


async def test_every_table_of_a_sheet_is_found(tables: FileTables, workbook: Build) -> None:
    def write(book: Any) -> None:
        sheet = book.add_worksheet("all")
        sheet.write_row(1, 1, ["name", "team", "start"])
        for number in range(4):
            sheet.write_row(2 + number, 1, [f"n{number}", "red" if number % 2 else "blue"])
            sheet.write_datetime(
                2 + number, 3, date(2020, 1, 1 + number), book.add_format({"num_format": "yyyy-mm-dd"})
            )
        sheet.write_row(1, 6, ["team", "budget"])
        sheet.write_row(2, 6, ["red", 1000.5])
        sheet.write_row(3, 6, ["blue", 800])
        sheet.write(9, 1, "Table 2: products")
        sheet.write_row(10, 1, ["product", "price", "share"])
        sheet.write_row(11, 1, ["A", "¥1,200", "12.5%"])
        sheet.write_row(12, 1, ["B", "-", "7%"])

    facts = await facts_of(tables, workbook(write))
    assert list(facts) == ["all!B2:D6", "all!G2:H4", "all!B10:D13"]
    people, teams, products = facts.values()
    assert (people.name, people.rows, people.columns[2].kind) == ("all (B2:D6)", 4, "date")
    assert (teams.read.first_column, teams.read.header_rows, teams.read.last_row) == (6, (1,), 3)
    assert (products.columns[1].notation, products.columns[1].missing_texts) == ("currency", ("-",))
    assert (products.columns[2].notation, products.columns[2].mean) == ("percent", 9.75)


async def test_every_sheet_with_a_table_is_a_data_set_and_others_are_noted(tables: FileTables, workbook: Build) -> None:
    def write(book: Any) -> None:
        for name in ("one", "two"):
            book.add_worksheet(name).add_table(0, 0, 2, 1, {"data": [[1, 2], [3, 4]]})
        book.add_worksheet("empty")
        said = "This sheet explains in a long sentence how the numbers of the others were made."
        book.add_worksheet("read me").write_column(0, 0, [said, said])

    profile = await tables.profile(workbook(write), "book.xlsx")
    assert [dataset.facts.id for dataset in profile.datasets] == ["one", "two"]
    assert profile.notes == (
        ("sheet_without_table", {"sheet": "empty"}),
        ("sheet_without_table", {"sheet": "read me"}),
    )


async def test_a_stray_cell_far_away_does_not_grow_the_table(tables: FileTables, workbook: Build) -> None:
    def write(book: Any) -> None:
        sheet = book.add_worksheet("s")
        sheet.write_row(0, 0, ["a", "b"])
        sheet.write_row(1, 0, [1, 2])
        sheet.write_row(2, 0, [3, 4])
        sheet.write(400_000, 5, "x")

    facts = (await facts_of(tables, workbook(write)))["s"]
    assert (facts.rows, names(facts), facts.read.last_row) == (2, ["a", "b"], 2)


async def test_numbers_dates_and_truth_keep_their_types(tables: FileTables, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "s"
    day, minute = datetime(2021, 2, 3), datetime(2021, 2, 3, 4, 5)  # noqa: DTZ001
    for row in (["n", "f", "d", "t", "b"], [1, 1.5, day, minute, True]):
        sheet.append(row)
    book.save(tmp_path / "b.xlsx")
    facts = (await facts_of(tables, tmp_path / "b.xlsx"))["s"]
    assert [column.kind for column in facts.columns] == ["integer", "number", "date", "datetime", "boolean"]
    assert facts.sample.rows == ((1, 1.5, "2021-02-03", "2021-02-03 04:05:00", True),)


async def test_an_old_workbook_is_read(tables: FileTables, tmp_path: Path) -> None:
    book = xlwt.Workbook()
    sheet = book.add_sheet("旧表")
    rows: list[list[str | int]] = [["名称", "数量"], ["甲", 1], ["乙", 2]]
    for number, row in enumerate(rows):
        for place, cell in enumerate(row):
            sheet.write(number, place, cell)
    book.save(str(tmp_path / "b.xls"))
    profile = await tables.profile(tmp_path / "b.xls", "b.xls")
    assert profile.kind == "xls"
    assert [(column.name, column.kind) for column in only(profile).facts.columns] == [
        ("名称", "text"),
        ("数量", "integer"),
    ]


async def test_an_open_document_sheet_is_read(tables: FileTables, tmp_path: Path) -> None:
    document = OpenDocumentSpreadsheet()
    table = Table(name="Sheet1")
    rows: list[list[str | int]] = [["name", "n"], ["a", 1], ["b", 2]]
    for cells in rows:
        row = TableRow()
        for cell in cells:
            kind = {"valuetype": "float", "value": cell} if isinstance(cell, int) else {"valuetype": "string"}
            entry = TableCell(**kind)
            entry.addElement(P(text=str(cell)))
            row.addElement(entry)
        table.addElement(row)
    document.spreadsheet.addElement(table)
    document.save(str(tmp_path / "b.ods"))
    profile = await tables.profile(tmp_path / "b.ods", "b.ods")
    assert profile.kind == "ods"
    assert [(column.name, column.kind) for column in only(profile).facts.columns] == [
        ("name", "text"),
        ("n", "integer"),
    ]


async def test_a_preview_shows_a_sheet_by_name_or_place(tables: FileTables, workbook: Build) -> None:
    def write(book: Any) -> None:
        for name in ("first", "second"):
            sheet = book.add_worksheet(name)
            sheet.write_row(0, 0, ["sheet", "n"])
            for number in range(30):
                sheet.write_row(1 + number, 0, [name, number])

    path = workbook(write)
    by_name = await tables.preview(path, "book.xlsx", sheet="second", rows=2)
    assert (by_name.title, by_name.total_rows, by_name.rows) == ("second", 30, (("second", 0), ("second", 1)))
    assert (await tables.preview(path, "book.xlsx", sheet=1, rows=2)) == by_name
    with pytest.raises(InvalidInput) as refused:
        await tables.preview(path, "book.xlsx", sheet="third")
    assert (refused.value.field, refused.value.params["known"]) == ("sheet", "first, second")
