"""Tables of a database in a conversation: their first rows as files, with the facts that the database tells of all."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from functools import partial

from tablewright.data.base import DatasetProfile, FileProfile
from tablewright.data.sql.base import MAX_ROWS, Database, QueryRows, TableSchema
from tablewright.data.sql.selection import reading, tables_for
from tablewright.domain.connection import AttachedTables, TableNote
from tablewright.domain.dataset import DatabaseColumn, DatabaseTable
from tablewright.domain.scope import Scope
from tablewright.domain.table import Cell
from tablewright.service.databases.statistics import TableStatistics, known_columns, statistics_of
from tablewright.service.files.files import Files

READ_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question, the connection whose tables it is about, and the conversation that it is asked in."""

    connection: str
    question: str
    conversation_id: str


async def attach(files: Files, scope: Scope, database: Database, asked: Asked) -> AttachedTables:
    """Read the first `MAX_ROWS` rows of the tables that a question names into files of the conversation, with what the
    database tells of the rest of them. Raises the errors of `Database`.
    """
    schema = await database.explore()
    chosen = tables_for(asked.question, schema)
    count = len(schema.tables) + schema.left_out
    params: dict[str, str | int] = {"tables": len(chosen), "all": count}
    notes = () if len(chosen) == count else (TableNote(code="database_tables_read", params=params),)
    ids: list[str] = []
    read = await asyncio.gather(*(_read(database, table) for table in chosen))
    for table, (found, told) in zip(chosen, read, strict=True):
        if not found.rows:
            continue
        stored = await files.upload(
            scope,
            name=re.sub(r"[^\w. -]+", "_", table.label)[:80] + ".json",
            content=_columns(found),
            conversation_id=asked.conversation_id,
            known=partial(_known, table, _origin(asked.connection, database, table, found), told),
        )
        ids.append(stored.id)
    return AttachedTables(file_ids=tuple(ids), notes=notes)


async def _read(database: Database, table: TableSchema) -> tuple[QueryRows, TableStatistics]:
    found = await database.query(reading(table, database.dialect), max_rows=MAX_ROWS, timeout_s=READ_S)
    return found, await statistics_of(database, table, found)


def _origin(connection: str, database: Database, table: TableSchema, found: QueryRows) -> DatabaseTable:
    return DatabaseTable(
        connection=connection,
        dialect=database.dialect,
        name=table.name,
        schema=table.schema,
        columns=tuple(DatabaseColumn(name=column.name, type=column.type) for column in table.columns),
        primary_key=table.primary_key,
        foreign_keys=table.foreign_keys,
        held=len(found.rows),
        complete=not found.truncated,
    )


def _known(table: TableSchema, origin: DatabaseTable, told: TableStatistics, profile: FileProfile) -> FileProfile:
    """Return the profile of the first rows with what is known of the table; unchanged if its columns are others."""
    if len(profile.datasets) != 1 or len(profile.datasets[0].facts.columns) != len(origin.columns):
        return profile
    dataset = profile.datasets[0]
    facts = replace(
        dataset.facts,
        name=table.name,
        columns=known_columns(dataset.facts.columns, table, origin, told),
        rows=told.rows,
        exact=origin.complete,
        table=origin,
    )
    names = {declared.name: column.name for declared, column in zip(origin.columns, facts.columns, strict=True)}
    values = {**dataset.values, **{names[name]: one for name, one in told.values.items()}}
    return replace(profile, datasets=(DatasetProfile(facts=facts, values=values),))


async def _columns(found: QueryRows) -> AsyncIterator[bytes]:
    yield await asyncio.to_thread(_encoded, found)


def _encoded(found: QueryRows) -> bytes:
    """Return the rows as an object of columns."""
    columns: dict[str, list[Cell]] = {
        name: [row[place] for row in found.rows] for place, name in enumerate(found.columns)
    }
    return json.dumps(columns, ensure_ascii=False).encode()
