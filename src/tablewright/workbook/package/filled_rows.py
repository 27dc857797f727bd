"""Which rows of a sheet have a filled cell in some columns, without parsing their cells."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from tablewright.workbook.areas import Area, column_number, letters
from tablewright.workbook.package.rows import SheetRows
from tablewright.workbook.package.text_book import TextRows

_FILLED = re.compile(rb'<c r="([A-Z]+)\d+"[^>]*(?<!/)>(?!</c>)')


def filled_rows(rows: SheetRows, area: Area) -> Iterator[int]:
    """Yield the numbers of the rows in which `area` has a cell with a content."""
    if isinstance(rows, TextRows):
        yield from rows.filled(area)
        return
    one = area.first_column if area.width == 1 else None
    pattern = _FILLED if one is None else re.compile(_FILLED.pattern.replace(b"[A-Z]+", letters(one).encode()))
    numbers = rows.numbers
    for number in numbers[bisect_left(numbers, area.first_row) : bisect_right(numbers, area.last_row)]:
        found = pattern.finditer(rows.raw(number))
        if one is not None:
            filled = next(found, None) is not None
        else:
            filled = any(area.first_column <= column_number(cell[1].decode()) <= area.last_column for cell in found)
        if filled:
            yield number
