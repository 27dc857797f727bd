"""What every viewer shows of a workbook."""

from __future__ import annotations

import pytest

from tablewright.domain.table import Cell
from tablewright.errors import InvalidInput, NotFound
from tablewright.workbook.conformance.editing import Make
from tablewright.workbook.views import ColumnTest, SheetTab, WorkbookViewer

ROWS: list[list[Cell]] = [["City", "Amount"], ["Lyon", 3], ["Oslo", 1], ["lyon", None], ["Bern", 2]]


class ViewingConformance:
    """Derive from this class and provide the fixtures `viewer` and `make`."""

    async def test_the_sheets_are_listed(self, viewer: WorkbookViewer, make: Make) -> None:
        assert await viewer.sheets(make({"Sales": ROWS})) == (
            SheetTab(name="Sales", state="visible", kind="worksheet"),
        )

    async def test_a_layout_tells_how_far_a_sheet_is_used(self, viewer: WorkbookViewer, make: Make) -> None:
        layout = await viewer.layout(make({"Sales": ROWS}), None)
        assert (layout.sheet, layout.rows, layout.columns) == ("Sales", 5, 2)
        assert layout.row_px > 0 < layout.column_px
        assert 0 in layout.looks

    async def test_a_window_holds_the_cells_of_its_range_only(self, viewer: WorkbookViewer, make: Make) -> None:
        window = await viewer.window(make({"Sales": ROWS}), "Sales", "A2:B4")
        assert [(row.row, [cell[:2] for cell in row.cells]) for row in window.rows] == [
            (2, [(1, "Lyon"), (2, 3)]), (3, [(1, "Oslo"), (2, 1)]), (4, [(1, "lyon")]),
        ]  # fmt: skip
        assert {cell[2] for row in window.rows for cell in row.cells} <= set(window.looks)

    async def test_a_window_shows_rows_in_the_order_asked_for(self, viewer: WorkbookViewer, make: Make) -> None:
        window = await viewer.window(make({"Sales": ROWS}), None, "A1:A1", rows=(5, 2))
        assert [(row.row, row.cells[0][1]) for row in window.rows] == [(5, "Bern"), (2, "Lyon")]

    async def test_a_window_that_is_too_large_is_refused(self, viewer: WorkbookViewer, make: Make) -> None:
        with pytest.raises(InvalidInput) as caught:
            await viewer.window(make({"Sales": ROWS}), None, "A1:Z1000")
        assert caught.value.detail == "window_too_large"

    async def test_the_filled_rows_of_a_range_are_runs(self, viewer: WorkbookViewer, make: Make) -> None:
        path = make({"Sales": ROWS})
        assert (await viewer.filled(path, "Sales", "B1:B1000000")).runs == ((1, 3), (5, 5))
        assert (await viewer.filled(path, None, "A2:B4")).runs == ((2, 4),)
        assert (await viewer.filled(path, None, "C1:Z9")).runs == ()

    async def test_a_text_is_found_whatever_its_case_and_further_on(self, viewer: WorkbookViewer, make: Make) -> None:
        path = make({"Sales": ROWS})
        assert (await viewer.find(path, None, "LYON")).refs == ("A2", "A4")
        first = await viewer.find(path, None, "lyon", limit=1)
        assert first.refs == ("A2",)
        assert first.next_row is not None
        assert (await viewer.find(path, None, "lyon", from_row=first.next_row)).refs[-1:] == ("A4",)

    async def test_a_range_is_added_up(self, viewer: WorkbookViewer, make: Make) -> None:
        path = make({"Sales": ROWS})
        found = await viewer.summary(path, None, "A:B")
        assert (found.filled, found.numbers, found.sum, found.mean, found.min, found.max) == (9, 3, 6, 2, 1, 3)
        assert (await viewer.summary(path, None, "A1:A5")).sum is None

    async def test_a_view_is_sorted_with_empty_cells_last(self, viewer: WorkbookViewer, make: Make) -> None:
        path = make({"Sales": ROWS})
        assert (await viewer.order(path, None, first_row=2, sort=2)).runs == ((3, 3), (5, 5), (2, 2), (4, 4))
        falling = await viewer.order(path, None, first_row=2, sort=2, descending=True)
        assert falling.runs == ((2, 2), (5, 5), (3, 4))

    async def test_a_view_keeps_the_rows_that_pass_its_tests(self, viewer: WorkbookViewer, make: Make) -> None:
        path = make({"Sales": ROWS})
        assert (await viewer.order(path, None, first_row=2, tests=(ColumnTest(column=1, contains="ly"),))).runs == (
            (2, 2), (4, 4),
        )  # fmt: skip
        empty = (ColumnTest(column=2, values=("", "1")),)
        assert (await viewer.order(path, None, first_row=2, tests=empty)).runs == ((3, 4),)

    async def test_a_picture_that_is_not_there_is_not_found(self, viewer: WorkbookViewer, make: Make) -> None:
        with pytest.raises(NotFound):
            await viewer.image(make({"Sales": ROWS}), "image1.png")

    async def test_a_sheet_that_is_not_there_is_named(self, viewer: WorkbookViewer, make: Make) -> None:
        with pytest.raises(InvalidInput) as caught:
            await viewer.layout(make({"Sales": ROWS}), "Costs")
        assert caught.value.detail == "sheet_missing"
