"""Sheets whose names end in a space, as exports of other programs have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tablewright.domain.operations import AnyOperation
from tablewright.domain.operations.cells import SetValues
from tablewright.domain.operations.structure import InsertRows, RenameSheet
from tablewright.domain.table import Cell
from tablewright.errors import InvalidInput
from tablewright.workbook.base import FrameBlock, WorkbookEditor
from tablewright.workbook.conformance.editing import Make, contents

SPACED: Mapping[str, Sequence[Sequence[Cell]]] = {"Data ": [["Region", "Amount"], ["East", 3]], "Notes": [["About"]]}
TWINS: Mapping[str, Sequence[Sequence[Cell]]] = {"Data ": [["one"]], "Data": [["other"]], " Data": [["third"]]}


class SheetNamesConformance:
    """Derive from this class and provide the fixtures `editor` and `make`."""

    async def test_a_sheet_whose_name_ends_in_a_space_is_described(self, editor: WorkbookEditor, make: Make) -> None:
        outline = await editor.outline(make(SPACED))
        assert [sheet.name for sheet in outline.sheets] == ["Data ", "Notes"]

    @pytest.mark.parametrize("name", ["Data ", "Data", "data", "  DATA  ", None])
    async def test_a_sheet_is_found_with_and_without_the_space_at_its_end(
        self, editor: WorkbookEditor, make: Make, tmp_path: Path, name: str | None
    ) -> None:
        source = make(SPACED)
        assert (await editor.cells(source, name)).sheet == "Data "
        steps: list[AnyOperation] = [SetValues(sheet=name, range="B2", values=((7,),)), InsertRows(sheet=name, row=2)]
        applied = await editor.apply(source, tmp_path / "target", steps)
        assert [step.error for step in applied.steps] == [None, None]
        assert (await contents(editor, tmp_path / "target", "Data "))["B3"] == 7
        assert await editor.validate(source, steps) == ((), ())

    async def test_a_sheet_loses_the_space_when_it_is_renamed(
        self, editor: WorkbookEditor, make: Make, tmp_path: Path
    ) -> None:
        applied = await editor.apply(make(SPACED), tmp_path / "target", [RenameSheet(sheet="Data ", name="Data")])
        assert applied.steps[0].error is None
        assert [sheet.name for sheet in (await editor.outline(tmp_path / "target")).sheets] == ["Data", "Notes"]

    async def test_a_frame_goes_to_the_sheet_that_is_there(
        self, editor: WorkbookEditor, make: Make, tmp_path: Path
    ) -> None:
        frame = FrameBlock(columns=("a",), rows=((1,),))
        await editor.apply_frame(make(SPACED), tmp_path / "target", frame, sheet="data", at="D1")
        assert [sheet.name for sheet in (await editor.outline(tmp_path / "target")).sheets] == ["Data ", "Notes"]
        assert (await contents(editor, tmp_path / "target", "Data "))["D2"] == 1

    async def test_of_sheets_that_differ_in_spaces_alone_each_is_found_by_its_own_name(
        self, editor: WorkbookEditor, make: Make
    ) -> None:
        source = make(TWINS)
        found = [await contents(editor, source, name) for name in ("Data ", "Data", " Data")]
        assert found == [{"A1": "one"}, {"A1": "other"}, {"A1": "third"}]
        with pytest.raises(InvalidInput):
            await editor.cells(source, "Data  ")
