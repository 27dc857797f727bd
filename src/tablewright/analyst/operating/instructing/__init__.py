"""Reads instructions for a workbook into operations: clauses, typed slots filled by a beam search, and every word
accounted for."""

from tablewright.analyst.operating.instructing import analysing as analysing
from tablewright.analyst.operating.instructing import charting as charting
from tablewright.analyst.operating.instructing import computing as computing
from tablewright.analyst.operating.instructing import conversions as conversions
from tablewright.analyst.operating.instructing import looks as looks
from tablewright.analyst.operating.instructing import making as making
from tablewright.analyst.operating.instructing import placing as placing
from tablewright.analyst.operating.instructing import sheet_settings as sheet_settings
from tablewright.analyst.operating.instructing import styling as styling
from tablewright.analyst.operating.instructing import writing as writing
from tablewright.analyst.operating.instructing.clause import Memory
from tablewright.analyst.operating.instructing.destination import destination_of
from tablewright.analyst.operating.instructing.nearest import about_workbook, lacking_of
from tablewright.analyst.operating.instructing.reader import Reading, read
from tablewright.analyst.operating.instructing.trusting import trust_of

__all__ = ["Memory", "Reading", "about_workbook", "destination_of", "lacking_of", "read", "trust_of"]
