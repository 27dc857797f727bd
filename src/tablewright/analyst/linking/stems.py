"""Word families of English: `cancelled`, `cancellation` and `cancels` have one stem."""

from __future__ import annotations

from functools import lru_cache

from tablewright.analyst.linking.lexicon import irregular

_ENDINGS = (
    "ations", "ation", "ments", "ment", "ings", "ing", "ions", "ion", "ances", "ance", "ences", "ence",
    "ers", "er", "ors", "or", "ees", "ee", "als", "al", "ied", "ies", "ed", "es", "ly", "s",
)  # fmt: skip
_LEAST = 4
"""So many letters are left of a word without its ending, unless the ending is one of verbs."""
_VERBAL = frozenset({"ing", "ings", "ed", "s", "es", "ment", "ments"})
_LEAST_OF_VERBS = 3


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """Return what is left of a word in lower case without its endings; a short word is returned as it is."""
    word = irregular().get(word, word)
    for ending in _ENDINGS:
        least = _LEAST_OF_VERBS if ending in _VERBAL else _LEAST
        if word.endswith(ending) and len(word) - len(ending) >= least:
            word = word[: -len(ending)]
            break
    word = irregular().get(word, word)
    if len(word) > _LEAST_OF_VERBS and word[-1] == word[-2]:
        word = word[:-1]
    if len(word) > _LEAST_OF_VERBS and word[-1] in "ey":
        word = word[:-1]
    return word.removesuffix("i") if len(word) > _LEAST else word
