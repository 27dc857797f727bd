"""Questions of a database, for now: the tables that a question names are read into the conversation, within a bound."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import AsyncIterator

from tablewright.data.sql.base import MAX_ROWS, Database, QueryRows
from tablewright.data.sql.selection import reading, tables_for
from tablewright.domain.connection import AttachedTables, TableNote
from tablewright.domain.scope import Scope
from tablewright.service.files.files import Files

READ_S = 60.0


async def attach(files: Files, scope: Scope, database: Database, question: str, conversation_id: str) -> AttachedTables:
    """Read the first `MAX_ROWS` rows of the tables that a question names into files of the conversation.

    Raises the errors of `Database`.
    """
    schema = await database.explore()
    chosen = tables_for(question, schema)
    count = len(schema.tables) + schema.left_out
    notes = [] if len(chosen) == count else [_note("database_tables_read", tables=len(chosen), all=count)]
    ids: list[str] = []
    for table in chosen:
        found = await database.query(reading(table, database.dialect), max_rows=MAX_ROWS, timeout_s=READ_S)
        if found.truncated:
            notes.append(_note("database_rows_bounded", table=table.label, rows=len(found.rows)))
        if found.rows:
            name = re.sub(r"[^\w. -]+", "_", table.label)[:80] + ".csv"
            stored = await files.upload(scope, name=name, content=_csv(found), conversation_id=conversation_id)
            ids.append(stored.id)
    return AttachedTables(file_ids=tuple(ids), notes=tuple(notes))


def _note(code: str, **params: str | int) -> TableNote:
    return TableNote(code=code, params=params)


async def _csv(found: QueryRows) -> AsyncIterator[bytes]:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(found.columns)
    writer.writerows(found.rows)
    yield text.getvalue().encode()
