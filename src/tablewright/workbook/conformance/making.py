"""New workbooks, conversion, and the offsets at which files may be cut."""

from __future__ import annotations

from pathlib import Path

from tablewright.workbook.base import NewSheet, WorkbookEditor
from tablewright.workbook.conformance.editing import SALES, Make, contents


class MakingConformance:
    """Derive from this class and provide the fixtures `editor` and `make`."""

    async def test_a_new_workbook_holds_the_rows_it_was_made_of(self, editor: WorkbookEditor, tmp_path: Path) -> None:
        rows = (("Region", "Amount"), ("East", 3), ("West", None))
        await editor.create(tmp_path / "new.xlsx", (NewSheet(name="Sales", rows=rows), NewSheet(name="二", rows=())))
        assert await contents(editor, tmp_path / "new.xlsx") == {
            "A1": "Region", "B1": "Amount", "A2": "East", "B2": 3, "A3": "West",
        }  # fmt: skip
        outline = await editor.outline(tmp_path / "new.xlsx")
        assert [sheet.name for sheet in outline.sheets] == ["Sales", "二"]

    async def test_a_workbook_is_converted_by_copying_it(
        self, editor: WorkbookEditor, make: Make, tmp_path: Path
    ) -> None:
        assert await editor.convert(make(SALES), tmp_path / "copy.xlsx") == ()
        difference = await editor.diff(make(SALES), tmp_path / "copy.xlsx")
        assert (difference.sheets, difference.sheets_added, difference.sheets_removed) == ((), (), ())

    async def test_a_computed_copy_holds_what_the_workbook_holds(
        self, editor: WorkbookEditor, make: Make, tmp_path: Path
    ) -> None:
        source = make(SALES)
        assert await editor.compute(source, tmp_path / "copy.xlsx") == ()
        difference = await editor.diff(source, tmp_path / "copy.xlsx")
        assert (difference.sheets, difference.sheets_added, difference.sheets_removed) == ((), (), ())

    async def test_a_file_is_cut_within_its_bounds(self, editor: WorkbookEditor, make: Make) -> None:
        source = make(SALES)
        cuts = await editor.cuts(source)
        assert list(cuts) == sorted(set(cuts))
        assert all(0 < cut < source.stat().st_size for cut in cuts)
