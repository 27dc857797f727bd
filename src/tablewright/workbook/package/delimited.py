"""Text files of separated fields: decoded, cut into rows, their fields read as a sheet would hold them."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator
from datetime import date
from itertools import islice
from pathlib import Path

import charset_normalizer

from tablewright.errors import FileTooLarge, FileUnreadable
from tablewright.workbook.areas import MOST_COLUMNS, MOST_ROWS

DAY_FORMAT = "yyyy-mm-dd"
LONGEST_TEXT = 32_767
"""What a cell holds in Excel."""
_DELIMITERS = ",;\t|"
_SAMPLE = 64 * 1024
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d+)?(?:[eE][+-]?\d{1,3})?")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class DelimitedText:
    """A text file of separated fields.

    `lines` are its lines with their ends. Errors: `FileUnreadable` if its encoding is not known; `FileTooLarge` while
    reading rows that no sheet can hold.
    """

    def __init__(self, path: Path, name: str) -> None:
        text = _decoded(path.read_bytes(), name)
        sample = text[:_SAMPLE]
        self._name = name
        self._delimiter = max(_DELIMITERS, key=lambda sign: _evenness(sample, sign))
        self._lines = text.splitlines(keepends=True)
        self._first_line: list[int] = []

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the number of each row, from 1, and its fields. The rows so yielded can be read again by `fields`."""
        self._first_line = [0]
        reader = csv.reader(self._lines, delimiter=self._delimiter)
        for row, fields in enumerate(reader, 1):
            if row > MOST_ROWS or len(fields) > MOST_COLUMNS:
                raise FileTooLarge("sheet_too_long", name=self._name)
            self._first_line.append(reader.line_num)
            yield row, fields

    def first_rows(self, count: int) -> Iterator[list[str]]:
        """Yield the fields of the first rows."""
        return islice(csv.reader(self._lines, delimiter=self._delimiter), count)

    def fields(self, row: int) -> list[str]:
        """Return the fields of a row again."""
        lines = self._lines[self._first_line[row - 1] : self._first_line[row]]
        return next(csv.reader(lines, delimiter=self._delimiter))


def typed(text: str) -> str | float | date:
    """Return a field as a number or a day if it is spelled as one, else as text."""
    if _NUMBER.fullmatch(text) and math.isfinite(number := float(text)):
        return number
    if _DAY.fullmatch(text):
        try:
            return date.fromisoformat(text)
        except ValueError:
            return text
    return text[:LONGEST_TEXT]


def _decoded(data: bytes, name: str) -> str:
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    best = charset_normalizer.from_bytes(data[: 1024**2]).best()
    if best is None:
        raise FileUnreadable("file_not_as_named", name=name)
    return data.decode(best.encoding, "replace")


def _evenness(sample: str, delimiter: str) -> tuple[float, int]:
    """Return the share of lines with the most common count of a delimiter, and that count."""
    counts = [line.count(delimiter) for line in sample.splitlines() if line.strip()][:100]
    usual = max(set(counts), key=counts.count) if counts else 0
    return (counts.count(usual) / len(counts) if usual else 0.0, usual)
