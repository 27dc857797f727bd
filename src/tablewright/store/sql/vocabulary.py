"""The vocabulary in SQL."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, func
from sqlalchemy.ext.asyncio import AsyncConnection

from tablewright.domain.scope import Scope
from tablewright.domain.vocabulary import VocabularyEntry
from tablewright.errors import Conflict, NotFound
from tablewright.store.rules import micros, time_of
from tablewright.store.sql.database import Database
from tablewright.store.sql.scoping import Scoped, scoped
from tablewright.store.sql.vocabulary_tables import vocabulary
from tablewright.store.vocabulary_store import MOST_READINGS, MOST_WORDS

COLUMNS = vocabulary.c


class SqlVocabulary:
    """Implements `VocabularyStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, scope: Scope, entry: VocabularyEntry) -> None:
        ours = scoped(vocabulary, scope)
        async with self._database.write() as connection:
            if entry.kind == "word":
                await _check_room(connection, ours)
            else:
                await _make_room(connection, ours, entry.phrase)
            row = ours.row(
                id=entry.id,
                kind=entry.kind,
                phrase=entry.phrase,
                meaning=entry.meaning,
                created_by=entry.created_by,
                created_at=micros(entry.created_at),
            )
            await connection.execute(ours.insert(), row)

    async def all(self, scope: Scope) -> tuple[VocabularyEntry, ...]:
        return await self._found(scoped(vocabulary, scope).select())

    async def words(self, scope: Scope) -> tuple[VocabularyEntry, ...]:
        return await self._found(scoped(vocabulary, scope).select().where(COLUMNS.kind == "word"))

    async def chosen(self, scope: Scope, phrase: str) -> str | None:
        said = scoped(vocabulary, scope).select().where(COLUMNS.kind == "reading", COLUMNS.phrase == phrase)
        found = await self._found(said)
        return found[-1].meaning if found else None

    async def remove(self, scope: Scope, entry_id: str) -> None:
        statement = scoped(vocabulary, scope).delete().where(COLUMNS.id == entry_id)
        async with self._database.write() as connection:
            if not (await connection.execute(statement)).rowcount:
                raise NotFound(kind="word", id=entry_id)

    async def _found(self, statement: Select[Any]) -> tuple[VocabularyEntry, ...]:
        rows = await self._database.rows(statement.order_by(COLUMNS.created_at, COLUMNS.id))
        return tuple(
            VocabularyEntry(
                id=row.id,
                kind=row.kind,
                phrase=row.phrase,
                meaning=row.meaning,
                created_by=row.created_by,
                created_at=time_of(row.created_at),
            )
            for row in rows
        )


async def _check_room(connection: AsyncConnection, ours: Scoped) -> None:
    count = (await connection.execute(ours.select(func.count(COLUMNS.id)).where(COLUMNS.kind == "word"))).scalar_one()
    if count >= MOST_WORDS:
        raise Conflict("words_most", limit=MOST_WORDS)


async def _make_room(connection: AsyncConnection, ours: Scoped, phrase: str) -> None:
    """Remove the reading that was chosen for the phrase before, and what is too old to stay beside another."""
    await connection.execute(ours.delete().where(COLUMNS.kind == "reading", COLUMNS.phrase == phrase))
    latest_first = (COLUMNS.created_at.desc(), COLUMNS.id.desc())
    too_old = ours.select(COLUMNS.id).where(COLUMNS.kind == "reading").order_by(*latest_first).offset(MOST_READINGS - 1)
    gone = [each.id for each in (await connection.execute(too_old)).all()]
    if gone:
        await connection.execute(ours.delete().where(COLUMNS.id.in_(gone)))
