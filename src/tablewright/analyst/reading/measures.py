"""Finds what a question measures: aggregates with their columns, and counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablewright.analyst.linking.mentions import ColumnMention, RowsMention, WordMention
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import AggregateName, Col, Measure
from tablewright.analyst.reading.comparisons import identifying
from tablewright.analyst.reading.parse import Parse

_NEAR = 5
_COUNTING = {"number", "of", "total", "num", "no", "count", "the"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A measure and the place of its words; `column` is None for a count of rows. `told` marks a count whose numbers
    a column already holds (`number of platforms`)."""

    function: AggregateName
    column: str | None
    place: int
    end: int
    told: bool = False

    def measure(self) -> Measure:
        """Return this as an aggregate of the plan."""
        if self.column is None or self.function == "count":
            return Measure(name="count", function="count")
        return Measure(name=f"{self.function}_{self.column}", function=self.function, of=Col(name=self.column))


def read_measures(parse: Parse) -> list[Measured]:
    """Take aggregates and counts, and return them in order of place."""
    found: list[Measured] = []
    for word in parse.words("aggregate"):
        measured = _aggregate(parse, word)
        if measured is not None:
            found.append(measured)
    found.extend(_count(parse, word) for word in parse.words("count", "times"))
    return sorted(found, key=lambda measured: measured.place)


def _aggregate(parse: Parse, word: WordMention) -> Measured | None:
    column = _next_numeric(parse, word.end, word)
    if column is None:
        return None
    name = parse.numeric_reading(column)
    parse.take(word)
    if not _shared(parse, word, column):
        parse.take(column)
    return Measured(function=word.value, column=name, place=word.start, end=column.end)  # type: ignore[arg-type]


def _shared(parse: Parse, word: WordMention, column: ColumnMention) -> bool:
    """Return whether a later aggregate still needs the column: `average and minimum age`."""
    return any(word.end <= other.start < column.start for other in parse.words("aggregate"))


def _next_numeric(parse: Parse, place: int, word: WordMention) -> ColumnMention | None:
    for column in parse.free(ColumnMention):
        if (
            place <= column.start <= place + _NEAR
            and parse.clear(place, column.start)
            and parse.numeric_reading(column)
        ):
            return column
    before = parse.before(word.start, ColumnMention, 2)
    return before if before is not None and parse.language == "zh" and parse.numeric_reading(before) else None


def _count(parse: Parse, word: WordMention) -> Measured:
    """Return a count of rows, or, if a numeric column that is not a code already holds the counts, the sum of that
    column."""
    column = parse.after(word.end, ColumnMention, 2)
    rows = parse.after(word.end, RowsMention, 2)
    parse.take(word, rows)
    if column is not None and ((rows is not None and rows.start < column.start) or _apart(parse, word, column)):
        column = None
    if column is None or not parse.clear(word.end, column.start):
        return Measured(function="count", column=None, place=word.start, end=word.end)
    name = parse.numeric_reading(column)
    facts = parse.facts(name) if name else None
    if facts is None and parse.facts(column.column).distinct == parse.table.facts.rows and column.score < 0.95:
        parse.take(column)
    if (
        facts is None
        or not (column.score >= 0.7 or _counts(parse, column, facts.name))
        or identifying(facts.name, facts.minimum, facts.maximum)
    ):
        return Measured(function="count", column=None, place=word.start, end=word.end)
    if parse.gap(word.start, word.end).startswith("amount"):
        return Measured(function="count", column=None, place=word.start, end=word.end)
    parse.take(column)
    return Measured(function="sum", column=name, place=word.start, end=column.end, told=True)


def _apart(parse: Parse, word: WordMention, column: ColumnMention) -> bool:
    """Return whether the column after a count is a measure of its own: `number of orders and revenue`,
    `订单数和销售额`."""
    return parse.after(word.end, WordMention, column.start - word.end, "and") is not None


def _counts(parse: Parse, column: ColumnMention, name: str) -> bool:
    """Return whether a mention covers the column's whole name apart from counting words: `platforms` for
    Number_of_Platforms."""
    said = lemmas(parse.gap(column.start, column.end))
    return tuple(word for word in lemmas(name) if word not in _COUNTING) == said


def measures_of(found: Sequence[Measured]) -> tuple[Measure, ...]:
    """Return the measures without repeats."""
    return tuple({measure.name: measure for measured in found for measure in [measured.measure()]}.values())
