"""PostgreSQL: each statement in a session of its own, in a transaction that the server keeps read-only."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import Any

import psycopg
from psycopg import errors as pg
from psycopg.rows import tuple_row

from tablewright.data.sql.address import Address
from tablewright.data.sql.base import ColumnSchema, Dialect, ExploreLimits, ForeignKey, QueryRows, TableSchema
from tablewright.data.sql.cells import MOST_BYTES, cell, weight
from tablewright.data.sql.engine import Catalogue, Statement
from tablewright.domain.table import Cell
from tablewright.errors import (
    ColumnUnknown,
    DatabaseAway,
    DatabaseDenied,
    DatabaseFailed,
    DatabaseSlow,
    StatementRefused,
    StatementWrong,
    TableUnknown,
)

CONNECT_S = 10
GRACE_S = 2.0
"""How much longer than the server the client waits for the end of a statement."""
SESSION = (
    "SET default_transaction_read_only = on",
    "SET standard_conforming_strings = on",
    "SET lock_timeout = '5s'",
    "SET client_connection_check_interval = '2s'",
    "SET datestyle = 'ISO, YMD'",
)
TABLES = """
SELECT c.oid, n.nspname, c.relname, pg_catalog.pg_table_is_visible(c.oid), c.reltuples::bigint, count(*) OVER ()
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
AND n.nspname NOT LIKE 'pg\\_toast%%' AND n.nspname NOT LIKE 'pg\\_temp%%' AND NOT c.relispartition
AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_table_privilege(c.oid, 'SELECT')
ORDER BY n.nspname, c.relname LIMIT %(limit)s
"""
COLUMNS = """
SELECT a.attrelid, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), NOT a.attnotnull
FROM pg_catalog.pg_attribute a WHERE a.attrelid = ANY(%(ids)s) AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attrelid, a.attnum
"""
KEYS = """
SELECT k.conrelid, k.contype, f.relname,
  (SELECT array_agg(a.attname::text ORDER BY u.place) FROM unnest(k.conkey) WITH ORDINALITY u(number, place)
   JOIN pg_catalog.pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.number),
  (SELECT array_agg(a.attname::text ORDER BY u.place) FROM unnest(k.confkey) WITH ORDINALITY u(number, place)
   JOIN pg_catalog.pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.number)
