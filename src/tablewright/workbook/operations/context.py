"""The context of an operation: the open book, the sheet and the table it refers to, and the common refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from tablewright.domain.notice import Notice
from tablewright.domain.operations.base import Operation
from tablewright.domain.table import Table
from tablewright.errors import InvalidInput
from tablewright.workbook.areas import MOST_COLUMNS, MOST_ROWS, Area, cell_name, parse_area
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.names import names_of
from tablewright.workbook.package.regions import find_regions, read_region
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.table_view import TableView, unknown_column
from tablewright.workbook.package.tables import tables_of

MOST_CELLS = 2_000_000
"""The maximum number of cells that one operation writes individually."""


@dataclass(slots=True)
class OperationContext:
    """One operation being applied to an open book; collects its result and its notes."""

    book: Book
    result: Table | None = None
    notes: list[Notice] = field(default_factory=list)

    def sheet(self, operation: Operation) -> WorkbookSheet:
        """Return the sheet that an operation refers to."""
        return self.book.sheet(operation.sheet)

    def note(self, code: str, **params: str | float | None) -> None:
        """Add a note to the outcome of the step."""
        self.notes.append(Notice(code=code, params=params))

    def touch(self, sheet: str, area: Area) -> None:
        """Record that the format or the position of an area changed."""
        self.book.shared.journal.touch(sheet, area)

    def area(self, operation: Operation, text: str, field_name: str = "range") -> tuple[WorkbookSheet, Area]:
        """Parse a range of the operation and return it with its sheet, its own if it names one.

        Errors: `InvalidInput`.
        """
        try:
            sheet_name, area = parse_area(text)
        except ValueError:
            named = self._named(text)
            if named is None:
                raise InvalidInput("range_unreadable", field=field_name, range=text) from None
            return named
        return (self.book.sheet(sheet_name) if sheet_name else self.sheet(operation)), area

    def table(self, sheet: WorkbookSheet, wanted: Iterable[str] = (), within: Area | None = None) -> TableView:
        """Return the table of a sheet that has all the wanted columns; of several, the largest.

        Errors: `InvalidInput` when there is none; it suggests the nearest column name.
        """
        names = list(wanted)
        if within is not None:
            return self._table_within(sheet, within)
        regions = [region for region in find_regions(self.book, sheet) if region.data or region.header]
        views = [TableView(sheet, region) for region in regions if region.area.height > 1 or region.area.width > 1]
        views.sort(key=lambda view: (view.region.header is None, -view.region.area.height * view.region.area.width))
        if not views:
            raise InvalidInput("no_table", sheet=sheet.name)
        for view in views:
            if all(view.find(name, by_letter=False) is not None for name in names):
                return view
        fitting = next((view for view in views if all(view.find(name) is not None for name in names)), None)
        if fitting is None:
            missing = next(name for name in names if views[0].find(name) is None)
            raise unknown_column(missing, sheet.name, [header for view in views for header in view.headers])
        return fitting

    def refuse_filled(self, sheet: WorkbookSheet, area: Area, allowed: Area | None = None) -> None:
        """Refuse to overwrite non-empty cells, except those in `allowed`. Errors: `InvalidInput`."""
        for row, cells in sheet.scan(area):
            for column, cell in cells.items():
                if not cell.empty and not (allowed and allowed.holds(row, column)):
                    raise InvalidInput("cell_not_empty", sheet=sheet.name, cell=cell_name(row, column))

    def bounded(self, sheet: WorkbookSheet, area: Area) -> Area:
        """Limit whole rows and columns to the used area.

        Errors: `InvalidInput` when the result is too large to be written cell by cell.
        """
        whole = area.height >= MOST_ROWS or area.width >= MOST_COLUMNS
        used = (sheet.used() if whole else None) or Area(1, 1, 1, 1)
        if area.height >= MOST_ROWS:
            area = Area(area.first_row, area.first_column, max(used.last_row, 1), area.last_column)
        if area.width >= MOST_COLUMNS:
            area = Area(area.first_row, area.first_column, area.last_row, max(used.last_column, 1))
        if area.height * area.width > MOST_CELLS:
            raise InvalidInput("range_too_large", range=area.text, most=MOST_CELLS)
        return area

    def _table_within(self, sheet: WorkbookSheet, within: Area) -> TableView:
        for region in find_regions(self.book, sheet):
            if within in {region.area, region.body}:
                return TableView(sheet, region)
        return TableView(sheet, read_region(sheet, self.bounded(sheet, within)))

    def _named(self, text: str) -> tuple[WorkbookSheet, Area] | None:
        """Return the sheet and the area that a defined name or a table's name refers to, or None."""
        wanted = text.strip().casefold()
        for tab in self.book.worksheets():
            sheet = self.book.sheet(tab.name)
            for table in tables_of(self.book, sheet):
                if table.name.casefold() == wanted:
                    return sheet, table.area
        for name, meaning in names_of(self.book):
            if name.casefold() == wanted:
                try:
                    home, area = parse_area(meaning)
                except ValueError:
                    return None
                return self.book.sheet(home), area
        return None


Handler = Callable[[OperationContext, Any], None]
"""A function that applies one kind of operation."""
