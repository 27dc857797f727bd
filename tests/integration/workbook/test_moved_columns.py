"""Columns moved within a table: what refers to their cells follows, and what cannot follow is named."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import xlsxwriter
from tests.support.workbooks import InlineWorker, read_parts, write_rich

from tablewright.domain.operations import AnyOperation
from tablewright.domain.operations.structure import MoveColumns
from tablewright.workbook.base import Applied
from tablewright.workbook.package.editor import PackageEditor

HEADERS = ["Job", "Day", "Hours", "Rate", "Pay", "Who", "Share"]


async def applied(source: Path, *operations: AnyOperation) -> Applied:
    return await PackageEditor(InlineWorker()).apply(source, source.with_name("edited.xlsx"), operations)


async def moved(source: Path, *operations: AnyOperation) -> dict[str, str]:
    outcome = await applied(source, *operations)
    assert [step.error for step in outcome.steps] == [None] * len(operations)
    assert not outcome.new_errors
    parts = read_parts(source.with_name("edited.xlsx"))
    return {name: part.decode("utf-8", "replace") for name, part in parts.items()}


async def refused(source: Path, operation: AnyOperation) -> tuple[str, Any]:
    error = (await applied(source, operation)).steps[0].error
    assert error is not None
    return error.code, error.params


def found(pattern: str, part: str) -> list[Any]:
    return re.findall(pattern, part)


@pytest.fixture
def jobs(tmp_path: Path) -> Path:
    """A list of jobs under a merged title, with totals, a second sheet that looks things up, and notes below."""
    path = tmp_path / "jobs.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet, other = book.add_worksheet("Jobs"), book.add_worksheet("People")
        red = book.add_format({"bg_color": "FF0000"})
        sheet.merge_range("A1:G1", "Jobs of May")
        sheet.write_row("A3", HEADERS)
        for row in range(4, 10):
            sheet.write_row(f"A{row}", [f"J{row}", 45_000 + row, row, 10.5])
            sheet.write_formula(f"E{row}", f"=C{row}*D{row}")
            sheet.write(f"F{row}", ["Ann", "Bob"][row % 2])
            sheet.write_formula(f"G{row}", f"=E{row}/$E$10")
        sheet.write("A10", "Total")
        sheet.write_formula("E10", "=SUM(E4:E9)")
        sheet.write("A13", "checked by Ann")
        sheet.set_column("C:C", 22)
        sheet.set_column("F:F", 9, None, {"hidden": True})
        sheet.conditional_format("C4:D9", {"type": "formula", "criteria": "=C4>$C$9/2", "format": red})
        sheet.data_validation("F4:F9", {"validate": "list", "source": ["Ann", "Bob"]})
        sheet.write_comment("D5", "high")
        other.write_row("A1", ["Who", "Pay", "First"])
        for row, name in enumerate(["Ann", "Bob"], 2):
            other.write(f"A{row}", name)
            other.write_formula(f"B{row}", f"=SUMIF(Jobs!$F$4:$F$9,A{row},Jobs!$E$4:$E$9)")
            other.write_formula(f"C{row}", f"=INDEX(Jobs!A$4:A$9,MATCH(A{row},Jobs!F$4:F$9,0))")
        other.write_formula("E1", "=MAX(Jobs!C4:D9)")
        book.define_name("Pays", "=Jobs!$E$4:$E$9")
    return path


def contents(path: Path, *, values: bool) -> dict[str, dict[str, list[Any]]]:
    """Return each sheet's columns by header; those of a table by its header, others by their letter."""
    book = openpyxl.load_workbook(path, data_only=values)
    kept: dict[str, dict[str, list[Any]]] = {}
    for sheet in book:
        header = 3 if sheet.title == "Jobs" else 1
        kept[sheet.title] = {
            str(column[header - 1].value): [cell.value for cell in column[header - 1 :][:10]]
            for column in sheet.iter_cols(max_row=10)
        }
    book.close()
    return kept


async def test_the_cells_of_the_whole_workbook_keep_their_values(jobs: Path, tmp_path: Path) -> None:
    first = tmp_path / "computed.xlsx"
    await PackageEditor(InlineWorker()).apply(
        jobs, first, [MoveColumns(columns=("Pay",), after="Job"), MoveColumns(columns=("Pay",), before="Who")]
    )
    before = contents(first, values=True)
    for header, beside in itertools.permutations(HEADERS, 2):
        outcome = await PackageEditor(InlineWorker()).apply(
            first, jobs.with_name("edited.xlsx"), [MoveColumns(columns=(header,), after=beside)]
        )
        after = contents(jobs.with_name("edited.xlsx" if outcome.written else "computed.xlsx"), values=True)
        if outcome.steps[0].error is None:
            assert after == before, (header, beside)
            order = [name for name in HEADERS if name != header]
            order.insert(order.index(beside) + 1, header)
            assert list(after["Jobs"]) == order
        else:
            assert outcome.steps[0].error.code == "columns_torn"


