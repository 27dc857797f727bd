"""Notes in SQL."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func

from tablewright.domain.note import Note
from tablewright.domain.scope import Scope
from tablewright.errors import Conflict, NotFound
from tablewright.store.note_store import MOST_NOTES
from tablewright.store.rules import micros, time_of
from tablewright.store.sql.database import Database
from tablewright.store.sql.note_tables import notes
from tablewright.store.sql.scoping import scoped

COLUMNS = notes.c


class SqlNotes:
    """Implements `NoteStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, scope: Scope, note: Note) -> Note:
        ours = scoped(notes, scope)
        async with self._database.write() as connection:
            known = (await connection.execute(ours.select().where(COLUMNS.id == note.id))).first()
            if known is not None:
                return _note(known)
            if (await connection.execute(ours.select(func.count(COLUMNS.id)))).scalar_one() >= MOST_NOTES:
                raise Conflict("notes_most", limit=MOST_NOTES)
            row = ours.row(id=note.id, text=note.text, run_id=note.run_id, created_at=micros(note.created_at))
            await connection.execute(ours.insert(), row)
        return note

    async def all(self, scope: Scope) -> tuple[Note, ...]:
        statement = scoped(notes, scope).select().order_by(COLUMNS.created_at, COLUMNS.id)
        return tuple(_note(row) for row in await self._database.rows(statement))

    async def remove(self, scope: Scope, note_id: str) -> None:
        statement = scoped(notes, scope).delete().where(COLUMNS.id == note_id)
        async with self._database.write() as connection:
            if not (await connection.execute(statement)).rowcount:
                raise NotFound(kind="note", id=note_id)


def _note(row: Any) -> Note:
    return Note(id=row.id, text=row.text, created_at=time_of(row.created_at), run_id=row.run_id)
