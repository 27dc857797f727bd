"""The words that a question about a table may hold: those of the vocabulary and those of the table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from tablewright.analyst.grammar.lexicon import entries
from tablewright.analyst.linking.columns import ColumnName
from tablewright.analyst.linking.lexicon import concepts, operations, row_nouns, stopwords
from tablewright.analyst.linking.lexicon.families import cell_groups, related
from tablewright.analyst.linking.numbers import WORDS
from tablewright.analyst.linking.periods import NAMES
from tablewright.analyst.linking.stems import stem
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.linking.values import TextColumn

MOST_VALUES = 2_000
"""So many cells of a column are read for their words."""


@lru_cache(maxsize=64)
def vocabulary(names: tuple[ColumnName, ...], texts: tuple[TextColumn, ...]) -> frozenset[str]:
    """Return the words, and the stems of words."""
    said = {word for name in names for form in (name.full, name.plain, *name.aliases) for word in form}
    said |= {word for column in texts for value in column.values[:MOST_VALUES] for word in lemmas(value)}
    return _general() | _latin(said)


@lru_cache(maxsize=1)
def _general() -> frozenset[str]:
    return _latin({word for form in _forms() for word in form} | stopwords())


def _forms() -> Iterator[tuple[str, ...]]:
    yield from entries()
    yield from operations()
    yield from row_nouns()
    yield tuple(WORDS)
    yield NAMES
    for phrases in concepts().values():
        yield from phrases
    for group in cell_groups():
        yield from group
    for one in related():
        yield from one.said
        yield from one.names


def _latin(words: set[str] | frozenset[str]) -> frozenset[str]:
    """Return the words of letters, and their stems."""
    latin = {word for word in words if word.isascii() and word.isalpha()}
    return frozenset(latin | {stem(word) for word in latin})
