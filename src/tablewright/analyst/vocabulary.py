"""What is wrong with a word that somebody teaches the analyst, and whether a table has what it stands for."""

from __future__ import annotations

import unicodedata

from tablewright.analyst.grammar.lexicon import entries
from tablewright.analyst.linking.columns import column_names, columns
from tablewright.analyst.linking.lexicon import stopwords
from tablewright.analyst.linking.numbers import numbers
from tablewright.analyst.linking.periods import periods
from tablewright.analyst.linking.tokens import Token, lemmas, tokenize
from tablewright.analyst.linking.vocabulary import NAMES_FROM
from tablewright.domain.dataset import ColumnFacts
from tablewright.domain.vocabulary import LONGEST_MEANING, LONGEST_PHRASE, Word

TEACHABLE = frozenset({"row", "row_noun", "worth"})
"""Types of words of the lexicon that a tenant may give another meaning: nouns for rows and for money."""
LEAST_CHARS = 2


def fault_of(word: Word) -> str | None:
    """Return the code of what is wrong with a word, or None."""
    phrase, meaning = word.phrase.strip(), word.meaning.strip()
    form, meant = lemmas(phrase), lemmas(meaning)
    if len(word.phrase) > LONGEST_PHRASE or len(word.meaning) > LONGEST_MEANING:
        return "word_long"
    if any(unicodedata.category(character).startswith("C") for character in phrase + meaning):
        return "word_control"
    if not form or not meant or len(phrase) < LEAST_CHARS:
        return "word_short"
    if "=" in phrase:
        return "word_equals"
    if form == meant:
        return "word_itself"
    return "word_reserved" if _reserved(phrase, form) else None


def names_column(meaning: str, facts: tuple[ColumnFacts, ...]) -> bool:
    """Return whether words of a meaning name one of the columns."""
    return any(mention.score >= NAMES_FROM for mention in columns(tokenize(meaning), column_names(facts)))


def _reserved(phrase: str, form: tuple[str, ...]) -> bool:
    """Return whether a phrase has a meaning of its own in every question: a comparison, a number, a negation, …"""
    types = {entry.type for entry in entries().get(form, ())}
    if types - TEACHABLE or set(form) <= stopwords():
        return True
    tokens = tokenize(phrase)
    worded = [place for place, token in enumerate(tokens) if token.kind != "mark"]
    return any(_covers(tokens, worded, one.start, one.end) for one in (*numbers(tokens), *periods(phrase, tokens)))


def _covers(tokens: tuple[Token, ...], worded: list[int], start: int, end: int) -> bool:
    return start <= worded[0] and worded[-1] < end <= len(tokens)
