"""How near two words are: equal, abbreviated, of one stem, or mistyped."""

from __future__ import annotations

from rapidfuzz.distance import JaroWinkler

from tablewright.analyst.linking.lexicon import operations, stopwords
from tablewright.analyst.linking.short_forms import WHOLE_WORDS


def whole(word: str) -> str:
    """Return the word that an abbreviation stands for, or the word itself."""
    return WHOLE_WORDS.get(word, word)


def near(left: str, right: str) -> float:
    """Compare two words, 0 to 1: equal, same stem (nation, nationality), abbreviation (dept), or typing error."""
    if whole(left) == whole(right):
        return 1.0
    if (left,) in operations() or left in stopwords():
        return 0.0
    shorter, longer = sorted((left, right), key=len)
    if len(shorter) >= 4 and longer.startswith(shorter) and len(longer) - len(shorter) <= 5:
        return 0.85
    common = len(_prefix(left, right))
    if common >= 5 and common >= 0.7 * len(longer):
        return 0.8
    if len(shorter) >= 5 and JaroWinkler.similarity(left, right) >= 0.95:
        return 0.85
    return 0.0


def short(said: str, part: str) -> float:
    """Compare a word with an abbreviation of it (`account balance` for acc_bal), 0 or 0.8."""
    return 0.8 if len(part) >= 2 and len(said) > len(part) and said.startswith(part) else 0.0


def _prefix(left: str, right: str) -> str:
    size = 0
    while size < min(len(left), len(right)) and left[size] == right[size]:
        size += 1
    return left[:size]
