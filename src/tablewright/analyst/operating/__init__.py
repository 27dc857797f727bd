"""Turns what a person wants done to a workbook into a plan of operations."""

from tablewright.analyst.operating.planning import planned

__all__ = ["planned"]
