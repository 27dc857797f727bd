"""Tests that every `WorkbookEditor` must pass, and every `WorkbookViewer` (`ViewingConformance`).

They run on the fake, on the package editor, and on files that need its fallback. A test module derives from
`EditorConformance`, `MakingConformance` and `SheetNamesConformance` (and from `FormulaConformance` where formulas are
computed) and provides the fixtures `editor` and `make`; the latter writes a workbook from `{sheet: rows}` and returns
its path.
"""

from tablewright.workbook.conformance.editing import EditorConformance
from tablewright.workbook.conformance.formulas import FormulaConformance
from tablewright.workbook.conformance.making import MakingConformance
from tablewright.workbook.conformance.sheet_names import SheetNamesConformance
from tablewright.workbook.conformance.viewing import ViewingConformance

__all__ = [
    "EditorConformance",
    "FormulaConformance",
    "MakingConformance",
    "SheetNamesConformance",
    "ViewingConformance",
]
