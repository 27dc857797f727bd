"""Notes in memory."""

from __future__ import annotations

from tablewright.domain.note import Note
from tablewright.domain.scope import Scope
from tablewright.errors import Conflict, NotFound
from tablewright.store.note_store import MOST_NOTES


class MemoryNotes:
    """Implements `NoteStore`."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], dict[str, Note]] = {}

    async def add(self, scope: Scope, note: Note) -> Note:
        own = self._of(scope)
        if note.id in own:
            return own[note.id]
        if len(own) >= MOST_NOTES:
            raise Conflict("notes_most", limit=MOST_NOTES)
        own[note.id] = note
        return note

    async def all(self, scope: Scope) -> tuple[Note, ...]:
        return tuple(sorted(self._of(scope).values(), key=lambda one: (one.created_at, one.id)))

    async def remove(self, scope: Scope, note_id: str) -> None:
        if self._of(scope).pop(note_id, None) is None:
            raise NotFound(kind="note", id=note_id)

    def _of(self, scope: Scope) -> dict[str, Note]:
        return self._kept.setdefault((scope.tenant, scope.owner), {})
