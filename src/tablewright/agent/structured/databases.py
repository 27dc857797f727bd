"""Looks at the databases that a run may query, so that its model is told of their tables."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace

from tablewright.data.sql.base import Databases, ExploreLimits
from tablewright.data.sql.selection import relevance
from tablewright.domain.database import DatabaseFacts, DatabaseSchema, TableSchema
from tablewright.domain.language import Language
from tablewright.errors import DatabaseSlow, TablewrightError
from tablewright.texts.errors import describe
from tablewright.tools.query_database import PRIMARY

MOST = 5
"""The most databases that are looked at; further ones are named."""
LOOK_S = 10.0
"""How long looking at one database may take; all are looked at beside each other."""
LIMITS = ExploreLimits(tables=300, columns=120, sample_rows=3, timeout_s=LOOK_S)


async def database_facts(databases: Databases | None, question: str, language: Language) -> tuple[DatabaseFacts, ...]:
    """Return what there is beside the conversation's files, each database with its tables in the order of their use
    for `question`; one that cannot be looked at has the reason."""
    if databases is None:
        return ()
    names = [name for name in await databases.names() if name != PRIMARY]
    looks = (_facts(databases, name, question, language) for name in names[:MOST])
    return (*await asyncio.gather(*looks), *(DatabaseFacts(name=name) for name in names[MOST:]))


def ordered(schema: DatabaseSchema, question: str) -> DatabaseSchema:
    """Return a schema with the tables that the question speaks of first, then those that most others refer to."""
    links = Counter(key.table for table in schema.tables for key in table.foreign_keys)

    def use(table: TableSchema) -> tuple[int, int, int]:
        return (
            -relevance(table, question),
            -(links[table.name] + len(table.foreign_keys)),
            -(table.rows or 0),
        )

    return replace(schema, tables=tuple(sorted(schema.tables, key=use)))


async def _facts(databases: Databases, name: str, question: str, language: Language) -> DatabaseFacts:
    try:
        async with asyncio.timeout(LOOK_S):
            database = await databases.open(name)
            try:
                return DatabaseFacts(name=name, schema=ordered(await database.explore(LIMITS), question))
            finally:
                await database.close()
    except TimeoutError:
        return DatabaseFacts(name=name, problem=describe(DatabaseSlow(limit_s=LOOK_S), language))
    except TablewrightError as error:
        return DatabaseFacts(name=name, problem=describe(error, language))
