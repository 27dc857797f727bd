"""Connections and transactions, and the translation of database errors."""

from __future__ import annotations

import asyncio
import errno
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, Final, TypeVar

from sqlalchemy import URL, Connection, Select, event, make_url
from sqlalchemy.exc import DataError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.util import await_only

from tablewright.errors import InvalidInput, StorageFull, StorageUnwritable, StoreUnavailable, TablewrightError
from tablewright.store.sql.disk import disk_trouble
from tablewright.store.sql.file_threads import FileThreads, Work

T = TypeVar("T")
WRITING = "tablewright_writing"
DISK_FULL = "53100"
"""PostgreSQL's SQLSTATE `disk_full`."""
UPGRADE_WAIT_S = 60.0
"""How long a process waits for another that creates or upgrades the same database."""
CONNECTIONS = 15
"""How many connections a process has open at most."""
CONNECTION_WAIT_S = 30.0
"""How long nobody may get a connection before those who wait are told that there is none."""
_RETRY_S = 0.05
_POOL: Final[dict[str, Any]] = {"pool_size": 5, "max_overflow": CONNECTIONS - 5}


class Database:
    """A database by URL: `sqlite+aiosqlite:///path` or `postgresql+psycopg://…`.

    `references` is False if SQLite should not enforce foreign keys: when a table is recreated, they would delete the
    rows that refer to it.
    """

    def __init__(self, url: str | URL, *, busy_timeout_s: float = 5.0, references: bool = True) -> None:
        self._url = make_url(url)
        self._busy_timeout_s = busy_timeout_s
        self.is_sqlite = self._url.get_backend_name() == "sqlite"
        self.engine = self._sqlite(references=references) if self.is_sqlite else self._server()
        # SQLite allows one writing connection; writers in this process queue here instead of polling the file.
        self._writers = asyncio.Lock() if self.is_sqlite else nullcontext()
        self.threads = self._threads()
        # The pool lets whoever comes later overtake those that wait, until they have waited too long.
        self._turns = asyncio.Semaphore(CONNECTIONS)
        self._given = 0

    @property
    def name(self) -> str:
        """The URL without its password."""
        return self._url.render_as_string(hide_password=True)

    @property
    def conninfo(self) -> str:
        """The URL in the form for PostgreSQL's own library, including the password."""
        return self._url.set(drivername="postgresql").render_as_string(hide_password=False)

    @property
    def file(self) -> Path | None:
        """The file of a SQLite database."""
        return Path(self._url.database) if self.is_sqlite and self._url.database else None

    def for_upgrade(self) -> Database:
        """Return the same database with its own connections, which do not enforce foreign keys."""
        return Database(self._url, busy_timeout_s=max(self._busy_timeout_s, UPGRADE_WAIT_S), references=False)

    def make_folder(self) -> None:
        """Create a database file and its folder, for this user alone. Raises `StorageFull` or `StorageUnwritable`."""
        if not self.is_sqlite or not self._url.database or self._url.database.startswith((":memory:", "file:")):
            return
        file = Path(self._url.database)
        folder = file.parent
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # SQLite gives the files beside it the permissions of this one.
            file.touch(mode=0o600)
        except OSError as error:
            if error.errno in {errno.ENOSPC, errno.EDQUOT}:
                raise StorageFull(words=str(error), path=str(folder)) from error
            raise StorageUnwritable(words=error.strerror or str(error), path=str(folder)) from error

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """Provide a connection in a read-only transaction."""
        with self.translated():
            async with self._connection() as connection, connection.begin():
                yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """Provide a connection in a transaction that is committed at the end, or rolled back on an error."""
        with self.translated():
            async with self._writers, self._connection() as connection:
                await connection.execution_options(**{WRITING: True})
                async with connection.begin():
                    yield connection

    async def read_at_once(self, work: Work[T]) -> T:
        """Do `work`, which awaits nothing but statements, in a transaction as `read` does; soonest on a file."""
        if self.threads is None:
            async with self.read() as connection:
                return await work(connection)
        with self.translated():
            return await self.threads.read(work)

    async def rows(self, statement: Select[Any]) -> Sequence[Any]:
        """Return the rows of one statement."""

        async def found(connection: AsyncConnection) -> Sequence[Any]:
            rows: Sequence[Any] = (await connection.execute(statement)).all()
            return rows

        return await self.read_at_once(found)

    async def write_at_once(self, work: Work[T]) -> T:
        """Do `work`, which awaits nothing but statements, in a transaction as `write` does; soonest on a file."""
        if self.threads is None:
            async with self.write() as connection:
                return await work(connection)
        with self.translated():
            async with self._writers:
                return await self.threads.write(work)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection]:
        """Provide a connection, in the order in which they are asked for. Raises `StoreUnavailable`."""
        if self._turns.locked():
            await self._turn()
        else:
            await self._turns.acquire()
        self._given += 1
        try:
            async with self.engine.connect() as connection:
                yield connection
        finally:
            self._turns.release()

    async def _turn(self) -> None:
        """Wait for a turn: however long the queue is, as long as it moves. Raises `StoreUnavailable`."""
        waiting = asyncio.ensure_future(self._turns.acquire())
        try:
            while not waiting.done():
                before = self._given
                await asyncio.wait((waiting,), timeout=CONNECTION_WAIT_S)
                if not waiting.done() and self._given == before:
                    words = f"no connection was free for {CONNECTION_WAIT_S:g} s"
                    raise StoreUnavailable(words=words, url=self.name)
        except BaseException:
            if not waiting.cancel():
                self._turns.release()
            raise

    async def close(self) -> None:
        """Close every connection."""
        if self.threads is not None:
            await self.threads.close()
            self.threads = self._threads()
        await self.engine.dispose()

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Translate driver errors to `StorageFull`, `StorageUnwritable` or `StoreUnavailable`; others are bugs
        and are passed on."""
        try:
            yield
        except (OperationalError, InterfaceError) as error:
            raise self._meaning(error) from error
        except DataError as error:
            raise InvalidInput("value_not_storable") from error
        except DBAPIError as error:
            if isinstance(error.orig, sqlite3.DatabaseError) and type(error.orig) is sqlite3.DatabaseError:
                raise self._meaning(error) from error
            raise
        except (OSError, PoolTimeout) as error:
            raise StoreUnavailable(words=str(error), url=self.name) from error
        except (UnicodeEncodeError, OverflowError) as error:
            raise InvalidInput("value_not_storable") from error

    def _meaning(self, error: DBAPIError) -> TablewrightError:
        words = str(error.orig)
        code = getattr(error.orig, "sqlite_errorcode", None)
        if code == sqlite3.SQLITE_FULL or getattr(error.orig, "sqlstate", None) == DISK_FULL:
            return StorageFull(words=words, path=self._url.database or self.name)
        if self.is_sqlite and self._url.database and code is not None:
            return disk_trouble(Path(self._url.database), code, words) or StoreUnavailable(words=words, url=self.name)
        return StoreUnavailable(words=words, url=self.name)

    def _sqlite(self, *, references: bool) -> AsyncEngine:
        engine = create_async_engine(self._url, connect_args={"timeout": self._busy_timeout_s}, **_POOL)
        pragmas = ("synchronous=NORMAL", f"foreign_keys={'ON' if references else 'OFF'}")

        @event.listens_for(engine.sync_engine, "connect")
        def configure(connection: Any, _record: Any) -> None:
            connection.isolation_level = None  # transactions begin explicitly in `begin` below
            cursor = connection.cursor()
            _write_ahead(cursor, self._busy_timeout_s)
            for pragma in pragmas:
                cursor.execute(f"PRAGMA {pragma}")
            cursor.close()

        @event.listens_for(engine.sync_engine, "begin")
        def begin(connection: Connection) -> None:
            writing = connection.get_execution_options().get(WRITING)
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

        return engine

    def _threads(self) -> FileThreads | None:
        path = self._url.database if self.is_sqlite else None
        if not path or path.startswith((":memory:", "file:")):
            return None
        return FileThreads(self._url, self.engine, busy_timeout_s=self._busy_timeout_s)

    def _server(self) -> AsyncEngine:
        # All stay open: one that was given back beyond those kept would be opened anew with the next turn, which takes
        # a busy server longer than any statement, and perhaps too long.
        kept = {"pool_size": CONNECTIONS, "max_overflow": 0}
        return create_async_engine(self._url, pool_pre_ping=True, connect_args={"connect_timeout": 5}, **kept)


def _write_ahead(cursor: Any, wait_s: float) -> None:
    """Switch to write-ahead logging. Waits for another process that does the same, since SQLite does not."""
    for _ in range(max(1, round(wait_s / _RETRY_S))):
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            await_only(asyncio.sleep(_RETRY_S))
        else:
            return
    cursor.execute("PRAGMA journal_mode=WAL")
