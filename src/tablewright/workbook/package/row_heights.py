"""How high rows are whose height the file leaves to whoever shows it: as their letters and wrapped texts need."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable

from tablewright.workbook.package.kept import Kept
from tablewright.workbook.package.sheet import WorkbookSheet

MOST_PX = 2_000.0
_LINE_PX = 1.75
"""The height of a line per point of its letters, as spreadsheet programs fit rows."""
_LETTER_PX = 7 / 11
"""The width of a letter per point; letters of East Asian scripts take two of it."""
_MARGINS_PX = 9.0
_MOST_FITTED = 5_000
"""Rows below this one keep the usual height unless they have their own."""
_MOST_MEASURED = 6_000
"""The wrapped texts of a sheet that are measured, from the top: more would keep a person waiting."""
_MOST_WRAPPED_PX = 546.0
"""Spreadsheet programs make no row higher by themselves."""
_LONGEST = 4_000
"""More letters than this fill a row of the greatest height."""
_STYLE = re.compile(rb'\bs="(\d+)"')
_WORD = re.compile(r"[!-\u2e7f]+|[^\x00-\u2e7f]|\s")
_TEXTS = frozenset({b"s", b"str", b"inlineStr"})


class RowHeights:
    """Estimates the heights of rows of a sheet, asked for from its top down. `width_px` gives the width of a column, 0
    for a hidden one."""

    def __init__(self, found: Kept, sheet: WorkbookSheet, row_px: float, width_px: Callable[[int], float]) -> None:
        styles = found.looks.styles
        self._sheet, self._width_px = sheet, width_px
        self._sizes = {style: size for style, text in styles.font_sizes() if (size := _size(text)) is not None}
        self._usual = max(row_px, self._line(0)) if 0 in self._sizes else row_px
        lines = ((style, min(float(self._line(style)), MOST_PX)) for style in self._sizes)
        self._tall = {b"%d" % style: line for style, line in lines if line > self._usual}
        self._wrapping = frozenset(styles.wrapping())
        self._marks = frozenset(b"%d" % style for style in self._wrapping)
        merges = sheet.merges() if self._wrapping else []
        self._left = _MOST_MEASURED
        self._merged = {(area.first_row, area.first_column) for area in merges}

    def fitted(self, number: int) -> float | None:
        """Return the height that the cells of a row need, where that is more than the usual one."""
        if number > _MOST_FITTED or not (self._tall or self._wrapping):
            return None
        used = frozenset(_STYLE.findall(self._sheet.rows.raw(number)))
        height = max((self._tall[style] for style in used if style in self._tall), default=self._usual)
        if self._left > 0 and not self._marks.isdisjoint(used):
            height = max(height, self._wrapped(number))
        return height if height > self._usual else None

    def _wrapped(self, number: int) -> float:
        """Return the height of the highest wrapped text of a row. Merged areas make no row higher."""
        row = self._sheet.rows.peek(number)
        heights = [self._usual]
        for column, raw in row.cells.items() if row is not None else ():
            if raw.style not in self._wrapping or raw.type not in _TEXTS or (number, column) in self._merged:
                continue
            text = self._sheet.data_of(raw, number, column).value
            room = self._width_px(column) - _MARGINS_PX
            if isinstance(text, str) and room > 0:
                lines = lines_of(text, room / (_LETTER_PX * self._sizes.get(raw.style, 11.0)))
                line, self._left = self._line(raw.style), self._left - 1
                heights.append(max(self._usual, line) + (lines - 1) * line)
        return min(max(heights), _MOST_WRAPPED_PX)

    def _line(self, style: int) -> int:
        return round(_LINE_PX * self._sizes.get(style, 11.0))


def lines_of(text: str, room: float) -> int:
    """Return how many lines a text takes that is wrapped between words, `room` letters of the usual width in a line."""
    return sum(_wrapped_lines(line, max(room, 2.0)) for line in text[:_LONGEST].rstrip("\n").split("\n"))


def _wrapped_lines(line: str, room: float) -> int:
    if line.isascii() and len(line) <= room:
        return 1
    lines, used = 1, 0.0
    for word, width in _words(line):
        if used and used + width > room and not word.isspace():
            lines, used = lines + 1, 0.0
        used += width
        if used > room and not word.isspace():  # longer than a line: broken anywhere
            more = math.ceil(used / room) - 1
            lines, used = lines + more, used - more * room
    return lines


def _words(line: str) -> Iterable[tuple[str, int]]:
    return ((word, len(word) if word < "\u2e80" else 2) for word in _WORD.findall(line))


def _size(text: str) -> float | None:
    try:
        found = float(text) if text else None
    except ValueError:
        return None
    return found if found is not None and 0 <= found < 10_000 else None
