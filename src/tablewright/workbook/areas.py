"""Cells and areas of a sheet in A1 style. Rows and columns count from 1."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal

MOST_ROWS = 1_048_576
MOST_COLUMNS = 16_384
Axis = Literal["row", "column"]
"""What is inserted or deleted: rows, or columns."""

_CELL = r"\$?[A-Za-z]{1,3}\$?[0-9]{1,7}"
_AREA = re.compile(
    rf"(?:(?P<sheet>'(?:[^']|'')+'|[^'!]+)!)?"
    rf"(?:(?P<cells>{_CELL}(?::{_CELL})?)|(?P<columns>\$?[A-Za-z]{{1,3}}:\$?[A-Za-z]{{1,3}})"
    rf"|(?P<rows>\$?[0-9]+:\$?[0-9]+))"
)
_CORNER = re.compile(r"([A-Z]+)([0-9]+)")


@dataclass(frozen=True, slots=True, order=True)
class Area:
    """A rectangle of cells, both corners included.

    Whole columns and whole rows extend to the limits of the sheet (`MOST_ROWS`, `MOST_COLUMNS`).
    """

    first_row: int
    first_column: int
    last_row: int
    last_column: int

    @property
    def text(self) -> str:
        """The area in A1 style without `$`."""
        if self.first_row == 1 and self.last_row == MOST_ROWS:
            return f"{letters(self.first_column)}:{letters(self.last_column)}"
        if self.first_column == 1 and self.last_column == MOST_COLUMNS:
            return f"{self.first_row}:{self.last_row}"
        first = cell_name(self.first_row, self.first_column)
        return first if self.one_cell else f"{first}:{cell_name(self.last_row, self.last_column)}"

    @property
    def fixed(self) -> str:
        """The area in A1 style with `$` before every row and column."""
        return re.sub(r"([A-Z]+|[0-9]+)", r"$\1", self.text)

    @property
    def one_cell(self) -> bool:
        return self.first_row == self.last_row and self.first_column == self.last_column

    @property
    def height(self) -> int:
        return self.last_row - self.first_row + 1

    @property
    def width(self) -> int:
        return self.last_column - self.first_column + 1

    def holds(self, row: int, column: int) -> bool:
        """Whether the cell lies within this area."""
        return self.first_row <= row <= self.last_row and self.first_column <= column <= self.last_column

    def meets(self, other: Area) -> bool:
        """Whether the two areas have a cell in common."""
        return (
            self.first_row <= other.last_row
            and other.first_row <= self.last_row
            and self.first_column <= other.last_column
            and other.first_column <= self.last_column
        )

    def within(self, other: Area) -> bool:
        """Whether every cell of this area lies in `other`."""
        return other.holds(self.first_row, self.first_column) and other.holds(self.last_row, self.last_column)

    def joined(self, other: Area) -> Area:
        """The smallest area that contains both."""
        return Area(
            min(self.first_row, other.first_row), min(self.first_column, other.first_column),
            max(self.last_row, other.last_row), max(self.last_column, other.last_column),
        )  # fmt: skip

    def cut(self, other: Area) -> Area | None:
        """The intersection of the two areas, or None when they do not meet."""
        if not self.meets(other):
            return None
        return Area(
            max(self.first_row, other.first_row), max(self.first_column, other.first_column),
            min(self.last_row, other.last_row), min(self.last_column, other.last_column),
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaShift:
    """Rows or columns inserted (`count` > 0) before `at`, or deleted (`count` < 0) from `at` on, on one sheet."""

    sheet: str
    axis: Axis
    at: int
    count: int

    @property
    def most(self) -> int:
        return MOST_ROWS if self.axis == "row" else MOST_COLUMNS

    def place(self, index: int) -> int | None:
        """The position of row (column) `index` after the shift; None when it is deleted or pushed off the sheet."""
        if index < self.at:
            return index
        if index < self.at - self.count:
            return None
        moved = index + self.count
        return moved if moved <= self.most else None

    def span(self, first: int, last: int) -> tuple[int, int] | None:
        """The span of rows (columns) `first` to `last` after the shift; None when nothing of it is left."""
        if self.count > 0:
            return self._widened(first, last)
        end = self.at - self.count - 1
        if first >= self.at and last <= end and last != self.most:
            return None
        new_first = first + self.count if first > end else min(first, self.at)
        if last == self.most:
            return (new_first, last)
        new_last = last + self.count if last > end else min(last, self.at - 1)
        return (new_first, new_last) if new_last >= new_first else None

    def _widened(self, first: int, last: int) -> tuple[int, int] | None:
        if first == 1 and last == self.most:
            return (first, last)
        new_first = first + self.count if first >= self.at else first
        new_last = min(last + self.count, self.most) if last >= self.at else last
        return (new_first, new_last) if new_first <= self.most else None

    def area(self, area: Area) -> Area | None:
        """An area of this sheet after the shift; None when nothing of it is left."""
        if self.axis == "row":
            rows = self.span(area.first_row, area.last_row)
            return rows and Area(rows[0], area.first_column, rows[1], area.last_column)
        columns = self.span(area.first_column, area.last_column)
        return columns and Area(area.first_row, columns[0], area.last_row, columns[1])


@cache
def letters(column: int) -> str:
    """Return the letters of a column, for example `AB` for 28."""
    found = ""
    while column:
        column, rest = divmod(column - 1, 26)
        found = chr(65 + rest) + found
    return found


@cache
def column_number(name: str) -> int:
    """Return the number of the column with these letters, in either case."""
    number = 0
    for letter in name.upper():
        number = number * 26 + ord(letter) - 64
    return number


def cell_name(row: int, column: int) -> str:
    """Return a cell's name in A1 style."""
    return f"{letters(column)}{row}"


