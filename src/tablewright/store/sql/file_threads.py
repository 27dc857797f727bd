"""Transactions on a SQLite file, each in one step of a thread.

An asynchronous connection hands every call of the driver to a thread and takes its result in the next turn of the loop:
some fifteen turns for a transaction of three statements, in each of which other work comes first. Here the coroutine of
a transaction is run through within the thread, as it waits for nothing but its statements.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

T = TypeVar("T")
Work = Callable[[AsyncConnection], Coroutine[Any, Any, T]]
"""What is done in a transaction: it awaits nothing but statements of its connection."""
READERS = 3
"""So many transactions read at the same time."""


class FileThreads:
    """Reads and writes the file of `url`, with one connection that writes and `READERS` that read.

    `engine` is the asynchronous engine of the same file.
    """

    def __init__(self, url: URL, engine: AsyncEngine, *, busy_timeout_s: float) -> None:
        self._engine = engine
        self.writes = _engine(url, busy_timeout_s, "BEGIN IMMEDIATE", 1)
        self.reads = _engine(url, busy_timeout_s, "BEGIN", READERS)
        self._writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="writes")
        self._readers = ThreadPoolExecutor(max_workers=READERS, thread_name_prefix="reads")

    async def read(self, work: Work[T]) -> T:
        """Do `work` in a transaction that only reads."""
        return await self._done(self._readers, self.reads, work)

    async def write(self, work: Work[T]) -> T:
        """Do `work` in a transaction, which is committed at its end, or rolled back where it raises."""
        return await self._done(self._writer, self.writes, work)

    async def close(self) -> None:
        """Close the connections, and let the threads end."""
        for threads, engine in ((self._writer, self.writes), (self._readers, self.reads)):
            await asyncio.get_running_loop().run_in_executor(threads, engine.dispose)
            threads.shutdown(wait=False)

    async def _done(self, threads: ThreadPoolExecutor, engine: Engine, work: Work[T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(threads, partial(self._transaction, engine, work))

    def _transaction(self, engine: Engine, work: Work[T]) -> T:
        with engine.begin() as connection:
            return _run_through(work(_AtOnce(self._engine, connection)))


class _AtOnce(AsyncConnection):
    """A connection whose statements are executed where they stand; what is not here is not for such transactions."""

    async def execute(self, statement: Any, parameters: Any = None, *, execution_options: Any = None) -> Any:
        return self._proxied.execute(statement, parameters, execution_options=execution_options)

    async def exec_driver_sql(self, statement: str, parameters: Any = None, execution_options: Any = None) -> Any:
        return self._proxied.exec_driver_sql(statement, parameters, execution_options)

    async def run_sync(self, fn: Callable[..., T], *arg: Any, **kw: Any) -> T:
        return fn(self._proxied, *arg, **kw)


def _run_through(coroutine: Coroutine[Any, Any, T]) -> T:
    try:
        coroutine.send(None)
    except StopIteration as end:
        done: T = end.value
        return done
    coroutine.close()
    raise RuntimeError("a transaction waited for something else than its statements")


def _engine(url: URL, busy_timeout_s: float, begins: str, connections: int) -> Engine:
    given = {"timeout": busy_timeout_s, "check_same_thread": False}
    engine = create_engine(url.set(drivername="sqlite"), connect_args=given, pool_size=connections, max_overflow=0)

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # transactions begin explicitly in `begin` below
        for pragma in ("synchronous=NORMAL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(begins)

    return engine
