"""Finds the meanings of a text: exactly, by sound, and through typing mistakes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from tablewright.analyst.linking.lexicon import stopwords
from tablewright.analyst.linking.tokens import Token
from tablewright.routing.workflows.pinyin import sound
from tablewright.routing.workflows.stems import stem
from tablewright.routing.workflows.vocabulary import phrases

LONG, VERY_LONG = 4, 8
"""Letters of a word in which one mistake is understood, and of one in which two are."""
MISTAKEN = 0.8
"""What a phrase with a mistake in it says of its meaning, against the phrase itself."""
HEARD = (4, 3, 2)
"""Characters of the phrases that are found by sound."""


def meanings_of(tokens: Sequence[Token]) -> Mapping[str, float]:
    """Return the meanings of `tokens`, each with its strength, 0 to 1: of the longest phrases, which may overlap."""
    words = [token for token in tokens if token.kind in {"word", "han"}]
    parts = [stem(token.norm) if token.kind == "word" else token.norm for token in words]
    found: dict[str, float] = {}
    lengths = [0] * len(parts)
    for start, end in _spans(parts):
        _add(found, phrases().by_parts[tuple(parts[start:end])], 1.0)
        lengths[start:end] = [max(one, end - start) for one in lengths[start:end]]
    for start, token in enumerate(words):
        if token.kind == "han":
            _add(found, _heard(words, lengths, start), MISTAKEN)
        elif not lengths[start] and (known := _meant(parts[start])):
            _add(found, phrases().by_parts[(known,)], MISTAKEN)
    return found


def _spans(parts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the places of the longest phrases, none of them within another."""
    known, longest, done = phrases().by_parts, phrases().longest, 0
    for start in range(len(parts)):
        for end in range(min(start + longest, len(parts)), max(start, done), -1):
            if tuple(parts[start:end]) in known:
                yield start, end
                done = end
                break


def _heard(words: Sequence[Token], lengths: Sequence[int], start: int) -> Mapping[str, float]:
    """Return the meanings of what sounds like a phrase and is not part of one that is written right."""
    for length in HEARD:
        span = words[start : start + length]
        if len(span) < length or any(one.kind != "han" for one in span) or max(lengths[start : start + length]) > 1:
            continue
        readings = sound([one.norm for one in span])
        if readings and (meant := phrases().by_sound.get(readings)):
            return meant
    return {}


@lru_cache(maxsize=8192)
def _meant(word: str) -> str | None:
    """Return the known word that a long word with a typing mistake or two most probably is, if there is one."""
    if len(word) < LONG or word in phrases().known or word in stopwords():
        return None
    near = process.extractOne(
        word, phrases().words, scorer=OSA.distance, score_cutoff=1 if len(word) < VERY_LONG else 2
    )
    return near[0] if near and near[0][0] == word[0] and len(near[0]) >= LONG else None


def _add(found: dict[str, float], meant: Mapping[str, float], share: float) -> None:
    for meaning, strength in meant.items():
        found[meaning] = max(found.get(meaning, 0.0), strength * share)
