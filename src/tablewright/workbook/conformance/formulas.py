"""Formulas: computed, adjusted when cells move, and undone when they cause new errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tablewright.domain.operations import AnyOperation
from tablewright.domain.operations.base import RowFilter, RowTest
from tablewright.domain.operations.cells import AddColumn, SetFormula, SetValues
from tablewright.domain.operations.structure import DeleteColumns, DeleteRows, InsertRows
from tablewright.domain.operations.tables import SortKey, SortRows
from tablewright.domain.table import Cell
from tablewright.workbook.base import ApplyPolicy, WorkbookEditor
from tablewright.workbook.conformance.editing import Make, contents

ORDERS: Mapping[str, Sequence[Sequence[Cell]]] = {
    "Orders": [
        ["Item", "Count", "Price", "Sum"],
        ["pen", 2, 3, "=B2*C2"],
        ["ink", 1, 9, "=B3*C3"],
        ["pad", 5, 4, "=B4*C4"],
    ],
    "Total": [["All"], ["=SUM(Orders!D2:D4)"]],
}


async def values(editor: WorkbookEditor, path: Path, sheet: str | None = None) -> dict[str, Cell]:
    """Return the displayed values of a sheet's cells."""
    return {cell.ref: cell.value for cell in (await editor.cells(path, sheet)).cells}


class FormulaConformance:
    """Derive from this class as well as from `EditorConformance`."""

    async def test_values_that_formulas_give_are_true_after_a_batch(
        self, editor: WorkbookEditor, make: Make, tmp_path: Path
    ) -> None:
        target = tmp_path / "target.xlsx"
        await editor.apply(make(ORDERS), target, [SetValues(range="B2", values=((10,),))])
        assert (await values(editor, target))["D2"] == 30
        assert (await values(editor, target, "Total"))["A2"] == 59

    async def test_formulas_of_other_sheets_follow_inserted_rows(
        self, editor: WorkbookEditor, make: Make, tmp_path: Path
    ) -> None:
        target = tmp_path / "target.xlsx"
        await editor.apply(make(ORDERS), target, [InsertRows(row=3)])
        assert (await contents(editor, target, "Total"))["A2"] == "=SUM(Orders!D2:D5)"
        assert (await contents(editor, target))["D4"] == "=B4*C4"

    async def test_a_column_gets_a_formula_for_every_row(
        self, editor: WorkbookEditor, make: Make, tmp_path: Path
    ) -> None:
        target = tmp_path / "target.xlsx"
        await editor.apply(make(ORDERS), target, [AddColumn(header="Net", formula="=[sum]-[Price]")])
        found = await contents(editor, target)
        assert [found[f"E{row}"] for row in (1, 2, 3, 4)] == ["Net", "=D2-C2", "=D3-C3", "=D4-C4"]
        assert (await values(editor, target))["E4"] == 16

    async def test_sorting_goes_by_what_formulas_give(self, editor: WorkbookEditor, make: Make, tmp_path: Path) -> None:
        target = tmp_path / "target.xlsx"
        await editor.apply(make(ORDERS), target, [SortRows(by=(SortKey(column="Sum", descending=True),))])
        found = await values(editor, target)
        assert [(found[f"A{row}"], found[f"D{row}"]) for row in (2, 3, 4)] == [("pad", 20), ("ink", 9), ("pen", 6)]

    async def test_new_errors_undo_the_batch(self, editor: WorkbookEditor, make: Make, tmp_path: Path) -> None:
        target = tmp_path / "target.xlsx"
        steps: list[AnyOperation] = [SetValues(range="A2", values=(("x",),)), DeleteColumns(columns=("Price",))]
        applied = await editor.apply(make(ORDERS), target, steps)
        assert applied.rolled_back
        assert not applied.written
        assert not target.exists()
        assert {(error.sheet, error.error) for error in applied.new_errors} >= {("Orders", "#REF!")}

    async def test_new_errors_stay_where_the_policy_allows_them(
        self, editor: WorkbookEditor, make: Make, tmp_path: Path
    ) -> None:
        policy = ApplyPolicy(roll_back_on_errors=False)
        target = tmp_path / "target.xlsx"
        applied = await editor.apply(make(ORDERS), target, [SetFormula(range="F2", formula="=1/0")], policy=policy)
        assert applied.written
        assert [(error.ref, error.error) for error in applied.new_errors] == [("F2", "#DIV/0!")]

    async def test_errors_that_were_there_are_not_new(self, editor: WorkbookEditor, make: Make, tmp_path: Path) -> None:
        path = make({"S": [["a", "b"], [1, "=A2/0"], [2, "=A3/0"]]})
        applied = await editor.apply(
            path, tmp_path / "target.xlsx", [InsertRows(row=2), SetValues(range="C1", values=(("c",),))]
        )
        assert applied.written
        assert not applied.new_errors

    async def test_a_circular_formula_is_told_and_undone(
        self, editor: WorkbookEditor, make: Make, tmp_path: Path
    ) -> None:
        applied = await editor.apply(make(ORDERS), tmp_path / "target.xlsx", [SetFormula(range="F2", formula="=F2+1")])
        assert applied.rolled_back
        assert [(error.ref, error.error) for error in applied.new_errors] == [("F2", "#CIRC!")]

    async def test_rows_that_a_filter_picks_are_deleted(
        self, editor: WorkbookEditor, make: Make, tmp_path: Path
    ) -> None:
        target = tmp_path / "target.xlsx"
        where = RowFilter(tests=(RowTest(column="Sum", op="<", value=10),))
        await editor.apply(make(ORDERS), target, [DeleteRows(where=where)])
        assert {ref: value for ref, value in (await values(editor, target)).items() if ref.startswith("A")} == {
            "A1": "Item",
            "A2": "pad",
        }
        assert (await values(editor, target, "Total"))["A2"] == 20
