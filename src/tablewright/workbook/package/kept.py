"""The book that was last looked into: windows of a large sheet follow each other, and opening it takes seconds."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from tablewright.workbook.areas import MOST_COLUMNS, Area, areas_of
from tablewright.workbook.package.book import Book
from tablewright.workbook.package.looks import Looks, looks_of
from tablewright.workbook.package.recalculation import refresh
from tablewright.workbook.package.rule_looks import SheetRules, sheet_rules
from tablewright.workbook.package.sheet import WorkbookSheet
from tablewright.workbook.package.text_book import readable
from tablewright.workbook.package.xml import child

_LONGEST_TEXT = 32_767
_ROWS_SAMPLED = 2_000


@dataclass(frozen=True, slots=True)
class Kept:
    """An open book whose formulas are computed, for reading only, with what was found out about its sheets."""

    book: Book
    looks: Looks
    _used: dict[str, Area] = field(default_factory=dict[str, Area])
    _rules: dict[str, SheetRules] = field(default_factory=dict[str, SheetRules])

    def rules(self, sheet: WorkbookSheet) -> SheetRules:
        """Return the conditional formats of a sheet."""
        if sheet.name not in self._rules:
            self._rules[sheet.name] = sheet_rules(sheet, self.looks, self.used(sheet))
        return self._rules[sheet.name]

    def used(self, sheet: WorkbookSheet) -> Area:
        """Return the area from the first cell to the last used row and column; of many rows, some are looked at."""
        if sheet.name not in self._used:
            self._used[sheet.name] = _used(sheet)
        return self._used[sheet.name]


def _used(sheet: WorkbookSheet) -> Area:
    numbers = sheet.rows.numbers
    ends = [sheet.rows.ends(number) for number in numbers[:: max(len(numbers) // _ROWS_SAMPLED, 1)]]
    filled = (number for number in reversed(numbers) if sheet.rows.ends(number) is not None)
    declared = child(sheet.frame, "dimension")
    columns = [area.last_column for area in _areas(declared.get("ref", "") if declared is not None else "")]
    columns += [end[1] for end in ends if end is not None]
    return Area(1, 1, next(filled, 1), max(columns, default=1))


def _areas(text: str) -> list[Area]:
    try:
        return [area for area in areas_of(text) if area.last_column < MOST_COLUMNS]
    except ValueError:
        return []


def kept(path: Path, name: str) -> Kept:
    """Open a workbook for reading, or return it if it was the last one. Errors: `FileUnreadable`."""
    stamp = path.stat()
    return _opened(path.resolve(), name, stamp.st_size, stamp.st_mtime_ns, stamp.st_ino)


@lru_cache(maxsize=1)
def _opened(path: Path, name: str, *_stamp: int) -> Kept:
    with readable(path, name) as found:
        refresh(found.book)
        found.book.shared.strings.longest = _LONGEST_TEXT
        return Kept(found.book, looks_of(found.book))
