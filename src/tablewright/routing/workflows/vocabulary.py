"""What words of the office mean, in Chinese and English: a lexicon as data, `vocabulary.json`.

A meaning's phrases are synonyms in the wide sense: what one of them asks for, a workflow that is described by another
may do. A phrase may have several meanings. Nothing here decides anything; how much a meaning counts is learned.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files

from rapidfuzz import process
from rapidfuzz.distance import OSA

from tablewright.analyst.linking.lexicon import stopwords
from tablewright.analyst.linking.tokens import Token, lemmas

LONG, VERY_LONG = 5, 8
"""Letters of a word in which one mistake is understood, and of one in which two are."""


@cache
def meanings() -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return the meanings of each phrase, keyed by the lemmas of its tokens."""
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    rows = json.loads(files(__package__).joinpath("vocabulary.json").read_text(encoding="utf-8"))
    for meaning, phrases in rows.items():
        for phrase in phrases:
            key = lemmas(phrase)
            found[key] = (*found.get(key, ()), meaning)
    return found


@cache
def _longest() -> int:
    return max(map(len, meanings()))


@cache
def _single_words() -> tuple[str, ...]:
    return tuple(key[0] for key in meanings() if len(key) == 1 and key[0].isascii() and len(key[0]) >= LONG)


@lru_cache(maxsize=8192)
def _meant(word: str) -> str:
    """Return the known word that a long word with a typing mistake or two most probably is, else the word."""
    if len(word) < LONG:
        return word
    mistakes = 1 if len(word) < VERY_LONG else 2
    near = process.extractOne(word, _single_words(), scorer=OSA.distance, score_cutoff=mistakes)
    return near[0] if near and near[0][0] == word[0] else word


def meanings_of(tokens: Sequence[Token]) -> frozenset[str]:
    """Return the meanings of `tokens`, of each phrase as long as can be; other words stand for themselves."""
    known, longest, without = meanings(), _longest(), stopwords()
    words = [token.lemma for token in tokens if token.kind in {"word", "han"}]
    found: set[str] = set()
    place = 0
    while place < len(words):
        for length in range(min(longest, len(words) - place), 0, -1):
            if codes := known.get(tuple(words[place : place + length])):
                found.update(f"={code}" for code in codes)
                place += length
                break
        else:
            if len(words[place]) > 1 and words[place] not in without:
                found.update(f"={code}" for code in known.get((_meant(words[place]),), ()))
                found.add(words[place])
            place += 1
    return frozenset(found)