FROM pg_catalog.pg_constraint k LEFT JOIN pg_catalog.pg_class f ON f.oid = k.confrelid
WHERE k.conrelid = ANY(%(ids)s) AND k.contype IN ('p', 'f') ORDER BY k.conname
"""


class PostgresEngine:
    """Implements `Engine`."""

    def __init__(self, address: Address) -> None:
        self._address = address

    @property
    def dialect(self) -> Dialect:
        return "postgres"

    async def run(self, statement: Statement, *, max_rows: int, timeout_s: float) -> QueryRows:
        async with self._session(timeout_s) as connection:
            cursor = connection.cursor(row_factory=tuple_row)
            rows: list[tuple[Cell, ...]] = []
            truncated, bytes_left = False, MOST_BYTES
            # a stream is sent as one statement: a second one behind a semicolon is an error of the server
            async with aclosing(_stream(cursor, statement)) as stream:
                async for row in stream:
                    if len(rows) == max_rows or bytes_left <= 0:
                        truncated = True
                        break
                    rows.append(tuple(cell(value) for value in row))
                    bytes_left -= weight(rows[-1])
            described = cursor.description or ()
            names = tuple(str(column.name) for column in described)
            types = tuple(str(column.type_display) for column in described)
            return QueryRows(columns=names, types=types, rows=tuple(rows), truncated=truncated)

    async def catalogue(self, limits: ExploreLimits) -> Catalogue:
        async with self._session(limits.timeout_s) as connection:
            cursor = connection.cursor(row_factory=tuple_row)
            found = await (await cursor.execute(TABLES, {"limit": limits.tables})).fetchall()
            ids = {"ids": [row[0] for row in found]}
            columns = await (await cursor.execute(COLUMNS, ids)).fetchall()
            keys = await (await cursor.execute(KEYS, ids)).fetchall()
        tables = tuple(_table(row, columns, keys, limits) for row in found)
        return Catalogue(tables=tables, left_out=(found[0][5] - len(found)) if found else 0)

    async def close(self) -> None:
        """Do nothing: a session ends with its statement."""

    @asynccontextmanager
    async def _session(self, timeout_s: float) -> AsyncIterator[psycopg.AsyncConnection[Any]]:
        """Open a read-only session. A caller that is cancelled, or is out of time, has the server cancel its work."""
        connection = await self._connected()
        try:
            async with asyncio.timeout(timeout_s + GRACE_S):
                for words in (*SESSION, f"SET statement_timeout = {int(timeout_s * 1000)}"):
                    with contextlib.suppress(pg.UndefinedObject):  # a setting that this version does not have
                        await connection.execute(words)
                await connection.execute("BEGIN TRANSACTION READ ONLY")
                await connection.execute("SELECT 1")  # from now on the server refuses to make it a writing one
                yield connection
        except TimeoutError as error:
            await _cancel(connection)
            raise DatabaseSlow(limit_s=timeout_s) from error
        except psycopg.Error as error:
            raise _failure(error, self._address, timeout_s) from error
        except BaseException:
            await asyncio.shield(_cancel(connection))
            raise
        finally:
            await connection.close()

    async def _connected(self) -> psycopg.AsyncConnection[Any]:
        given = self._address
        options = {**given.options} if not given.host else {**given.options, "host": given.host}
        try:
            return await psycopg.AsyncConnection.connect(
                autocommit=True,
                host=options.get("host"),
                port=given.port,
                dbname=given.database or None,
                user=given.user or None,
                password=given.password or None,
                sslmode=options.get("sslmode"),
                sslrootcert=options.get("sslrootcert"),
                connect_timeout=CONNECT_S,
                application_name="tablewright",
            )
        except psycopg.Error as error:
            words = given.without_secrets(_words(error))
            raise DatabaseAway(address=str(given), words=words) from error


async def _stream(cursor: psycopg.AsyncCursor[Any], statement: Statement) -> AsyncGenerator[tuple[Any, ...]]:
    async for row in cursor.stream(statement.sql, statement.params or None):
        yield row


async def _cancel(connection: psycopg.AsyncConnection[Any]) -> None:
    with contextlib.suppress(psycopg.Error):
        await connection.cancel_safe(timeout=GRACE_S)


def _words(error: psycopg.Error) -> str:
    """Return the server's own sentence, else the first line of the driver's."""
    said = error.diag.message_primary or str(error)
    return said.strip().splitlines()[0] if said.strip() else type(error).__name__


def _failure(error: psycopg.Error, address: Address, timeout_s: float) -> DatabaseFailed:
    words = address.without_secrets(_words(error))
    state = error.sqlstate or ""
    if isinstance(error, pg.QueryCanceled | pg.LockNotAvailable):
        return DatabaseSlow(limit_s=timeout_s)
    if isinstance(error, pg.ReadOnlySqlTransaction):
        return StatementRefused("statement_read_only", part=words)
    if isinstance(error, pg.InsufficientPrivilege):
        return DatabaseDenied(words=words)
    if isinstance(error, pg.UndefinedTable):
        return TableUnknown(words=words)
    if isinstance(error, pg.UndefinedColumn):
        return ColumnUnknown(words=words)
    if state[:2] in {"42", "22", "26"}:
        return StatementWrong(words=words)
    if state[:2] in {"08", "57", "53"} or (not state and isinstance(error, psycopg.OperationalError)):
        return DatabaseAway(address=str(address), words=words)
    return DatabaseFailed(words=words)


def _table(
    row: Sequence[Any], columns: Sequence[Sequence[Any]], keys: Sequence[Sequence[Any]], limits: ExploreLimits
) -> TableSchema:
    own, schema, name, visible, estimate, _ = row
    mine = [ColumnSchema(name=line[1], type=line[2], nullable=line[3]) for line in columns if line[0] == own]
    primary = next((tuple(line[3]) for line in keys if line[0] == own and _text(line[1]) == "p"), ())
    foreign = tuple(
        ForeignKey(columns=tuple(line[3]), table=line[2], references=tuple(line[4]))
        for line in keys
        if line[0] == own and _text(line[1]) == "f"
    )
    return TableSchema(
        name=name,
        schema=None if visible else schema,
        columns=tuple(mine[: limits.columns]),
        primary_key=primary,
        foreign_keys=foreign,
        rows=estimate if estimate >= 0 else None,
    )


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
