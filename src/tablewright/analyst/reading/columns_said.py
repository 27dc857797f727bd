"""The columns that a piece of text names."""

from __future__ import annotations

import re

from tablewright.analyst.linking.columns import column_names, columns
from tablewright.analyst.linking.mentions import ColumnMention, choose
from tablewright.analyst.linking.tokens import lemmas, tokenize
from tablewright.domain.dataset import ColumnFacts, DatasetFacts

_NUMBERS = frozenset({"number", "integer"})


def is_numeric(column: ColumnFacts) -> bool:
    """Return whether a column holds numbers, or texts most of which are numbers."""
    if column.kind in _NUMBERS:
        return True
    if column.kind != "mixed" or not column.samples:
        return False
    like = [sample for sample in column.samples if re.fullmatch(r"[-+]?[\d,]*\.?\d+", str(sample).strip())]
    return len(like) >= 0.6 * len(column.samples)


def said_columns(text: str, facts: DatasetFacts, *, without: str = "", least: float = 0.6) -> list[str]:
    """Return the columns that a text names, in order."""
    tokens = tokenize(text)
    mentions = choose(columns(tokens, column_names(facts.columns)), tokens)
    skipped = lemmas(without)
    found = [
        mention.column
        for mention in mentions
        if isinstance(mention, ColumnMention)
        and mention.score >= least
        and tuple(token.lemma for token in tokens[mention.start : mention.end] if token.kind != "mark") != skipped
    ]
    return list(dict.fromkeys(found))


def numeric_said(text: str, facts: DatasetFacts, *, least: float = 0.6) -> list[str]:
    """Return the numeric columns that a text names, in order; ambiguous words count for the numeric column."""
    tokens = tokenize(text)
    numeric = {column.name for column in facts.columns if is_numeric(column)}
    mentions = choose(columns(tokens, column_names(facts.columns)), tokens)
    found: list[str] = []
    for mention in mentions:
        if isinstance(mention, ColumnMention) and mention.score >= least:
            options = [mention.column, *(column for column, score in mention.others if score >= mention.score - 0.35)]
            found += [column for column in options if column in numeric][:1]
    return list(dict.fromkeys(found))
