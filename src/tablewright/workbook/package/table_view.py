"""A table of a sheet, whose columns are found by what people call them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from rapidfuzz import fuzz, process

from tablewright.errors import InvalidInput
from tablewright.workbook.areas import Area, column_number, letters
from tablewright.workbook.package.regions import LONGEST_HEADER, SheetRegion
from tablewright.workbook.package.sheet import WorkbookSheet

_LETTERS = re.compile(r"[A-Za-z]{1,3}")
_NEAR = 60
"""The lowest likeness (0 to 100) at which an existing header is suggested for an unknown name."""


class TableView:
    """A table of a sheet, whose columns are found by header or by letters."""

    def __init__(self, sheet: WorkbookSheet, region: SheetRegion) -> None:
        self.sheet, self.region = sheet, region
        self._by_name: dict[str, int] = {}
        for column in region.columns:
            for name in _names_of(column.header):
                self._by_name.setdefault(name, column.index)

    @property
    def headers(self) -> list[str]:
        """The non-empty headers of the columns."""
        return [column.header for column in self.region.columns if column.header]

    def find(self, name: str, *, by_letter: bool = True) -> int | None:
        """Return the number of a column by its header, ignoring case and blanks, or by its letters; else None."""
        found = self._by_name.get(plain(name[:LONGEST_HEADER]))
        if found is None and by_letter and _LETTERS.fullmatch(name.strip()):
            column = column_number(name.strip())
            area = self.region.area
            found = column if area.first_column <= column <= area.last_column else None
        return found

    def column(self, name: str, field_name: str = "column") -> int:
        """Return the number of a column. Errors: `InvalidInput`, which suggests the nearest header."""
        found = self.find(name)
        if found is None:
            raise unknown_column(name, self.sheet.name, self.headers, field_name)
        return found

    def header(self, column: int) -> str:
        """Return a column's header, or its letters if it has none."""
        return next((entry.header for entry in self.region.columns if entry.index == column), "") or letters(column)

    @property
    def rows(self) -> tuple[int, int]:
        """The first and the last row of the data. Errors: `InvalidInput` when there is no data."""
        if self.region.data is None:
            raise InvalidInput("table_without_rows", sheet=self.sheet.name)
        return self.region.data

    @property
    def body(self) -> Area:
        """The data rows, across all columns."""
        first, last = self.rows
        return Area(first, self.region.area.first_column, last, self.region.area.last_column)

    def span(self, column: int, *, fixed: bool = True) -> str:
        """Return a column's data range as a formula on another sheet refers to it, without the sheet's name."""
        first, last = self.rows
        area = Area(first, column, last, column)
        return area.fixed if fixed else area.text


def plain(name: str) -> str:
    """Return a header normalized for comparison: case, blanks and character width are ignored."""
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def unknown_column(name: str, sheet: str, headers: list[str], field_name: str = "column") -> InvalidInput:
    """Return the error for an unknown column name, with the nearest existing one."""
    known = ", ".join(dict.fromkeys(headers))[:400]
    choices = {header: plain(header) for header in headers}
    for found in process.extract(plain(name), choices, scorer=fuzz.WRatio, limit=1, score_cutoff=_NEAR):
        return InvalidInput(
            "column_unknown_near", field=field_name, column=name, sheet=sheet, near=str(found[2]), known=known
        )
    return InvalidInput("column_unknown", field=field_name, column=name, sheet=sheet, known=known)


def _names_of(header: str) -> Iterable[str]:
    if header:
        yield plain(header)
        if " / " in header:
            yield plain(header.rpartition(" / ")[2])
