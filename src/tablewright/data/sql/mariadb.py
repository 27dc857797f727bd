"""MariaDB and MySQL: each statement in a session of its own, whose transactions the server keeps read-only.

The driver blocks, so that a statement runs in a thread. A caller that is cancelled, or is out of time, has a second
connection kill the statement on the server, which also ends the thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pymysql
from pymysql.constants import CR, ER, FIELD_TYPE
from pymysql.cursors import SSCursor

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
SQL_MODE = "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO"
"""Without `ANSI_QUOTES` and `NO_BACKSLASH_ESCAPES`: the server has to read quotes as the guard does."""
SLOW = frozenset({ER.QUERY_INTERRUPTED, 1969, 3024, ER.LOCK_WAIT_TIMEOUT})
DENIED = frozenset({1044, 1142, 1143, 1227, 1370})
READ_ONLY = frozenset({1792, 1290, 1836})
TABLES = """
SELECT t.TABLE_SCHEMA, t.TABLE_NAME, t.TABLE_ROWS FROM information_schema.TABLES t
WHERE t.TABLE_SCHEMA NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys')
AND t.TABLE_TYPE <> 'SEQUENCE' AND (DATABASE() IS NULL OR t.TABLE_SCHEMA = DATABASE()) ORDER BY 1, 2
"""
COLUMNS = """
SELECT c.TABLE_SCHEMA, c.TABLE_NAME, c.COLUMN_NAME, c.COLUMN_TYPE, c.IS_NULLABLE FROM information_schema.COLUMNS c
WHERE c.TABLE_SCHEMA NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys')
AND (DATABASE() IS NULL OR c.TABLE_SCHEMA = DATABASE()) ORDER BY 1, 2, c.ORDINAL_POSITION
"""
KEYS = """
SELECT k.TABLE_SCHEMA, k.TABLE_NAME, k.CONSTRAINT_NAME, k.COLUMN_NAME, k.REFERENCED_TABLE_NAME, k.REFERENCED_COLUMN_NAME
FROM information_schema.KEY_COLUMN_USAGE k
WHERE (k.CONSTRAINT_NAME = 'PRIMARY' OR k.REFERENCED_TABLE_NAME IS NOT NULL)
AND (DATABASE() IS NULL OR k.TABLE_SCHEMA = DATABASE()) ORDER BY 1, 2, 3, k.ORDINAL_POSITION
"""
Result = TypeVar("Result")
_TYPES = {number: name.lower() for name, number in vars(FIELD_TYPE).items() if isinstance(number, int)}


@dataclass(slots=True, kw_only=True)
class _Work:
    """One call in its thread: the session's number on the server, once it is known, and whether it is to end."""

    thread_id: int | None = None
    unwanted: threading.Event = field(default_factory=threading.Event)


class MariaEngine:
    """Implements `Engine`."""

    def __init__(self, address: Address) -> None:
        self._address = address

    @property
    def dialect(self) -> Dialect:
        return "mysql"

    async def run(self, statement: Statement, *, max_rows: int, timeout_s: float) -> QueryRows:
        def work(connection: Any) -> QueryRows:
            return _rows(connection, statement, max_rows)

        return await self._in_session(work, timeout_s)

    async def catalogue(self, limits: ExploreLimits) -> Catalogue:
        def work(connection: Any) -> Catalogue:
            return _catalogue(connection, limits)

        return await self._in_session(work, limits.timeout_s)

    async def close(self) -> None:
        """Do nothing: a session ends with its statement."""

    async def _in_session(self, work: Callable[[Any], Result], timeout_s: float) -> Result:
        call = _Work()
        running = asyncio.ensure_future(asyncio.to_thread(self._worked, work, call, timeout_s))
        try:
            done, _ = await asyncio.wait({running}, timeout=timeout_s + GRACE_S)
        except asyncio.CancelledError:
            await asyncio.shield(self._end(call, running))
            raise
        if not done:
            await self._end(call, running)
            raise DatabaseSlow(limit_s=timeout_s)
        return running.result()

    async def _end(self, call: _Work, running: asyncio.Future[Any]) -> None:
        """Kill the statement on the server and wait for the thread, which ends by that."""
        call.unwanted.set()
        if call.thread_id is not None and not running.done():
            await asyncio.to_thread(self._kill, call.thread_id)
        await asyncio.wait({running}, timeout=CONNECT_S)
        if running.done() and not running.cancelled():
            running.exception()

    def _kill(self, thread_id: int) -> None:
        with contextlib.suppress(pymysql.Error, DatabaseFailed):
            connection = self._connected()
            try:
                with connection.cursor() as cursor:
                    cursor.execute(f"KILL QUERY {thread_id}")
            finally:
                connection.close()

    def _worked(self, work: Callable[[Any], Result], call: _Work, timeout_s: float) -> Result:
        with self._session(call, timeout_s) as connection:
            if call.unwanted.is_set():
                raise DatabaseSlow(limit_s=timeout_s)
            return work(connection)

    @contextmanager
    def _session(self, call: _Work, timeout_s: float) -> Iterator[Any]:
        connection = self._connected()
        call.thread_id = connection.thread_id()
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET SESSION sql_mode = %s", (SQL_MODE,))
                if "mariadb" in str(connection.get_server_info()).lower():
                    cursor.execute("SET SESSION max_statement_time = %s", (timeout_s,))
                else:
                    cursor.execute("SET SESSION max_execution_time = %s", (int(timeout_s * 1000),))
                cursor.execute("SET SESSION lock_wait_timeout = 5")
                cursor.execute("SET SESSION TRANSACTION READ ONLY")
                cursor.execute("START TRANSACTION READ ONLY")
            yield connection
        except pymysql.Error as error:
            raise _failure(error, self._address, timeout_s) from error
        finally:
            _drop(connection)

    def _connected(self) -> Any:
        given = self._address
        try:
            return pymysql.connect(
                host=given.host or "localhost",
                port=given.port or 3306,
                user=given.user,
                password=given.password,
                database=given.database or None,
                unix_socket=given.options.get("unix_socket"),
                charset=given.options.get("charset", "utf8mb4"),
                connect_timeout=CONNECT_S,
                autocommit=True,
                local_infile=False,
                ssl=_ssl(given),
                program_name="tablewright",
            )
        except (pymysql.Error, RuntimeError) as error:
            words = given.without_secrets(_words(error))
            raise DatabaseAway(address=str(given), words=words) from error


