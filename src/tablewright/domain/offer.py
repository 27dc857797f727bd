"""Readings of a question that are offered where it is not sure which of them is meant."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from tablewright.domain.chart import Chart
from tablewright.domain.table import Table

LEAST_CHARS = 2
"""Fewer characters than these are too few to stand for an option that contains them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedReading:
    """What was understood, in words, and what would be the answer then."""

    text: str
    result: Table | None = None
    charts: tuple[Chart, ...] = ()


def chosen_option(options: Sequence[str], words: str) -> int | None:
    """Return the place of the option that `words` choose, from 0, or None.

    An option is chosen by its number, by itself, by its beginning up to a colon, or by words that no other contains.
    """
    said, plain = _plain(words), [_plain(option) for option in options]
    if said.isdecimal() and len(said) < 4:
        return int(said) - 1 if 0 < int(said) <= len(options) else None
    same = [place for place, option in enumerate(plain) if said in {option, option.rpartition(":")[0].strip()}]
    if len(said) >= LEAST_CHARS:
        same = same or [place for place, option in enumerate(plain) if said in option]
    return same[0] if len(same) == 1 else None


def numbered(prompt: str, options: Sequence[str]) -> str:
    """Return a question with its options, a line each, with the numbers that choose them."""
    return "\n".join((prompt, *(f"{number}. {option}" for number, option in enumerate(options, 1))))


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split()).strip(" .!。！").casefold()
