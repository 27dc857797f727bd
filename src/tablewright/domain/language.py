"""The two languages of Tablewright."""

from __future__ import annotations

import re

from tablewright.texts.catalogue import Language as Language

_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")


def language_of(text: str, default: Language = "en") -> Language:
    """Return the language of a person's text, or `default` if it has no letters.

    Text may quote columns and values in the other language, so the larger share decides: it is English if it has more
    Latin words than Han characters ("total 销售额 by region for the whole of 2024").
    """
    han, words = len(_HAN.findall(text)), len(_LATIN_WORD.findall(text))
    if han > words or (han and words < 3):
        return "zh"
    return "en" if words or any(char.isalpha() for char in text) else default
