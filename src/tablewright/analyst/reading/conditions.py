"""Finds the conditions of a question and takes their words, the most certain kinds first."""

from __future__ import annotations

from tablewright.analyst.linking.mentions import ColumnMention
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.plan import Not
from tablewright.analyst.reading.abbreviated import read_abbreviated
from tablewright.analyst.reading.cells import read_cells
from tablewright.analyst.reading.clocks import read_clocks
from tablewright.analyst.reading.columns_compared import read_columns_compared
from tablewright.analyst.reading.comparisons import read_comparisons, read_equalities, read_ranges
from tablewright.analyst.reading.flags import read_flags
from tablewright.analyst.reading.gaps import read_contained, read_missing
from tablewright.analyst.reading.lacking import read_lacking
from tablewright.analyst.reading.nouns import read_nouns
from tablewright.analyst.reading.outcomes import read_outcomes
from tablewright.analyst.reading.parse import Clause, Parse
from tablewright.analyst.reading.placing import read_medals, read_placed
from tablewright.analyst.reading.recent import read_recent
from tablewright.analyst.reading.rivals import read_rivals
from tablewright.analyst.reading.signs import read_signs
from tablewright.analyst.reading.times import read_periods
from tablewright.domain.dataset import ColumnFacts


def read_conditions(parse: Parse) -> None:
    """Fill `parse.clauses` from times, ranges, comparisons, missing values, contained text, dates and cells."""
    read_clocks(parse)
    read_recent(parse)
    read_missing(parse)
    read_ranges(parse)
    read_comparisons(parse)
    read_contained(parse)
    read_periods(parse)
    read_cells(parse)
    read_placed(parse)
    read_equalities(parse)
    read_signs(parse)
    parse.either = _alternatives(parse)


def read_more_conditions(parse: Parse) -> None:
    """Add the conditions that only occur in questions without an answer form: rivals, outcomes, gaps, flags,
    compared columns and the like."""
    read_rivals(parse)
    read_outcomes(parse)
    read_abbreviated(parse)
    read_medals(parse)
    read_nouns(parse)
    read_lacking(parse)
    read_columns_compared(parse)
    read_flags(parse)
    _take_spoken(parse)
    _take_percentages(parse)


def _take_spoken(parse: Parse) -> None:
    """Take words that only introduce a condition: `contain more than 5 units`, `除了现金以外`."""
    for word in parse.words("contains"):
        if any(word.end <= clause.start <= word.end + 1 for clause in parse.clauses):
            parse.take(word)
    for word in parse.words("not"):
        if any(clause.end <= word.start <= clause.end + 1 and _excluded(clause) for clause in parse.clauses):
            parse.take(word)


def _take_percentages(parse: Parse) -> None:
    """Take `percentage` if a column already holds the percentages, so that no share is computed: `percentage of
    males`, `win percentage`."""
    bare = [facts.name for facts in parse.table.facts.columns if facts.name.strip().lower() in _PERCENT]
    for word in parse.words("share"):
        if len(bare) == 1 and parse.clauses and parse.has("wh"):
            parse.take(word, parse.after(word.end, ColumnMention, 2))
            parse.mentions.append(ColumnMention(start=word.start, end=word.end, score=0.9, column=bare[0]))
            continue
        near = parse.after(word.end, ColumnMention, 2) or parse.before(word.start, ColumnMention, 1)
        if near is not None and near.start - word.end <= 1 and _percentage(parse.facts(near.column)):
            parse.take(word)


_PERCENT = frozenset({"%", "percent", "percentage"})


def _percentage(facts: ColumnFacts) -> bool:
    said = facts.name.lower()
    return facts.unit == "%" or "%" in said or "percent" in said or lemmas(said)[-1:] in {("pct",), ("percentage",)}


def _excluded(clause: Clause) -> bool:
    return clause.negated or isinstance(clause.condition, Not)


def _alternatives(parse: Parse) -> list[tuple[int, int]]:
    """Take each `or` between two conditions, and return their spans."""
    found: list[tuple[int, int]] = []
    for word in parse.words("or"):
        left = any(clause.end <= word.start for clause in parse.clauses)
        right = any(clause.start >= word.end for clause in parse.clauses)
        if left and right:
            found.append((word.start, word.end))
            parse.take(word)
    return found
