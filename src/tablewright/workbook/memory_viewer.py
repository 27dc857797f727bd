"""A fake viewer for tests of the layers above: of the fake editor's workbooks, which have values and nothing else."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tablewright.domain.sheet_names import sheet_named
from tablewright.domain.table import Cell
from tablewright.errors import FileUnreadable, InvalidInput, NotFound
from tablewright.workbook.areas import Area, cell_name, cell_place, parse_area, runs_of
from tablewright.workbook.views import (
    MOST_WINDOW_CELLS,
    CellLook,
    ColumnTest,
    FilledRows,
    Found,
    RowOrder,
    SheetLayout,
    SheetTab,
    SheetWindow,
    Summary,
    WindowRow,
)

_Places = dict[tuple[int, int], Cell]


class MemoryViewer:
    """`WorkbookViewer` over JSON files of cells."""

    async def sheets(self, path: Path, *, name: str | None = None) -> tuple[SheetTab, ...]:
        return tuple(SheetTab(name=title, state="visible", kind="worksheet") for title in _book(path, name))

    async def layout(self, path: Path, sheet: str | None, *, name: str | None = None) -> SheetLayout:
        title, cells = _sheet(path, sheet, name)
        rows, columns = _ends(cells)
        return SheetLayout(
            sheet=title, rows=rows, columns=columns, row_px=20.0, column_px=64.0, looks={0: CellLook()}
        )  # fmt: skip

    async def window(
        self, path: Path, sheet: str | None, wanted: str, *, rows: Sequence[int] = (), name: str | None = None
    ) -> SheetWindow:
        title, cells = _sheet(path, sheet, name)
        area = _area(wanted)
        if (len(rows) or area.height) * area.width > MOST_WINDOW_CELLS:
            raise InvalidInput("window_too_large", field="range", limit=MOST_WINDOW_CELLS)
        shown: list[WindowRow] = []
        for row in rows or range(area.first_row, area.last_row + 1):
            found = [
                (column, cells[row, column], 0, None)
                for column in range(area.first_column, area.last_column + 1)
                if (row, column) in cells
            ]
            shown += [WindowRow(row=row, cells=tuple(found))] if found else []
        return SheetWindow(sheet=title, range=area.text, rows=tuple(shown), looks={0: CellLook()} if shown else {})

    async def find(
        self, path: Path, sheet: str | None, text: str, *, from_row: int = 1, limit: int = 100, name: str | None = None
    ) -> Found:
        _, cells = _sheet(path, sheet, name)
        found = [
            place for place in sorted(cells) if place[0] >= from_row and text.casefold() in str(cells[place]).casefold()
        ]
        return Found(
            refs=tuple(cell_name(*place) for place in found[:limit]),
            next_row=found[limit][0] if len(found) > limit else None,
        )

    async def filled(self, path: Path, sheet: str | None, wanted: str, *, name: str | None = None) -> FilledRows:
        _, cells = _sheet(path, sheet, name)
        area = _area(wanted)
        return FilledRows(runs=tuple(runs_of(sorted({place[0] for place in cells if area.holds(*place)}))))

    async def summary(self, path: Path, sheet: str | None, wanted: str, *, name: str | None = None) -> Summary:
        _, cells = _sheet(path, sheet, name)
        area = _area(wanted)
        values = [value for place, value in cells.items() if area.holds(*place)]
        numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
        if not numbers:
            return Summary(filled=len(values), numbers=0)
        total = float(sum(numbers))
        return Summary(
            filled=len(values), numbers=len(numbers), sum=total, mean=total / len(numbers), min=min(numbers),
            max=max(numbers),
        )  # fmt: skip

    async def order(
        self,
        path: Path,
        sheet: str | None,
        *,
        first_row: int,
        sort: int | None = None,
        descending: bool = False,
        tests: Sequence[ColumnTest] = (),
        name: str | None = None,
    ) -> RowOrder:
        _, cells = _sheet(path, sheet, name)
        rows = [
            row
            for row in range(first_row, _ends(cells)[0] + 1)
            if all(_passes(cells.get((row, test.column)), test) for test in tests)
        ]
        if sort is not None:
            filled = [row for row in rows if (row, sort) in cells]
            empty = [row for row in rows if (row, sort) not in cells]
            filled.sort(key=lambda row: _rank(cells[row, sort]), reverse=descending)
            rows = filled + empty
        return RowOrder(runs=tuple(runs_of(rows)))

    async def image(self, path: Path, image: str, *, name: str | None = None) -> bytes:
        raise NotFound(kind="image", id=image)


def _book(path: Path, name: str | None) -> dict[str, dict[str, Cell]]:
    try:
        book: dict[str, dict[str, Cell]] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FileUnreadable("file_damaged", name=name or path.name) from error
    return book


def _sheet(path: Path, sheet: str | None, name: str | None) -> tuple[str, _Places]:
    book = _book(path, name)
    found = next(iter(book), None) if sheet is None else sheet_named(sheet, book)
    if found is None:
        raise InvalidInput("sheet_missing", field="sheet", id=sheet or "", known=", ".join(book))
    return found, {cell_place(ref): value for ref, value in book[found].items()}


def _ends(cells: _Places) -> tuple[int, int]:
    return max((row for row, _ in cells), default=1), max((column for _, column in cells), default=1)


def _area(wanted: str) -> Area:
    try:
        return parse_area(wanted)[1]
    except ValueError:
        raise InvalidInput("range_unreadable", field="range", range=wanted) from None


def _passes(value: Cell, test: ColumnTest) -> bool:
    text = "" if value is None else str(value)
    return (test.values is None or text in test.values) and (test.contains or "").casefold() in text.casefold()


def _rank(value: Cell) -> tuple[int, float, str]:
    if isinstance(value, bool):
        return 2, float(value), ""
    return (0, float(value), "") if isinstance(value, int | float) else (1, 0.0, str(value).casefold())
