"""The words that a question about a table may hold: those of the vocabulary and those of the table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from tablewright.analyst.grammar.lexicon import entries
from tablewright.analyst.linking.columns import ColumnName
from tablewright.analyst.linking.families import cell_groups, related
from tablewright.analyst.linking.lexicon import concepts, operations, row_nouns, stopwords
from tablewright.analyst.linking.numbers import WORDS
from tablewright.analyst.linking.periods import NAMES
from tablewright.analyst.linking.stems import stem
from tablewright.analyst.linking.tokens import lemmas
from tablewright.analyst.linking.values import TextColumn

MOST_VALUES = 2_000
"""So many cells of a column are read for their words."""


@lru_cache(maxsize=64)
def vocabulary(names: tuple[ColumnName, ...], texts: tuple[TextColumn, ...]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of Latin letters, and their stems."""
    said = {word for name in names for form in (name.full, name.plain, *name.aliases) for word in form}
    said |= {word for column in texts for value in column.values[:MOST_VALUES] for word in lemmas(value)}
    words = _latin(said)
    general, stems = _general()
    return general | words, stems | frozenset(map(stem, words))


@lru_cache(maxsize=1)
def _general() -> tuple[frozenset[str], frozenset[str]]:
    words = _latin({word for form in _forms() for word in form} | stopwords())
    return words, frozenset(map(stem, words))


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
    return frozenset(word for word in words if word.isascii() and word.isalpha())
