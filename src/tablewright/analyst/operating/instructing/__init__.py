"""Reads instructions for a workbook into operations: clauses, typed slots filled by a beam search, and every word
accounted for."""

from tablewright.analyst.operating.instructing import looks as looks
from tablewright.analyst.operating.instructing import making as making
from tablewright.analyst.operating.instructing.reader import Reading, read
from tablewright.analyst.operating.instructing.trusting import trust_of

__all__ = ["Reading", "read", "trust_of"]
