"""State shared by the sheets of a workbook."""

from __future__ import annotations

from dataclasses import dataclass

from tablewright.workbook.package.journal import Journal
from tablewright.workbook.package.strings import SharedStrings
from tablewright.workbook.package.styles import Styles
from tablewright.workbook.values import DAYS_TO_1904


@dataclass(slots=True, kw_only=True)
class Shared:
    """The shared state of one open book: sheets read texts and formats from it and report changes to it.

    `workbook` is the file's name, for error messages. `formulas_changed` is set once a formula was added or removed
    since the workbook was opened; `journal` belongs to the current step.
    """

    workbook: str
    strings: SharedStrings
    styles: Styles
    journal: Journal
    counts_from_1904: bool = False
    formulas_changed: bool = False

    def day(self, serial: float) -> float:
        """Convert a serial number of the 1900 system to this workbook's date system."""
        return serial - DAYS_TO_1904 if self.counts_from_1904 else serial
