"""Notes about a person's data, kept only with the person's word."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from tablewright.domain.naming import storable
from tablewright.domain.scope import Scope
from tablewright.errors import InvalidInput
from tablewright.telemetry import redact

LONGEST_NOTE = 500
TOLD_CHARS = 4_000
"""So many characters of notes are told to a model at most, the newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A note of one owner; `run_id` is the run that was allowed to keep it, None of one added by hand."""

    id: str
    text: str
    created_at: datetime
    run_id: str | None = None


def note_text(text: str) -> str:
    """Return a note as it is kept: on one line, without control characters, keys, passwords and tokens.

    Raises `InvalidInput` for one that is empty or longer than `LONGEST_NOTE`.
    """
    line = " ".join("".join(each if _plain(each) else " " for each in storable(text)).split())
    if not line:
        raise InvalidInput("note_empty", field="text")
    if len(line) > LONGEST_NOTE:
        raise InvalidInput("note_long", field="text", count=len(line), most=LONGEST_NOTE)
    return redact(line)


def note_id(scope: Scope, text: str) -> str:
    """Return the id of a note: the same text of the same owner is the same note, however often it is kept."""
    return hashlib.sha256("\0".join((scope.tenant, scope.owner, text)).encode()).hexdigest()[:32]


def told_notes(notes: Iterable[Note], *, chars: int = TOLD_CHARS) -> tuple[str, ...]:
    """Return the texts of the newest of `notes`, which are in order, that have room in `chars` characters."""
    told: list[str] = []
    left = chars
    for note in reversed(tuple(notes)):
        left -= len(note.text)
        if left < 0:
            break
        told.append(note.text)
    return tuple(reversed(told))


def _plain(character: str) -> bool:
    """Whether a character is neither a control character nor one that only changes how others are shown."""
    return unicodedata.category(character) not in {"Cc", "Cf", "Zl", "Zp"} or character in "\u200c\u200d"
