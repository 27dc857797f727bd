"""The column that dates the rows: dates, or years as numbers."""

from __future__ import annotations

from tablewright.analyst.linking.mentions import ColumnMention
from tablewright.analyst.reading.comparisons import identifying
from tablewright.analyst.reading.parse import Parse

_FIRST_YEAR = 1500


def tells_time(parse: Parse) -> str | None:
    """Return the column that dates the rows, preferably one that is named; None if there is none."""
    named = [mention.column for mention in parse.free(ColumnMention)]
    every = [facts.name for facts in parse.table.facts.columns]
    return next((column for column in [*named, *every] if tells_when(parse, column)), None)


def tells_when(parse: Parse, column: str) -> bool:
    """Return whether a column holds dates or years."""
    facts = parse.facts(column)
    low = facts.minimum
    years = facts.kind == "integer" and identifying(column, low, facts.maximum)
    return parse.dated(column) or (years and isinstance(low, int | float) and low > _FIRST_YEAR)
