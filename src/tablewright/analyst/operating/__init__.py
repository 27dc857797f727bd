"""From what a person wants done to a workbook to the plan of operations that does it."""

from tablewright.analyst.operating.planning import planned

__all__ = ["planned"]
