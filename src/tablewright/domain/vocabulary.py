"""The vocabulary of a tenant: what its words mean, and which readings of a question were chosen."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

EntryKind = Literal["word", "reading"]
LONGEST_PHRASE = 60
LONGEST_MEANING = 200
LONGEST_QUESTION = 500
"""Longer questions are not remembered with the reading that was chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A word or phrase, and what it stands for: a column, a value of one, a test of rows, or a formula of columns."""

    phrase: str
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VocabularyEntry:
    """What a tenant has said: a `word` with its meaning, or a question (`phrase`) with the `reading` chosen for it."""

    id: str
    kind: EntryKind
    phrase: str
    meaning: str
    created_at: datetime
    created_by: str


def plain(text: str) -> str:
    """Return a text as it is compared: in one width and case, without superfluous blanks and closing marks."""
    return " ".join(unicodedata.normalize("NFKC", text).split()).strip(" .!?。！？").casefold()


def words_of(entries: Iterable[VocabularyEntry]) -> tuple[Word, ...]:
    """Return the words among the entries."""
    return tuple(Word(phrase=one.phrase, meaning=one.meaning) for one in entries if one.kind == "word")
