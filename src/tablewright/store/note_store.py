"""The port to the notes of owners."""

from __future__ import annotations

from typing import Protocol

from tablewright.domain.note import Note
from tablewright.domain.scope import Scope

MOST_NOTES = 200
"""Notes of an owner; a person removes some before there are more."""


class NoteStore(Protocol):
    """The notes of an owner; those of others are not seen."""

    async def add(self, scope: Scope, note: Note) -> Note:
        """Store a note and return it; where one of the same id is kept, that is returned and nothing changes.

        Raises `Conflict` where there are `MOST_NOTES`.
        """
        ...

    async def all(self, scope: Scope) -> tuple[Note, ...]:
        """Return all notes, the oldest first."""
        ...

    async def remove(self, scope: Scope, note_id: str) -> None:
        """Remove a note, or raise `NotFound`."""
        ...
