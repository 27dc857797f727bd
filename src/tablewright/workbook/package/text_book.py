"""A text file as a workbook to look into: its rows become cells when they are looked at, and nothing is converted."""

from __future__ import annotations

import tempfile
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import xlsxwriter

from tablewright.workbook.areas import Area, letters
from tablewright.workbook.package import cells
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.conversion import text_sheet_name
from tablewright.workbook.package.delimited import DAY_FORMAT, DelimitedText, typed
from tablewright.workbook.package.fitted_columns import fitted_columns
from tablewright.workbook.package.opener import Opened, kind_of, opened
from tablewright.workbook.package.raw_rows import RawCell, RawRow
from tablewright.workbook.package.rows import SheetRows
from tablewright.workbook.package.styles import FormatChange
from tablewright.workbook.views import Span

_DAY_ONE = date(1899, 12, 31)
_LEAP_DAY = 59
"""Excel counts a 29th of February 1900: days after it are one more."""


@contextmanager
def readable(path: Path, name: str) -> Iterator[Opened]:
    """Open a workbook for reading, as `opened` does; a text file is not converted for it, and loses nothing."""
    if kind_of(path, name) != "text":
        with opened(path, name) as found:
            yield found
        return
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder) / "empty.xlsx"
        with xlsxwriter.Workbook(str(empty)) as made:
            made.add_worksheet(text_sheet_name(name))
        book = Book(empty, name)
        day = book.shared.styles.changed_by(0, FormatChange(number_format=DAY_FORMAT))
        book.sheet().rows = TextRows(DelimitedText(path, name), day)
        yield Opened(book, ())


class TextRows(SheetRows):
    """The rows of a text file, for reading only. They are those of the sheet that the file would be converted to.

    `day_style` is the number of the style of days.
    """

    def __init__(self, text: DelimitedText, day_style: int) -> None:
        super().__init__(b"")
        self._text, self._day_style = text, day_style
        self._filled: dict[int, tuple[int, ...]] = {}
        known: dict[tuple[int, ...], tuple[int, ...]] = {}
        for row, fields in text.rows():
            filled = tuple([column for column, field in enumerate(fields, 1) if field])
            if filled:
                self._filled[row] = known.setdefault(filled, filled)
        self._numbers = list(self._filled)
        self._marks = {filled: _marks(filled) for filled in known}

    def column_spans(self) -> tuple[Span, ...]:
        """The columns, as wide as their first rows need."""
        return tuple(fitted_columns(self._text))

    def raw(self, number: int) -> bytes:
        """Return a row whose cells tell only that they are not empty."""
        filled = self._filled.get(number)
        return b"" if filled is None else b'<row r="%d">' % number + self._marks[filled]

    def heads(self) -> Iterator[tuple[int, bytes]]:
        return ((number, b'<row r="%d">' % number) for number in self._numbers)

    def peek(self, number: int) -> RawRow | None:
        filled = self._filled.get(number)
        if filled is None:
            return None
        fields = self._text.fields(number)
        return RawRow(cells={column: self._cell(fields[column - 1]) for column in filled})

    def ends(self, number: int) -> tuple[int, int] | None:
        filled = self._filled.get(number)
        return None if filled is None else (filled[0], filled[-1])

    def between(self, first: int, last: int) -> Iterator[tuple[int, RawRow]]:
        for number in range(first, min(last, self._numbers[-1] if self._numbers else 0) + 1):
            if (row := self.peek(number)) is not None:
                yield number, row

    def columns_between(
        self, first: int, last: int, columns: Sequence[int]
    ) -> Iterator[tuple[int, dict[int, RawCell]]]:
        for number, row in self.between(first, last):
            yield number, {column: row.cells[column] for column in columns if column in row.cells}

    def filled(self, area: Area) -> Iterator[int]:
        """Yield the rows in which `area` has a filled cell."""
        columns = range(area.first_column, area.last_column + 1)
        within = {filled: any(column in columns for column in filled) for filled in self._marks}
        numbers = self._numbers
        for number in numbers[bisect_left(numbers, area.first_row) : bisect_right(numbers, area.last_row)]:
            if within[self._filled[number]]:
                yield number

    def _cell(self, field: str) -> RawCell:
        cell, value = RawCell(0, b"", b"", b""), typed(field)
        if isinstance(value, date):
            cell.style = self._day_style
            cells.write(cell, _serial(value))
        elif isinstance(value, str):
            cells.write(cell, value, constant=True)
        else:
            cell.body = f"<v>{value:.16G}</v>".encode()
        return cell


def _marks(filled: tuple[int, ...]) -> bytes:
    return b"".join(b'<c r="%s1"><v/></c>' % letters(column).encode() for column in filled) + b"</row>"


def _serial(day: date) -> int:
    """Return the number that Excel counts a day by."""
    days = (day - _DAY_ONE).days
    return days + 1 if days > _LEAP_DAY else days
