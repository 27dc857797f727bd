"""Mistyped English words: replaced by the only near word that the table or the vocabulary knows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from rapidfuzz.distance import OSA

from tablewright.analyst.linking.stems import stem
from tablewright.analyst.linking.text import lemma
from tablewright.analyst.linking.tokens import Token

_SHORTEST = 4
_SURE_LENGTH, _LONG = 6, 9
"""Shorter words than the one are only mistyped by two letters that change places or a letter that is doubled or not;
words of the other may have two errors."""
_VOWELS = frozenset("aeiouy")


def spelled(
    tokens: Sequence[Token], known: Collection[str], stems: Collection[str]
) -> tuple[tuple[Token, ...], frozenset[int]]:
    """Return the tokens with mistyped words as they are spelled, and their places; `known` are words as they may be
    said, `stems` are theirs."""
    found = list(tokens)
    places = []
    for place, token in enumerate(tokens):
        if token.kind != "word" or len(token.norm) < _SHORTEST or not token.norm.isascii() or _name(tokens, place):
            continue
        if token.norm in known or token.lemma in known or stem(token.lemma) in stems:
            continue
        right = _nearest(token.lemma, known)
        if right is not None:
            found[place] = replace(token, norm=right, lemma=lemma(right))
            places.append(place)
    return tuple(found), frozenset(places)


def _name(tokens: Sequence[Token], place: int) -> bool:
    """Return whether a word is written like a name, which no vocabulary knows."""
    return place > 0 and tokens[place].text[:1].isupper()


def _nearest(word: str, known: Collection[str]) -> str | None:
    most = 2 if len(word) >= _LONG else 1
    near = [
        (OSA.distance(word, other, score_cutoff=most), other)
        for other in known
        if other[0] == word[0] and abs(len(other) - len(word)) <= most and len(other) >= _SHORTEST
    ]
    fits = sorted((far, other) for far, other in near if far <= most and _slip(word, other))
    if not fits or (len(fits) > 1 and fits[0][0] == fits[1][0] and stem(fits[0][1]) != stem(fits[1][1])):
        return None
    return fits[0][1]


def _slip(word: str, other: str) -> bool:
    """Return whether two words may be one: by letters that change places or are doubled; in longer words also by a
    letter that is left out or added, or by a vowel for a vowel."""
    if sorted(word) == sorted(other) or _undoubled(word) == _undoubled(other):
        return True
    if len(word) < _SURE_LENGTH:
        return False
    return len(word) >= _LONG or len(word) != len(other) or _consonants(word) == _consonants(other)


def _consonants(word: str) -> str:
    return "".join("a" if letter in _VOWELS else letter for letter in word)


def _undoubled(word: str) -> str:
    return "".join(letter for place, letter in enumerate(word) if not place or letter != word[place - 1])