async def test_formulas_rules_names_widths_and_notes_follow(jobs: Path) -> None:
    parts = await moved(jobs, MoveColumns(columns=("Pay", "Who"), before="Day"))
    sheet, people = parts["xl/worksheets/sheet1.xml"], parts["xl/worksheets/sheet2.xml"]
    assert "<f>D4*F4</f>" not in sheet
    assert "<f>E4*F4</f>" in sheet
    assert "<f>B4/$B$10</f>" in sheet
    assert "<f>SUM(B4:B9)</f>" in sheet
    assert "SUMIF(Jobs!$C$4:$C$9,A2,Jobs!$B$4:$B$9)" in people
    assert found(r'conditionalFormatting sqref="([^"]+)"', sheet) == ["E4:F9"]
    assert "<formula>E4&gt;$E$9/2</formula>" in sheet
    assert found(r'dataValidation [^>]*sqref="([^"]+)"', sheet) == ["C4:C9"]
    assert found(r'comment ref="([^"]+)"', parts["xl/comments1.xml"]) == ["F5"]
    assert found(r"<x:Column>(\d+)", parts["xl/drawings/vmlDrawing1.vml"]) == ["5"]
    assert "Jobs!$B$4:$B$9" in parts["xl/workbook.xml"]
    assert found(r'<col min="(\d+)"[^>]*hidden="1"', sheet) == ["3"]
    assert found(r'<col min="(\d+)" max="\d+" width="22', sheet) == ["5"]
    assert found(r'<mergeCell ref="([^"]+)"', sheet) == ["A1:G1"]


async def test_what_stands_above_and_below_the_table_stays(jobs: Path) -> None:
    await moved(jobs, MoveColumns(columns=("Job",), after="Share"))
    book = openpyxl.load_workbook(jobs.with_name("edited.xlsx"))
    assert (book["Jobs"]["A1"].value, book["Jobs"]["A13"].value) == ("Jobs of May", "checked by Ann")
    assert (book["Jobs"]["G3"].value, book["Jobs"]["G10"].value) == ("Job", "Total")
    book.close()


async def test_rows_below_an_empty_one_are_rows_of_the_table(tmp_path: Path) -> None:
    path = tmp_path / "stock.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet("Stock")
        sheet.write_row("A1", ["Plant", "Count", "Supplier"])
        for row in (2, 3, 4, 7, 8, 9):
            sheet.write_row(f"A{row}", [f"P{row}", row, "Monrow"])
        sheet.write("A12", "counted in May")
    await moved(path, MoveColumns(columns=("Supplier",), before="Plant"))
    edited = openpyxl.load_workbook(path.with_name("edited.xlsx"))["Stock"]
    assert [edited[cell].value for cell in ("A2", "A4", "A7", "A9", "B9", "C9")] == [*["Monrow"] * 4, "P9", 9]
    assert edited["A12"].value == "counted in May"


async def test_a_range_that_would_be_torn_apart_is_named(jobs: Path) -> None:
    code, params = await refused(jobs, MoveColumns(columns=("Hours",), before="Job"))
    assert (code, params["range"]) == ("columns_torn", "Jobs!C4:D9")
    assert params["where"] == "MAX(Jobs!C4:D9)"


async def test_a_column_cannot_go_beside_itself_and_needs_one_place(jobs: Path) -> None:
    assert (await refused(jobs, MoveColumns(columns=("Hours", "Rate"), after="Rate")))[0] == "beside_itself"
    assert (await refused(jobs, MoveColumns(columns=("Hours",), after="Rate", before="Job")))[0] == "before_or_after"
    assert (await refused(jobs, MoveColumns(columns=("Hours",))))[0] == "before_or_after"


async def test_a_column_that_stands_there_already_changes_nothing(jobs: Path) -> None:
    outcome = await applied(jobs, MoveColumns(columns=("Hours",), after="Day"))
    assert [notice.code for notice in outcome.steps[0].notes] == ["columns_there"]


