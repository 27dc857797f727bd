"""Tests of the notes."""

from __future__ import annotations

from tablewright.domain.note import Note
from tablewright.domain.scope import Scope
from tablewright.errors import Conflict, NotFound
from tablewright.store.base import Store
from tablewright.store.conformance.examples import ANN, BOB, OTHER_TENANT, after, refused
from tablewright.store.note_store import MOST_NOTES


def note(number: int = 1, text: str = "") -> Note:
    """Make a note that was kept after so many seconds."""
    run_id = "r-1" if number % 2 else None
    return Note(
        id=f"note-{number}", text=text or f"财年从四月开始 {number} 📦", created_at=after(number), run_id=run_id
    )


async def kept(store: Store, scope: Scope = ANN) -> list[str]:
    """Return the ids of what is kept, in order."""
    return [one.id for one in await store.notes.all(scope)]


class NotesConformance:
    """The notes of an owner."""

    async def test_notes_come_back_as_they_were_kept_the_oldest_first(self, store: Store) -> None:
        for number in (2, 1):
            await store.notes.add(ANN, note(number))
        assert await store.notes.all(ANN) == (note(1), note(2))

    async def test_notes_are_their_owners_and_nobody_elses(self, store: Store) -> None:
        await store.notes.add(ANN, note())
        for other in (BOB, OTHER_TENANT):
            assert await kept(store, other) == []
            with refused(NotFound):
                await store.notes.remove(other, "note-1")
        await store.notes.remove(ANN, "note-1")
        assert await kept(store) == []
        with refused(NotFound):
            await store.notes.remove(ANN, "note-1")

    async def test_a_note_that_is_kept_again_stays_as_it_was(self, store: Store) -> None:
        first = await store.notes.add(ANN, note())
        again = await store.notes.add(ANN, Note(id="note-1", text="other", created_at=after(9)))
        assert again == first
        assert await store.notes.all(ANN) == (first,)

    async def test_one_note_too_many_is_refused_and_others_have_room(self, store: Store) -> None:
        for number in range(MOST_NOTES):
            await store.notes.add(ANN, note(number))
        with refused(Conflict):
            await store.notes.add(ANN, note(MOST_NOTES))
        assert await store.notes.add(ANN, note(0)) == note(0)
        assert len(await kept(store)) == MOST_NOTES
        await store.notes.add(BOB, note(MOST_NOTES))
