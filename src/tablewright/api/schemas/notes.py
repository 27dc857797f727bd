"""The notes of an owner over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from tablewright.api.schemas.native import WireModel
from tablewright.domain.note import LONGEST_NOTE


class NewNote(WireModel):
    """A sentence about the caller's data."""

    text: Annotated[str, Field(min_length=1, max_length=LONGEST_NOTE)]


class NoteOut(WireModel):
    """A note. `run_id`: the run that was allowed to keep it; null where it was added by hand."""

    id: str
    text: str
    created_at: datetime
    run_id: str | None


class NotesOut(WireModel):
    """All notes of the caller, the oldest first."""

    items: list[NoteOut]
