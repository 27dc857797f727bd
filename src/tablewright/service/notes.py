"""Notes about a person's data: kept with their word, told to models, listed and deleted by them."""

from __future__ import annotations

from tablewright.domain.ids import Clock
from tablewright.domain.note import Note, note_id, note_text
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.store.base import Store


class Notes:
    """The use cases of notes. They are their owner's alone."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def add(self, scope: Scope, text: str, *, run_id: str | None = None) -> Note:
        """Keep a note; the same text again returns the note that is kept.

        Raises `InvalidInput` for one that cannot be kept, and `Conflict` where there are too many.
        """
        words = note_text(text)
        note = Note(id=note_id(scope, words), text=words, created_at=self._clock.now(), run_id=run_id)
        return await self._store.notes.add(scope, note)

    async def all(self, scope: Scope) -> tuple[Note, ...]:
        """Return the caller's notes, the oldest first."""
        return await self._store.notes.all(scope)

    async def remove(self, scope: Scope, note_id: str) -> None:
        """Delete a note. Raises `NotFound`."""
        await self._store.notes.remove(scope, note_id)


class RunNotes:
    """Implements `KeptNotes` of tools for a run: what it keeps is its owner's."""

    def __init__(self, store: Store, clock: Clock, scope: Scope, run: Run) -> None:
        self._notes = Notes(store, clock)
        self._scope = scope
        self._run = run

    async def keep(self, text: str) -> str:
        return (await self._notes.add(self._scope, text, run_id=self._run.id)).text
