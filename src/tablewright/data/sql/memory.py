"""A database in memory, for tests and embedding: SQLite in this process, behind the same guard."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Iterable, Mapping

from tablewright.data.sql.base import Database, Dialect, ExploreLimits, QueryRows
from tablewright.data.sql.embedded import memory_catalogue, memory_query, sqlite_failure
from tablewright.data.sql.engine import Catalogue, Statement
from tablewright.data.sql.guarded import GuardedDatabase
from tablewright.errors import DatabaseUnknown


class MemoryEngine:
    """Implements `Engine`; `script` makes the tables."""

    def __init__(self, script: str = "") -> None:
        self._connection = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        self._connection.executescript(script)
        self._lock = threading.Lock()

    @property
    def dialect(self) -> Dialect:
        return "sqlite"

    async def run(self, statement: Statement, *, max_rows: int, timeout_s: float) -> QueryRows:
        def work() -> QueryRows:
            with self._lock:
                return memory_query(self._connection, statement, max_rows, timeout_s)

        try:
            return await asyncio.to_thread(work)
        except asyncio.CancelledError:
            self._connection.interrupt()
            raise
        except sqlite3.Error as error:
            raise sqlite_failure(error, "memory", timeout_s) from error

    async def catalogue(self, limits: ExploreLimits) -> Catalogue:
        with self._lock:
            return memory_catalogue(self._connection, limits)

    async def close(self) -> None:
        """Do nothing: the tables last as long as the object."""


def memory_database(script: str = "") -> GuardedDatabase:
    """Return a database with the tables that `script` makes."""
    return GuardedDatabase(MemoryEngine(script))


class MemoryDatabases:
    """Implements `Databases` over given ones."""

    def __init__(self, databases: Mapping[str, Database] | Iterable[tuple[str, Database]] = ()) -> None:
        self._databases = dict(databases)

    async def names(self) -> tuple[str, ...]:
        return tuple(self._databases)

    async def open(self, name: str) -> Database:
        found = self._databases.get(name)
        if found is None:
            raise DatabaseUnknown(name=name, known=", ".join(self._databases))
        return found
