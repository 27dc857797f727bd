"""The two languages in which Tablewright speaks."""

from __future__ import annotations

from typing import Literal

Language = Literal["zh", "en"]


def language_of(text: str, default: Language = "en") -> Language:
    """Tell the language of what a person wrote: any Han character makes it Chinese; no letter at all, `default`."""
    if any("㐀" <= char <= "鿿" or "豈" <= char <= "﫿" for char in text):
        return "zh"
    return "en" if any(char.isalpha() for char in text) else default
