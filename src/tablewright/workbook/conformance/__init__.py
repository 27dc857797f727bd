"""What every `WorkbookEditor` must do, as tests: run on the fake, on the package editor, and on files that need its fallback.

A test module derives from `EditorConformance` and `MakingConformance` (and `FormulaConformance` where formulas are computed) and gives the
fixtures `editor` and `make`, which writes a workbook from `{sheet: rows}` and returns its path.
"""

from tablewright.workbook.conformance.editing import EditorConformance
from tablewright.workbook.conformance.formulas import FormulaConformance
from tablewright.workbook.conformance.making import MakingConformance

__all__ = ["EditorConformance", "FormulaConformance", "MakingConformance"]
