"""Constants, rows, sheets, pages and differences, and the state after a failure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from tablewright.domain.operations import AnyOperation
from tablewright.domain.operations.cells import SetValues
from tablewright.domain.operations.code import RunPython
from tablewright.domain.operations.structure import AddSheet, DeleteRows, InsertRows, RenameSheet
from tablewright.domain.table import Cell
from tablewright.errors import FileUnreadable, InvalidInput
from tablewright.workbook.base import FrameBlock, WorkbookEditor

Make = Callable[[Mapping[str, Sequence[Sequence[Cell]]]], Path]
SALES: Mapping[str, Sequence[Sequence[Cell]]] = {
    "Sales": [["Region", "Amount"], ["East", 3], ["West", 5], ["North", 4]],
    "Notes": [["About"], ["made by hand"]],
}


async def contents(editor: WorkbookEditor, path: Path, sheet: str | None = None) -> dict[str, Cell]:
    """Return the contents of a sheet's cells, formulas as text."""
    page = await editor.cells(path, sheet)
    return {cell.ref: cell.formula if cell.formula is not None else cell.value for cell in page.cells}


class EditorConformance:
    """Derive from this class and provide the fixtures `editor` and `make`."""

    async def test_values_are_written_and_the_changed_cells_told(
        self, editor: WorkbookEditor, make: Make, tmp_path: Path
    ) -> None:
        target = tmp_path / "target"
        operation = SetValues(range="B2:B3", values=((30,), (50,)))
        applied = await editor.apply(make(SALES), target, [operation])
        assert applied.written
        told = [(change.ref, change.before, change.after) for change in applied.changes[0].cells]
        assert told == [("B2", 3, 30), ("B3", 5, 50)]
        assert (await contents(editor, target))["B3"] == 50

    async def test_the_source_stays_as_it_was(self, editor: WorkbookEditor, make: Make, tmp_path: Path) -> None:
        source = make(SALES)
        before = source.read_bytes()
        await editor.apply(source, tmp_path / "target", [SetValues(range="B2", values=((1,),))])
        assert source.read_bytes() == before

    async def test_a_failed_step_leaves_no_trace_and_the_others_go_on(
        self, editor: WorkbookEditor, make: Make, tmp_path: Path
    ) -> None:
        steps: list[AnyOperation] = [
            SetValues(range="B2", values=((1,),)),
            SetValues(sheet="Nowhere", range="B2", values=((2,),)),
            SetValues(range="A9:A10", values=((7,), (8,), (9,))),
            SetValues(range="B3", values=((3,),)),
        ]
        applied = await editor.apply(make(SALES), tmp_path / "target", steps)
        assert [step.status for step in applied.steps] == ["completed", "failed", "failed", "completed"]
        assert applied.steps[1].error is not None
        assert applied.steps[1].error.code == "sheet_missing"
        found = await contents(editor, tmp_path / "target")
        assert (found["B2"], found["B3"]) == (1, 3)
        assert "A9" not in found

    async def test_who_watches_is_told_of_each_operation_as_it_begins_and_when_all_are_done(
        self, editor: WorkbookEditor, make: Make, tmp_path: Path
    ) -> None:
        told: list[int | None] = []
        steps = [SetValues(range="B2", values=((1,),)), SetValues(sheet="No", range="A1", values=((2,),))]
        applied = await editor.apply(make(SALES), tmp_path / "target", steps, watch=told.append)
        assert [step.status for step in applied.steps] == ["completed", "failed"]
        assert told == [0, 1, None]
        assert all(step.elapsed_s >= 0 for step in applied.steps)

    async def test_nothing_is_written_when_every_step_failed(
        self, editor: WorkbookEditor, make: Make, tmp_path: Path
    ) -> None:
        target = tmp_path / "target"
        applied = await editor.apply(make(SALES), target, [SetValues(range="what?", values=((1,),))])
        assert not applied.written
        assert not target.exists()

    async def test_rows_inserted_and_deleted_move_what_is_below(
        self, editor: WorkbookEditor, make: Make, tmp_path: Path
    ) -> None:
        target = tmp_path / "target"
        await editor.apply(make(SALES), target, [InsertRows(row=2, count=2), DeleteRows(row=5)])
        assert await contents(editor, target) == {
            "A1": "Region", "B1": "Amount", "A4": "East", "B4": 3, "A5": "North", "B5": 4,
        }  # fmt: skip

    async def test_a_block_does_not_cover_cells_that_were_not_named(
        self, editor: WorkbookEditor, make: Make, tmp_path: Path
    ) -> None:
        applied = await editor.apply(make(SALES), tmp_path / "target", [SetValues(range="A3", values=((1, 2), (3, 4)))])
        assert applied.steps[0].error is not None
        assert applied.steps[0].error.code == "cell_not_empty"

    async def test_sheets_are_added_and_renamed(self, editor: WorkbookEditor, make: Make, tmp_path: Path) -> None:
        target = tmp_path / "target"
        steps: list[AnyOperation] = [
            AddSheet(name="Plan"),
            RenameSheet(sheet="Notes", name="备注"),
            AddSheet(name="Plan"),
        ]
        applied = await editor.apply(make(SALES), target, steps)
        assert [step.status for step in applied.steps] == ["completed", "completed", "failed"]
        outline = await editor.outline(target)
        assert [sheet.name for sheet in outline.sheets] == ["Sales", "备注", "Plan"]

    async def test_a_plan_is_judged_step_upon_step_without_writing(self, editor: WorkbookEditor, make: Make) -> None:
        source = make(SALES)
        before = source.read_bytes()
        steps: list[AnyOperation] = [
            AddSheet(name="New"),
            SetValues(sheet="New", range="A1", values=((1,),)),
            SetValues(sheet="Old", range="A1", values=((1,),)),
            RunPython(code="result = df"),
        ]
        problems = await editor.validate(source, steps)
        assert [[problem.code for problem in step] for step in problems] == [[], [], ["sheet_missing"], []]
        assert source.read_bytes() == before

    async def test_cells_come_in_pages(self, editor: WorkbookEditor, make: Make) -> None:
        path = make(SALES)
        first = await editor.cells(path, "Sales", limit=4)
        assert [cell.ref for cell in first.cells] == ["A1", "B1", "A2", "B2"]
        assert first.next_range == "A3:B4"
        second = await editor.cells(path, "Sales", first.next_range)
        assert [cell.value for cell in second.cells] == ["West", 5, "North", 4]
        assert second.next_range is None

    async def test_the_outline_names_every_sheet_with_its_headers(self, editor: WorkbookEditor, make: Make) -> None:
        outline = await editor.outline(make(SALES))
        assert [sheet.name for sheet in outline.sheets] == ["Sales", "Notes"]
        assert [column.header for column in outline.sheets[0].regions[0].columns] == ["Region", "Amount"]

    async def test_two_workbooks_are_compared_cell_by_cell(
        self, editor: WorkbookEditor, make: Make, tmp_path: Path
    ) -> None:
        source, target = make(SALES), tmp_path / "target"
        await editor.apply(source, target, [SetValues(range="B2", values=((9,),)), AddSheet(name="More")])
        found = await editor.diff(source, target)
        assert [(sheet.sheet, [cell.ref for cell in sheet.cells]) for sheet in found.sheets if sheet.cells] == [
            ("Sales", ["B2"])
        ]
        assert found.sheets_added == ("More",)

    async def test_a_frame_is_written_with_its_headers(
        self, editor: WorkbookEditor, make: Make, tmp_path: Path
    ) -> None:
        target = tmp_path / "target"
        frame = FrameBlock(columns=("k", "n"), rows=(("a", 1), ("b", 2)))
        applied = await editor.apply_frame(make(SALES), target, frame, sheet="Sales", at="D1")
        assert applied.steps[0].status == "completed"
        found = await contents(editor, target)
        assert (found["D1"], found["E3"]) == ("k", 2)

    async def test_what_is_no_workbook_and_what_is_not_there_are_typed_errors(
        self, editor: WorkbookEditor, make: Make, tmp_path: Path
    ) -> None:
        broken = tmp_path / "broken.xlsx"
        broken.write_bytes(b"PK\x03\x04 but no more")
        with pytest.raises(FileUnreadable):
            await editor.outline(broken)
        with pytest.raises(InvalidInput, match="sheet_missing"):
            await editor.cells(make(SALES), "Nowhere")
