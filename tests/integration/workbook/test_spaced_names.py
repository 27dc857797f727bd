"""Formulas, names and summaries that refer to a sheet whose name ends in a space."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest
from tests.support.workbooks import InlineWorker, write_xlsx

from tablewright.domain.operations import AnyOperation
from tablewright.domain.operations.cells import SetValues
from tablewright.domain.operations.structure import InsertRows, RenameSheet
from tablewright.domain.operations.tables import SummarizeRows, SummaryMeasure
from tablewright.domain.table import Cell
from tablewright.workbook.package.editor import PackageEditor


@pytest.fixture
def source(tmp_path: Path) -> Path:
    rows: list[list[Cell]] = [["Region", "Amount"], ["East", 3], ["West", 5], ["East", 1]]
    return write_xlsx(
        tmp_path / "source.xlsx", {"Data ": rows, "Sum": [["='Data '!B2+'Data '!B3", "=SUM('Data '!B:B)"]]}
    )


async def formulas_after(source: Path, *steps: AnyOperation) -> tuple[list[str], list[object]]:
    """Apply steps; return the formulas and the values of the first row of the sheet Sum."""
    target = source.with_name("target.xlsx")
    applied = await PackageEditor(InlineWorker()).apply(source, target, steps)
    assert applied.written, applied
    assert [step.error for step in applied.steps] == [None] * len(steps)
    kept, computed = (openpyxl.load_workbook(target, data_only=flag)["Sum"] for flag in (False, True))
    return [str(cell.value) for cell in kept[1]], [cell.value for cell in computed[1]]


async def test_formulas_that_quote_the_name_follow_inserted_rows(source: Path) -> None:
    found = await formulas_after(source, InsertRows(sheet="Data", row=3))
    assert found == (["='Data '!B2+'Data '!B4", "=SUM('Data '!B:B)"], [8, 9])


async def test_a_new_formula_may_quote_the_name(source: Path) -> None:
    found = await formulas_after(source, SetValues(sheet="Sum", range="C1", values=(("='Data '!B3*2",),)))
    assert (found[0][2], found[1][2]) == ("='Data '!B3*2", 10)


async def test_a_range_may_name_the_sheet_with_and_without_its_space(source: Path) -> None:
    steps = [SetValues(range="'Data '!B2", values=((30,),)), SetValues(range="Data!B3", values=((50,),))]
    assert (await formulas_after(source, *steps))[1] == [80, 81]


async def test_formulas_follow_the_sheet_when_it_is_renamed(source: Path) -> None:
    found = await formulas_after(source, RenameSheet(sheet="Data", name="Data"))
    assert found == (["=Data!B2+Data!B3", "=SUM(Data!B:B)"], [8, 9])


async def test_a_summary_refers_to_the_sheet_under_its_own_name(source: Path) -> None:
    measure = SummaryMeasure(column="Amount", aggregation="sum")
    step = SummarizeRows(sheet="data", groups=("Region",), measures=(measure,), target_sheet="Totals")
    await formulas_after(source, step)
    made = openpyxl.load_workbook(source.with_name("target.xlsx"), data_only=True)["Totals"]
    assert [[cell.value for cell in row] for row in made][1:3] == [["East", 4], ["West", 5]]
