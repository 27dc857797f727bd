"""Turns expressions, conditions and aggregates of a plan into formulas of a workbook, or says what no formula can."""

from tablewright.analyst.sheet_formulas.aggregates import Group
from tablewright.analyst.sheet_formulas.base import Lookup, NoFormula, SheetColumn, SheetTable
from tablewright.analyst.sheet_formulas.writer import aggregate, column, condition, formula, kind_of, place

__all__ = [
    "Group", "Lookup", "NoFormula", "SheetColumn", "SheetTable", "aggregate", "column", "condition", "formula",
    "kind_of", "place",
]  # fmt: skip
