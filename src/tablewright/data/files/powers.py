"""Words for powers of ten behind numbers: 1.8万, 1.8w (the sound of 万), 2.5k, 3 million, £4m."""

from __future__ import annotations

import re
from dataclasses import dataclass

_CHINESE = {"十": 1, "百": 2, "千": 3, "万": 4, "萬": 4, "亿": 8, "億": 8}
_ENGLISH = {
    "k": 3, "thousand": 3, "w": 4, "lakh": 5, "m": 6, "mn": 6, "mio": 6, "million": 6, "crore": 7, "bn": 9, "mrd": 9,
    "billion": 9,
}  # fmt: skip
_END = r"(?![^\W\d_])"
_WORD = re.compile(
    rf"[十百千]*[万亿萬億]|千{_END}|(?i:k|w|mn|mio|bn|mrd|thousand|million|billion|lakhs?|crores?){_END}|M{_END}"
)
_BEHIND_MONEY = re.compile(rf"m{_END}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Affix:
    """What stands around a number: a word that multiplies it by ten to the power of `exponent`, and a unit."""

    word: str = ""
    exponent: int = 0
    unit: str = ""


def begins_with_power(affix: str) -> bool:
    """Return whether what stands behind a number begins with a word that multiplies it; `m` are metres."""
    return _WORD.match(affix) is not None


def affix(prefix: str, suffix: str) -> Affix | None:
    """Return what stands before and behind a number; None if both name a unit. Behind a currency, `m` are millions."""
    found = _WORD.match(suffix) or (_BEHIND_MONEY.match(suffix) if prefix else None)
    word = "" if found is None else found[0]
    rest = suffix[len(word) :].strip()
    if prefix and rest:
        return None
    return Affix(word=word, exponent=_exponent(word), unit=prefix or rest)


def _exponent(word: str) -> int:
    if not word or word[0] in _CHINESE:
        return sum(_CHINESE[letter] for letter in word)
    plain = word.lower()
    return _ENGLISH.get(plain) or _ENGLISH[plain.rstrip("s")]
