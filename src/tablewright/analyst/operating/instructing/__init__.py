"""Reads instructions for a workbook into operations: clauses, typed slots filled by a beam search, and every word
accounted for."""

from tablewright.analyst.operating.instructing.reader import Reading, read

__all__ = ["Reading", "read"]
