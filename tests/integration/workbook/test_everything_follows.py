"""Rows and columns inserted and deleted in a workbook with one of nearly everything: all of it follows, nothing is
lost."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlsxwriter
from tests.support.workbooks import InlineWorker, read_parts, write_rich

from tablewright.domain.operations import AnyOperation
from tablewright.domain.operations.structure import (
    CopySheet,
    DeleteColumns,
    DeleteRows,
    DeleteSheet,
    InsertColumns,
    InsertRows,
    RenameSheet,
)
from tablewright.workbook.base import Applied, ApplyPolicy
from tablewright.workbook.package.editor import PackageEditor

ANYWAY = ApplyPolicy(roll_back_on_errors=False)


@pytest.fixture
def rich(tmp_path: Path) -> Path:
    return write_rich(tmp_path / "rich.xlsx")


async def applied(
    source: Path, *operations: AnyOperation, policy: ApplyPolicy = ANYWAY
) -> tuple[Applied, dict[str, str]]:
    target = source.with_name("edited.xlsx")
    outcome = await PackageEditor(InlineWorker()).apply(source, target, operations, policy=policy)
    assert [step.error for step in outcome.steps] == [None] * len(operations)
    return outcome, {name: part.decode("utf-8", "replace") for name, part in read_parts(target).items()}


def found(pattern: str, part: str) -> list[Any]:
    return re.findall(pattern, part)


async def test_inserted_rows_move_all_that_counts_on_their_sheet(rich: Path) -> None:
    _, parts = await applied(rich, InsertRows(sheet="Data", row=4, count=2))
    sheet, book = parts["xl/worksheets/sheet1.xml"], parts["xl/workbook.xml"]
    assert found(r'conditionalFormatting sqref="([^"]+)"', sheet) == ["D2:D13", "A2:A13"]
    assert found(r"<xm:sqref>([^<]+)", sheet) == ["D2:D13", "G8"]
    assert found(r"<xm:f>([^<]+)", sheet) == ["Data!D8:F8"]
    assert found(r'<autoFilter ref="([^"]+)"', sheet) == ["A1:F13"]
    assert found(r'<mergeCell ref="([^"]+)"', sheet) == ["H8:J9"]
    assert found(r'<hyperlink ref="([^"]+)"', sheet) == ["A16", "A17"]
    assert found(r'location="([^"]+)"', sheet) == ["Data!A8"]
    assert found(r'dataValidation [^>]*sqref="([^"]+)"', sheet) == ["B2:B13"]
    assert "'My Report'!$A$5:$A$8" in sheet
    assert "Data!$A$1:$F$15" in book
    assert "Data!$F$2:$F$13" in book
    assert found(r'comment ref="([^"]+)"', parts["xl/comments1.xml"]) == ["B8"]
    assert found(r"<x:Row>(\d+)", parts["xl/drawings/vmlDrawing1.vml"]) == ["7"]


async def test_charts_and_formulas_of_every_sheet_follow(rich: Path) -> None:
    _, parts = await applied(rich, InsertRows(sheet="Data", row=4, count=2))
    for chart in ("xl/charts/chart1.xml", "xl/charts/chart2.xml"):
        assert found(r"<c:f>([^<]+)", parts[chart]) == ["Data!$F$1", "Data!$A$2:$A$13", "Data!$F$2:$F$13"]
    assert "<f>SUM(Data!F2:F13)</f>" in parts["xl/worksheets/sheet2.xml"]


async def test_formulas_follow_in_a_sheet_that_spells_names_by_the_numbers_of_characters(tmp_path: Path) -> None:
    path = tmp_path / "plan.xlsx"
    with xlsxwriter.Workbook(path) as book:
        book.add_worksheet("计划").write_column("A1", [1, 2, 3])
        book.add_worksheet("Other").write_formula("A1", "=SUM(计划!A1:A3)")
    parts = read_parts(path)
    with zipfile.ZipFile(path, "w") as archive:
        for name, part in parts.items():
            spelled = part.decode().encode("ascii", "xmlcharrefreplace") if "sheet2" in name else part
            archive.writestr(name, spelled)
    _, edited = await applied(path, InsertRows(sheet="计划", row=1, count=2))
    assert "SUM(计划!A3:A5)" in edited["xl/worksheets/sheet2.xml"]


async def test_shapes_move_with_their_cells(rich: Path) -> None:
    before = found(r"<xdr:row>(\d+)", read_parts(rich)["xl/drawings/drawing1.xml"].decode())
    _, parts = await applied(rich, InsertRows(sheet="Data", row=4, count=2))
    after = found(r"<xdr:row>(\d+)", parts["xl/drawings/drawing1.xml"])
    assert after == [str(int(row) + 2 if int(row) >= 3 else int(row)) for row in before]


async def test_a_column_inserted_into_a_table_gets_a_header_of_its_own(rich: Path) -> None:
    _, parts = await applied(rich, InsertColumns(sheet="My Report", before="V"))
    table = parts["xl/tables/table1.xml"]
    assert found(r'ref="([^"]+)"', table) == ["A4:D8", "A4:D8"]
    assert found(r'tableColumn id="\d+" name="([^"]+)"', table) == ["K", "Column1", "V", "W"]
    assert "Column1" in parts["xl/worksheets/sheet2.xml"]


async def test_deleted_columns_take_their_rules_and_leave_the_rest(rich: Path) -> None:
    outcome, parts = await applied(rich, DeleteColumns(sheet="Data", columns=("Qty",)))
    sheet = parts["xl/worksheets/sheet1.xml"]
    assert found(r'conditionalFormatting sqref="([^"]+)"', sheet) == ["A2:A11"]
    assert outcome.new_errors[0].error == "#REF!"
    assert found(r"<c:f>([^<]+)", parts["xl/charts/chart1.xml"])[2] == "Data!$E$2:$E$11"


async def test_deleted_rows_take_their_note_and_shrink_what_holds_them(rich: Path) -> None:
    _, parts = await applied(rich, DeleteRows(sheet="Data", row=5, count=3))
    assert "<comment " not in parts["xl/comments1.xml"]
    assert "<v:shape " not in parts["xl/drawings/vmlDrawing1.vml"]
    assert "Data!$F$2:$F$8" in parts["xl/workbook.xml"]
    assert "mergeCell" not in parts["xl/worksheets/sheet1.xml"]


async def test_a_renamed_sheet_is_followed_everywhere(rich: Path) -> None:
    _, parts = await applied(rich, RenameSheet(sheet="Data", name="New Data"))
    everything = "".join(part for name, part in parts.items() if name.startswith("xl/"))
    referring = r"""<(?:\w+:)?(?:f|definedName)\b[^>]*>([^<]+)|location="([^"]+)\""""
    assert not [formula for formula in found(referring, everything) if re.search(r"(?<![\w ])Data!", "".join(formula))]
    assert "'New Data'!$F$2:$F$11" in parts["xl/charts/chart2.xml"]


async def test_a_copied_sheet_brings_its_drawings(rich: Path) -> None:
    outcome, parts = await applied(rich, CopySheet(sheet="Data", name="Twin"))
    assert not outcome.new_errors
    charts = [name for name in parts if name.startswith("xl/charts/chart")]
    assert len(charts) == 3
    assert any("Twin!$F$2:$F$11" in parts[name] for name in charts)


async def test_a_copied_sheet_has_tables_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "sales.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("Data")
        columns = [{"header": "a"}, {"header": "b"}, {"header": "c", "formula": "=[@a]+[@b]"}]
        sheet.add_table("A1:C3", {"name": "Sales", "data": [[1, 2], [3, 4]], "columns": columns})
        sheet.write_formula("E1", "=SUM(Sales[a])", None, 4)
    _, parts = await applied(path, CopySheet(sheet="Data", name="Twin"))
    assert found(r'<table [^>]*id="(\d+)" name="(\w+)" displayName="(\w+)"', parts["xl/tables/table1.xml"]) == [
        ("1", "Sales", "Sales")
    ]
    assert found(r'<table [^>]*id="(\d+)" name="(\w+)" displayName="(\w+)"', parts["xl/tables/table2.xml"]) == [
        ("2", "Sales_2", "Sales_2")
    ]
    assert "SUM(Sales[a])" in parts["xl/worksheets/sheet1.xml"]
    assert "SUM(Sales_2[a])" in parts["xl/worksheets/sheet2.xml"]
    reread = openpyxl.load_workbook(path.with_name("edited.xlsx"))
    assert reread["Twin"].tables["Sales_2"].ref == "A1:C3"
    reread.close()


async def test_a_deleted_sheet_takes_what_only_it_used(rich: Path) -> None:
    _, parts = await applied(rich, DeleteSheet(sheet="My Report"))
    assert not {"xl/tables/table1.xml", "xl/charts/chart2.xml", "xl/drawings/drawing2.xml"} & parts.keys()
    assert "My Report" not in parts["[Content_Types].xml"] + parts["xl/workbook.xml"]


async def test_parts_that_an_edit_does_not_concern_keep_their_bytes(rich: Path) -> None:
    before = read_parts(rich)
    _, parts = await applied(rich, InsertRows(sheet="My Report", row=60))
    changed = {name for name in before if name not in parts or before[name].decode("utf-8", "replace") != parts[name]}
    assert changed <= {"xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"}
