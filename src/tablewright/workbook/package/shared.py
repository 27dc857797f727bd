"""What the sheets of a workbook have in common."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.workbook.package.journal import Journal
from tablewright.workbook.package.strings import SharedStrings
from tablewright.workbook.package.styles import Styles
from tablewright.workbook.values import DAYS_TO_1904


@dataclass(slots=True, kw_only=True)
class Shared:
    """One per open book: every sheet reads its texts and formats here, and tells here what it changed.

    `workbook` is the file's name, for errors. `formulas_changed` once a formula came or went since the workbook was
    opened; `journal` is that of the step at work."""

    workbook: str
    strings: SharedStrings
    styles: Styles
    journal: Journal
    counts_from_1904: bool = False
    formulas_changed: bool = False

    def day(self, serial: float) -> float:
        """Return the number by which this workbook means a day, given as a serial number of the 1900 system."""
        return serial - DAYS_TO_1904 if self.counts_from_1904 else serial
