"""Folding of text, so that what a person types matches what a table holds: width, case, accents, word endings."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_IRREGULAR = {
    "men": "man",
    "women": "woman",
    "people": "person",
    "persons": "person",
    "children": "child",
    "feet": "foot",
    "won": "win",
    "lost": "lose",
    "held": "hold",
    "is": "be",
    "are": "be",
    "was": "be",
    "were": "be",
    "been": "be",
    "has": "have",
    "had": "have",
    "does": "do",
    "did": "do",
    "series": "series",
    "species": "species",
    "status": "status",
    "bus": "bus",
    "buses": "bus",
    "years": "year",
    "data": "data",
    "indices": "index",
    "averaged": "average",
    "criteria": "criterion",
    "taller": "tall",
    "pct": "percentage",
}
_CONFUSED = {"侯": "候", "帐": "账", "裏": "里", "甭": "别", "叁": "三"}
"""Characters that are often typed for others, in questions and tables alike."""
_KEEP = ("ss", "us", "is", "os")


@lru_cache(maxsize=4096)
def fold_character(character: str) -> str:
    """Return the half-width, lower-case, unaccented form of a character, always a single character."""
    plain = unicodedata.normalize("NFKC", _CONFUSED.get(character, character))
    if len(plain) != 1:
        plain = character
    base = unicodedata.normalize("NFKD", plain)[:1]
    if base and base.isalpha() and base.isascii():
        plain = base
    lower = plain.lower()
    return lower if len(lower) == 1 else plain


BRACKETS = re.compile(r"[\(（\[【].*?[\)）\]】]")
"""What stands in brackets, with them."""


def fold(text: str) -> str:
    """Return `text` with every character folded; its length, and so every offset, is unchanged."""
    return text.lower() if text.isascii() else "".join(map(fold_character, text))


def is_han(character: str) -> bool:
    """Return whether a character is Chinese."""
    return "㐀" <= character <= "鿿" or "豈" <= character <= "﫿"


@lru_cache(maxsize=16384)
def lemma(word: str) -> str:
    """Return the singular of an English noun, judged by its ending; other words are returned unchanged."""
    known = _IRREGULAR.get(word)
    if known:
        return known
    if len(word) <= 3 or not word.endswith("s") or word.endswith(_KEEP):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "ches", "shes", "xes", "zes")):
        return word[:-2]
    return word[:-1]


def spellings(base: str) -> tuple[str, ...]:
    """Return texts of which every folded word, number or character with the lemma `base` has one at least."""
    if base[:1].isdigit():
        return (base[0],)  # commas may follow
    irregular = (word for word, known in _IRREGULAR.items() if known == base)
    return (base.removesuffix("y"), *irregular)


def compact(text: str) -> str:
    """Return only the letters and digits of `text`, folded: the form in which names are compared."""
    return "".join(filter(str.isalnum, fold(text)))
