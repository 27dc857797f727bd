"""What is irregular in real files, and what connects their tables, is found when they are profiled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.integration.data.conftest import Writer
from xlsxwriter import Workbook

from tablewright.data.facts.relations import compared_columns, relations
from tablewright.data.files.tables import FileTables
from tablewright.domain.table_facts import Irregularity, TableForm, TableKey

pytestmark = pytest.mark.asyncio(loop_scope="module")
CSV = """Depot,Paid,Score,Day
 north ,$12.50,81,2024-01-05
North,$7.00,缺考,2024-02-06
NORTH,9.25,77,2024-03-07
North,$3.10,65,2024年4月8日
South,$4.00,92,2024-05-09
"""


async def test_the_irregular_cells_of_a_text_file(tables: FileTables, tmp_path: Path) -> None:
    path = tmp_path / "shipments.csv"
    path.write_text(CSV, encoding="utf-8")
    (table,) = (await tables.profile(path, path.name)).datasets
    found = {column.name: column.irregular for column in table.facts.columns}
    assert found["Depot"] == (
        Irregularity(kind="spelling", cells=2, examples=(" north ", "NORTH"), meant="North", merged=2),
    )
    assert found["Paid"] == (Irregularity(kind="number_notations", cells=1, examples=("9.25",)),)
    assert found["Score"] == (Irregularity(kind="marks", cells=1, examples=("缺考",)),)
    assert found["Day"][0].examples == ("%Y-%m-%d", "%Y年%m月%d日")


async def test_the_sheets_of_a_workbook_and_their_keys(tables: FileTables, workbook: Callable[[Writer], Path]) -> None:
    def write(book: Workbook) -> None:
        for month, shops in (("一月", ["A1", "A2", "A2"]), ("二月", ["A3", "A3", "A1"])):
            sheet = book.add_worksheet(month)
            sheet.write_row(0, 0, ["门店", "金额"])
            for row, shop in enumerate(shops, start=1):
                sheet.write_row(row, 0, [shop, row * 10.5])
        sheet = book.add_worksheet("门店表")
        sheet.write_row(0, 0, ["门店", "城市"])
        for row, city in enumerate(("成都", "成都", "北京", "上海"), start=1):
            sheet.write_row(row, 0, [f"A{row}", city])

    path = workbook(write)
    profiles = (await tables.profile(path, path.name)).datasets
    facts = [profile.facts for profile in profiles]
    values = {
        (one.facts.id, column.name): frozenset(one.values[column.name].values)
        for one in profiles
        for column in compared_columns(one.facts)
    }
    form, *keys = relations(facts, values)
    first, second, shops = (one.id for one in facts)
    assert form == TableForm(tables=(first, second), parts=("一月", "二月"))
    assert [(key.one, key.many, key.multiplicity) for key in keys if isinstance(key, TableKey)] == [
        (shops, first, "one_to_many"),
        (shops, second, "one_to_many"),
    ]


async def test_what_a_sheet_says_beside_its_only_table_is_kept(
    tables: FileTables, workbook: Callable[[Writer], Path]
) -> None:
    def write(book: Workbook) -> None:
        sheet = book.add_worksheet("成绩")
        sheet.write_row(0, 0, ["期末成绩登记表"])
        sheet.write_row(1, 0, ["制表:教务处"])
        sheet.write_row(2, 0, ["学号", "班级", "数学"])
        for row in range(3, 9):
            sheet.write_row(row, 0, [row, "三(1)班", 60 + row])
        sheet.write_row(10, 0, ["注:缺考不计分"])
        plain = book.add_worksheet("plain")
        for row in range(4):
            plain.write_row(row, 0, ["a", "b"] if row == 0 else [f"x{row}", row])

    path = workbook(write)
    scores, plain = ((one.facts.rows, one.facts.notes) for one in (await tables.profile(path, path.name)).datasets)
    assert scores == (6, ("期末成绩登记表", "制表:教务处", "注:缺考不计分"))
    assert plain == (3, ())
