"""The cells of a sheet: the bytes between `<sheetData>` and `</sheetData>`.

A row is parsed only when one of its cells is needed; untouched rows keep their bytes. So the cost of editing a large
sheet depends on the size of the change, and unknown content is preserved.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise

from tablewright.workbook.areas import AreaShift, column_number, letters
from tablewright.workbook.package.raw_rows import RawCell, RawRow, cell_of, looked_at, taken_apart
from tablewright.workbook.package.row_bytes import RowBytes

_ROW = re.compile(rb"<row\b([^>]*?)(/?)>")
_NUMBER = re.compile(rb'\br="(\d+)"')
_ROW_NUMBER = re.compile(rb'(?<=<row r=")\d+(?=")')
_FILLED = re.compile(rb'<c r="([A-Z]+)\d+"[^>]*(?<!/)>')
_CELL_NAME = re.compile(rb'<c r="([A-Z]+)')
_SPANS = re.compile(rb'\s*\bspans="[^"]*"')
_ENDS = re.compile(rb"<c [^>]*(?:/>|>.*</c>)</row>\Z", re.DOTALL)
"""The last cell of a row that nothing but cells is in."""
_END = b"</row>"
_ROW_START = re.compile(rb'<row(?: r="(\d+)")?')
_CLOSES = ord(">")


class SheetRows:
    """The rows of a sheet by number. Rows that do not exist are empty.

    `uniform`: every cell is known to begin with `<c r="`. The constructor raises `ValueError` when row numbers do not
    ascend.
    """

    def __init__(self, data: bytes, start: int = 0, end: int | None = None, *, uniform: bool = False) -> None:
        self._numbers: list[int] = []
        self._raw = RowBytes(data)
        self._open: dict[int, RawRow] = {}
        self._index(data, start, len(data) if end is None else end, uniform=uniform)

    @property
    def numbers(self) -> list[int]:
        """The numbers of the existing rows, ascending."""
        return self._numbers

    def pieces(self) -> Iterator[bytes | memoryview]:
        """Yield the bytes of all rows in pieces."""
        self._close()
        return self._raw.pieces()

    def raw(self, number: int) -> bytes:
        """Return the bytes of one row, empty if it does not exist."""
        if (row := self._open.get(number)) is not None:
            return row.xml(number)
        at = self._at(number)
        return self._raw[at] if at is not None else b""

    def heads(self) -> Iterator[tuple[int, bytes]]:
        """Yield the number of each row and the start of its bytes, with its attributes."""
        for number, head in zip(self._numbers, self._raw.heads(), strict=True):
            yield number, self._open[number].xml(number) if number in self._open else head

    def row(self, number: int) -> RawRow:
        """Return a row for modification; it is created if it does not exist."""
        if number not in self._open:
            at = self._at(number)
            if at is None:
                at = bisect_left(self._numbers, number)
                self._numbers.insert(at, number)
                self._raw.insert(at, b"")
            self._open[number] = taken_apart(self._raw[at])
        return self._open[number]

    def peek(self, number: int) -> RawRow | None:
        """Return a row for reading only: changes to it are lost, unless it is already open for modification."""
        if (row := self._open.get(number)) is not None:
            return row
        at = self._at(number)
        return looked_at(self._raw[at]) if at is not None else None

    def ends(self, number: int) -> tuple[int, int] | None:
        """Return the first and last non-empty column of a row."""
        raw = self.raw(number)
        first = _FILLED.search(raw)
        if first is None:
            return None
        last = raw.rfind(b"</c>")
        end = _CELL_NAME.match(raw, raw.rfind(b"<c ", 0, last))
        return column_number(first[1].decode()), column_number((end or first)[1].decode())

    def between(self, first: int, last: int) -> Iterator[tuple[int, RawRow]]:
        """Yield the existing rows from `first` to `last`, for reading only."""
        at = bisect_left(self._numbers, first)
        while at < len(self._numbers) and self._numbers[at] <= last:
            number = self._numbers[at]
            yield number, self._open.get(number) or looked_at(self._raw[at])
            at += 1

    def columns_between(
        self, first: int, last: int, columns: Sequence[int]
    ) -> Iterator[tuple[int, dict[int, RawCell]]]:
        """Yield the cells of a few columns, row by row, without parsing whole rows."""
        patterns = [(column, _cell_pattern(column)) for column in columns]
        at = bisect_left(self._numbers, first)
        while at < len(self._numbers) and self._numbers[at] <= last:
            number = self._numbers[at]
            if (row := self._open.get(number)) is not None:
                yield number, {column: row.cells[column] for column in columns if column in row.cells}
            else:
                found = ((column, pattern.search(self._raw[at])) for column, pattern in patterns)
                yield number, {column: cell_of(match[1], match[2] or b"") for column, match in found if match}
            at += 1

    def extent(self, number: int) -> tuple[bytes, int, int] | None:
        """Return a row's attributes and the first and last column stored in it, empty cells included."""
        raw = self.raw(number)
        first = _CELL_NAME.search(raw)
        if first is None:
            return None
        last = _CELL_NAME.match(raw, raw.rfind(b"<c r="))
        end = last or first
        return raw[: first.start()], column_number(first[1].decode()), column_number(end[1].decode())

    def insert(self, number: int, column: int, cell: bytes) -> bool:
        """Put a new cell into a row without parsing it; return False, and do nothing, if the row has such a cell or
        must be parsed."""
        at = None if number in self._open else self._at(number)
        raw = b"" if at is None else self._raw[at]
        head, place = raw.find(b">"), len(raw) - len(_END)
        start = raw.rfind(b"<c r=", 0, place)
        if at is None or start < 0 or b"customFormat" in raw[:head] or not _ENDS.match(raw, start):
            return False
        if cell[: cell.index(b'"', len(b'<c r="')) + 1] in raw:
            return False
        while _column_at(raw, start) > column:
            place, start = start, raw.rfind(b"<c r=", 0, start)
        self._raw[at] = _SPANS.sub(b"", raw[:head]) + raw[head:place] + cell + raw[place:]
        return True

    def styles(self, column: int, first: int, last: int) -> Iterator[tuple[int, int | None]]:
        """Yield the styles of a column's cells in the existing rows, None where a row has no such cell."""
        pattern = _style_pattern(column)
        at = bisect_left(self._numbers, first)
        while at < len(self._numbers) and self._numbers[at] <= last:
            number = self._numbers[at]
            if (row := self._open.get(number)) is not None:
                yield number, row.cells[column].style if column in row.cells else None
            else:
                match = pattern.search(self._raw[at])
                yield number, int(match[1] or b"0") if match else None
            at += 1

    def replace(self, number: int, raw: bytes) -> None:
        """Replace a row's bytes; empty bytes remove the row."""
        self._open.pop(number, None)
        at = self._at(number)
        if at is None:
            at = bisect_left(self._numbers, number)
            self._numbers.insert(at, number)
            self._raw.insert(at, raw)
        elif raw:
            self._raw[at] = raw
        else:
            del self._numbers[at], self._raw[at]

    def rewrite(self, mark: bytes, change: Callable[[bytes], bytes]) -> bool:
        """Change the bytes of the rows that contain `mark`; return True if any became different."""
        self._close()
        changed = False
        for at, raw in enumerate(self._raw):
            if mark in raw and (new := change(raw)) != raw:
                self._raw[at] = new
                changed = True
        return changed

    def shift(self, shift: AreaShift) -> None:
        """Move rows or cells; formulas are not adjusted here."""
        if shift.axis == "row":
            self._shift_rows(shift)
        else:
            self._shift_columns(shift)

    def _shift_rows(self, shift: AreaShift) -> None:
        self._close()
        numbers: list[int] = []
        raws = self._raw.empty()
        for at, number in enumerate(self._numbers):
            to = shift.place(number)
            if to is None:
                continue
            numbers.append(to)
            if to == number:
                raws.take(self._raw, at)
            else:
                raws.append(renumber(self._raw[at], to))
        self._numbers, self._raw = numbers, raws

    def _shift_columns(self, shift: AreaShift) -> None:
        self._close()
        names: dict[bytes, bytes | None] = {}
        for at, (number, raw) in enumerate(zip(self._numbers, self._raw, strict=True)):
            if (renamed := _renamed(raw, number, shift, names)) is not None:
                self._raw[at] = renamed
                continue
            row = taken_apart(raw)
            placed = ((shift.place(column), cell) for column, cell in row.cells.items())
            row.cells = {column: cell for column, cell in placed if column is not None}
            self._raw[at] = row.xml(number)

    def _close(self) -> None:
        """Serialize every open row."""
        for number, row in self._open.items():
            at = self._at(number)
            assert at is not None
            self._raw[at] = row.xml(number)
        self._open.clear()

    def _at(self, number: int) -> int | None:
        at = bisect_left(self._numbers, number)
        return at if at < len(self._numbers) and self._numbers[at] == number else None

    def _index(self, data: bytes, start: int, end: int, *, uniform: bool) -> None:
        regular = uniform or data.count(b"<c", start, end) == data.count(b'<c r="', start, end)
        if regular and self._index_regular(data, start, end):
            return
        regular = regular or (
            data.find(b"<c>", start, end) < 0 and data.count(b"<c ", start, end) == data.count(b'<c r="', start, end)
        )
        self._raw = RowBytes(data)
        self._numbers = []
        last, at = 0, start
        while (match := _ROW.search(data, at, end)) is not None:
            found = _NUMBER.search(match[1])
            number = int(found[1]) if found else last + 1
            at = match.end() if match[2] else _row_end(data, match.end(), end)
            if not regular or not found or not data.startswith(b'<row r="', match.start()):
                self._raw.append(taken_apart(data[match.start() : at]).xml(number))
            else:
                self._raw.add(match.start(), at)
            if number <= last:
                raise ValueError(number)
            self._numbers.append(number)
            last = number

    def _index_regular(self, data: bytes, start: int, end: int) -> bool:
        """Index rows that follow each other without anything between them; return False if they do not."""
        found = [(match.start(), match[1]) for match in _ROW_START.finditer(data, start, end)]
        if not found:
            return data.find(b"<row", start, end) < 0
        numbers = [int(number or 0) for _, number in found]
        starts = [place for place, _ in found] + [end]
        if data[start : starts[0]].strip() or any(data[place - 1] != _CLOSES for place in starts[1:]):
            return False
        if numbers[0] < 1 or any(number <= before for before, number in pairwise(numbers)):
            return False  # the other way says which
        self._numbers = numbers
        self._raw.extend(starts)
        return True


