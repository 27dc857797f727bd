"""The notes about a person's data that were kept with their word."""

from __future__ import annotations

from fastapi import APIRouter

from tablewright.api.dependencies import Caller, Parts
from tablewright.api.documents import faults
from tablewright.api.schemas.notes import NewNote, NoteOut, NotesOut

router = APIRouter(prefix="/notes", tags=["notes"])


@router.get("", responses=faults())
async def find(parts: Parts, caller: Caller) -> NotesOut:
    """List the caller's notes, the oldest first."""
    return NotesOut(items=[NoteOut.model_validate(note) for note in await parts.notes.all(caller)])


@router.post("", status_code=201, responses=faults(409, 422))
async def add(parts: Parts, caller: Caller, note: NewNote) -> NoteOut:
    """Add a note by hand; keys and passwords in it are blanked. The same text again is the note that is kept."""
    return NoteOut.model_validate(await parts.notes.add(caller, note.text))


@router.delete("/{note_id}", status_code=204, responses=faults(404))
async def delete(parts: Parts, caller: Caller, note_id: str) -> None:
    """Delete a note: no model is told it any more."""
    await parts.notes.remove(caller, note_id)