def _ssl(address: Address) -> dict[str, str | None] | None:
    """Return the driver's options for TLS; None without it."""
    if address.options.get("sslmode", "disable") == "disable":
        return None
    return {"ca": address.options.get("sslrootcert")}


def _drop(connection: Any) -> None:
    """Close the connection at once: the rest of a result that was not read is not waited for."""
    with contextlib.suppress(Exception):
        connection._force_close()  # noqa: SLF001  # `close` would first read all that is left


def _rows(connection: Any, statement: Statement, max_rows: int) -> QueryRows:
    cursor = SSCursor(connection)
    cursor.execute(statement.sql, dict(statement.params) or None)
    described: Sequence[Any] = cursor.description or ()
    rows: list[tuple[Cell, ...]] = []
    truncated, bytes_left = False, MOST_BYTES
    while described and (row := cursor.fetchone()) is not None:
        if len(rows) == max_rows or bytes_left <= 0:
            truncated = True
            break
        rows.append(tuple(cell(value) for value in row))
        bytes_left -= weight(rows[-1])
    return QueryRows(
        columns=tuple(str(column[0]) for column in described),
        types=tuple(_TYPES.get(column[1], str(column[1])) for column in described),
        rows=tuple(rows),
        truncated=truncated,
    )


def _catalogue(connection: Any, limits: ExploreLimits) -> Catalogue:
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        tables = cursor.fetchall()
        cursor.execute(COLUMNS)
        columns = cursor.fetchall()
        cursor.execute(KEYS)
        keys = cursor.fetchall()
        cursor.execute("SELECT DATABASE()")
        alone = cursor.fetchone()[0] is not None
    taken = tables[: limits.tables]
    found = tuple(_table(row, columns, keys, limits, alone=alone) for row in taken)
    return Catalogue(tables=found, left_out=len(tables) - len(taken))


def _table(
    row: Sequence[Any], columns: Sequence[Any], keys: Sequence[Any], limits: ExploreLimits, *, alone: bool
) -> TableSchema:
    own = (row[0], row[1])
    mine = [
        ColumnSchema(name=line[2], type=str(line[3]), nullable=line[4] == "YES")
        for line in columns
        if (line[0], line[1]) == own
    ]
    of_keys: dict[str, list[Any]] = {}
    for line in keys:
        if (line[0], line[1]) == own:
            of_keys.setdefault(line[2], []).append(line)
    foreign = tuple(
        ForeignKey(
            columns=tuple(line[3] for line in lines), table=lines[0][4], references=tuple(line[5] for line in lines)
        )
        for lines in of_keys.values()
        if lines[0][4] is not None
    )
    return TableSchema(
        name=row[1],
        schema=None if alone else row[0],
        columns=tuple(mine[: limits.columns]),
        primary_key=tuple(line[3] for line in of_keys.get("PRIMARY", ())),
        foreign_keys=foreign,
        rows=None if row[2] is None else int(row[2]),
    )


def _words(error: Exception) -> str:
    return str(error.args[-1] if error.args else error).strip() or type(error).__name__


def _failure(error: pymysql.Error, address: Address, timeout_s: float) -> DatabaseFailed:
    words = address.without_secrets(_words(error))
    code = error.args[0] if error.args and isinstance(error.args[0], int) else 0
    if code in SLOW:
        return DatabaseSlow(limit_s=timeout_s)
    if code in READ_ONLY:
        return StatementRefused("statement_read_only", part=words)
    if code in DENIED:
        return DatabaseDenied(words=words)
    if code in {ER.NO_SUCH_TABLE, ER.UNKNOWN_TABLE}:
        return TableUnknown(words=words)
    if code == ER.BAD_FIELD_ERROR:
        return ColumnUnknown(words=words)
    if code in {CR.CR_SERVER_LOST, CR.CR_SERVER_GONE_ERROR, CR.CR_CONN_HOST_ERROR}:
        return DatabaseAway(address=str(address), words=words)
    if isinstance(error, pymysql.ProgrammingError | pymysql.DataError | pymysql.NotSupportedError):
        return StatementWrong(words=words)
    return DatabaseFailed(words=words)