@cache
def _cell_pattern(column: int) -> re.Pattern[bytes]:
    name = letters(column).encode()
    return re.compile(rb'<c r="' + name + rb'\d+"([^>]*?)(?:/>|>(.*?)</c>)', re.DOTALL)


@cache
def _style_pattern(column: int) -> re.Pattern[bytes]:
    return re.compile(rb'<c r="' + letters(column).encode() + rb'\d+"(?:[^>]*?\bs="(\d+)")?')


def _column_at(raw: bytes, start: int) -> int:
    """Return the column of the cell that starts at a place, 0 where there is none."""
    match = _CELL_NAME.match(raw, start) if start >= 0 else None
    return column_number(match[1].decode()) if match else 0


def _row_end(data: bytes, at: int, last: int) -> int:
    end = data.find(_END, at, last)
    return last if end < 0 else end + len(_END)


def renumber(raw: bytes, number: int) -> bytes:
    """Return a row's bytes with another row number, including in its cells' names."""
    head, *cells = raw.split(b'<c r="')
    match = _ROW_NUMBER.search(head)
    if match is None:
        return taken_apart(raw).xml(number)
    new, size = b"%d" % number, match.end() - match.start()
    pieces = [head[: match.start()] + new + head[match.end() :]]
    pieces += [cell[: (end := cell.index(b'"')) - size] + new + cell[end:] for cell in cells]
    return b'<c r="'.join(pieces)


def _renamed(raw: bytes, number: int, shift: AreaShift, names: dict[bytes, bytes | None]) -> bytes | None:
    """Return a row's bytes with its cells moved to other columns, or None if one of them is no more.

    `names` remembers the columns' new names from row to row.
    """
    head, *cells = raw.split(b'<c r="')
    size, pieces, moved = len(b"%d" % number), [head], False
    for cell in cells:
        end = cell.index(b'"') - size
        old = cell[:end]
        if old not in names:
            to = shift.place(column_number(old.decode()))
            names[old] = None if to is None else letters(to).encode()
        if (new := names[old]) is None:
            return None
        moved |= new != old
        pieces.append(new + cell[end:])
    if not moved:
        return raw
    pieces[0] = _SPANS.sub(b"", head)
    return b'<c r="'.join(pieces)