@pytest.mark.parametrize(
    "formula", ["=VLOOKUP(A4,Jobs!A4:G9,3,FALSE)", "=INDEX(Jobs!A4:G9,2,3)", "=VLOOKUP(A4,Everything,3,FALSE)"]
)
async def test_a_lookup_by_the_number_of_a_column_is_named_rather_than_changed(tmp_path: Path, formula: str) -> None:
    path = tmp_path / "jobs.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet, other = book.add_worksheet("Jobs"), book.add_worksheet("Look")
        sheet.write_row("A3", HEADERS)
        for row in range(4, 10):
            sheet.write_row(f"A{row}", [f"J{row}", 1, row, 10.5, 2, "Ann", 3])
        book.define_name("Everything", "=Jobs!$A$3:$G$9")
        other.write("A4", "J5")
        other.write_formula("B4", formula)
    code, params = await refused(path, MoveColumns(sheet="Jobs", columns=("Hours",), after="Pay"))
    assert (code, params["where"]) == ("columns_torn", formula[1:])


async def test_a_rule_over_columns_that_go_apart_has_each_of_them(tmp_path: Path) -> None:
    path = tmp_path / "rules.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet("Data")
        sheet.write_row("A1", ["a", "b", "c", "d"])
        for row in range(1, 5):
            sheet.write_row(row, 0, [row, 2, 3, 4])
        rule = {"type": "formula", "criteria": "=AND(A2>1,$D2>1)", "format": book.add_format({"bold": True})}
        sheet.conditional_format("A2:B5", rule)
        sheet.autofilter("A1:D5")
        sheet.filter_column("B", "x == 2")
    parts = await moved(path, MoveColumns(columns=("a",), after="c"))
    sheet_part = parts["xl/worksheets/sheet1.xml"]
    assert found(r'conditionalFormatting sqref="([^"]+)"', sheet_part) == ["A2:A5 C2:C5"]
    assert "AND(A2&gt;1,$D2&gt;1)" in sheet_part
    assert found(r'<autoFilter ref="([^"]+)"', sheet_part) == ["A1:D5"]
    assert found(r'filterColumn colId="(\d+)"', sheet_part) == ["0"]


async def test_a_native_table_keeps_its_columns_with_their_cells(tmp_path: Path) -> None:
    parts = await moved(write_rich(tmp_path / "rich.xlsx"), MoveColumns(sheet="My Report", columns=("W",), before="K"))
    assert found(r'tableColumn id="(\d+)" name="([^"]+)"', parts["xl/tables/table1.xml"]) == [
        ("3", "W"), ("1", "K"), ("2", "V"),
    ]  # fmt: skip
    assert found(r'ref="([^"]+)"', parts["xl/tables/table1.xml"]) == ["A4:C8", "A4:C8"]
    assert "SUM(Tbl[V])" in parts["xl/worksheets/sheet2.xml"]


async def test_charts_filters_and_links_of_a_rich_workbook_follow(tmp_path: Path) -> None:
    parts = await moved(
        write_rich(tmp_path / "rich.xlsx"), MoveColumns(sheet="Data", columns=("Region", "Product"), after="Date")
    )
    for chart in ("xl/charts/chart1.xml", "xl/charts/chart2.xml"):
        assert found(r"<c:f>([^<]+)", parts[chart]) == ["Data!$F$1", "Data!$B$2:$B$11", "Data!$F$2:$F$11"]
    sheet = parts["xl/worksheets/sheet1.xml"]
    assert found(r'conditionalFormatting sqref="([^"]+)"', sheet) == ["D2:D11", "B2:B11"]
    assert found(r'dataValidation [^>]*sqref="([^"]+)"', sheet) == ["C2:C11"]
    assert found(r'comment ref="([^"]+)"', parts["xl/comments1.xml"]) == ["C6"]
    assert "Data!$A$1:$F$13" in parts["xl/workbook.xml"]


async def test_parts_that_the_move_does_not_concern_keep_their_bytes(tmp_path: Path) -> None:
    rich = write_rich(tmp_path / "rich.xlsx")
    before = read_parts(rich)
    await moved(rich, MoveColumns(sheet="My Report", columns=("W",), before="V"))
    after = read_parts(rich.with_name("edited.xlsx"))
    changed = {name for name in before if before[name] != after.get(name)}
    computed = {"xl/worksheets/sheet1.xml"}  # values of formulas, which the maker of the file left at 0
    assert changed - computed == {"xl/worksheets/sheet2.xml", "xl/tables/table1.xml"}
    assert after.keys() == before.keys()