def cell_place(name: str) -> tuple[int, int]:
    """Return the row and the column of a cell's name. Errors: `ValueError`."""
    match = _CORNER.fullmatch(name.replace("$", "").upper())
    if match is None:
        raise ValueError(name)
    return int(match[2]), column_number(match[1])


def parse_area(text: str) -> tuple[str | None, Area]:
    """Parse a range such as `B2:D10`, `B:B`, `3:5`, `C7` or `'My sheet'!A1`.

    Returns the sheet's name, or None when the range names none, and the area. Errors: `ValueError`.
    """
    match = _AREA.fullmatch(text.strip())
    if match is None:
        raise ValueError(text)
    sheet = match["sheet"]
    if sheet and sheet.startswith("'"):
        sheet = sheet[1:-1].replace("''", "'")
    return sheet, _ordered(_corners(match))


def areas_of(text: str) -> list[Area]:
    """Parse a list of areas separated by blanks, the form of `sqref` attributes. Errors: `ValueError`."""
    return [parse_area(part)[1] for part in text.split()]


def runs_of(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Return the runs of consecutive rows or columns as (first, last), both included; `numbers` must ascend."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def _corners(match: re.Match[str]) -> tuple[int, int, int, int]:
    if match["rows"]:
        first, last = (int(part) for part in match["rows"].replace("$", "").split(":"))
        return (first, 1, last, MOST_COLUMNS)
    if match["columns"]:
        left, right = (column_number(part) for part in match["columns"].replace("$", "").split(":"))
        return (1, left, MOST_ROWS, right)
    first_name, _, last_name = match["cells"].partition(":")
    return (*cell_place(first_name), *cell_place(last_name or first_name))


def _ordered(corners: tuple[int, int, int, int]) -> Area:
    top, left, bottom, right = corners
    area = Area(min(top, bottom), min(left, right), max(top, bottom), max(left, right))
    if area.first_row < 1 or area.first_column < 1 or area.last_row > MOST_ROWS or area.last_column > MOST_COLUMNS:
        raise ValueError("beyond the sheet's end")
    return area
