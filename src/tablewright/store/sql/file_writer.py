"""Short transactions on a SQLite file, each in one step of a thread.

An asynchronous connection hands every call of the driver to a thread and takes its result in the next turn of the loop:
some fifteen turns for a transaction of three statements, in each of which other work comes first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, create_engine, event

T = TypeVar("T")


class FileWriter:
    """Writes to the file of `url` with one connection, made with the first transaction."""

    def __init__(self, url: URL, *, busy_timeout_s: float) -> None:
        given = {"timeout": busy_timeout_s, "check_same_thread": False}
        self.engine = create_engine(url.set(drivername="sqlite"), connect_args=given, pool_size=1, max_overflow=0)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="appends")
        self._used = False

        @event.listens_for(self.engine, "connect")
        def configure(connection: Any, _record: Any) -> None:
            connection.isolation_level = None  # transactions begin explicitly in `begin` below
            for pragma in ("synchronous=NORMAL", "foreign_keys=ON"):
                connection.execute(f"PRAGMA {pragma}")

        @event.listens_for(self.engine, "begin")
        def begin(connection: Connection) -> None:
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Do `work` in a transaction, which is committed at its end, or rolled back where it raises."""
        self._used = True
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._transaction, work)

    async def close(self) -> None:
        """Close the connection, and let the thread end."""
        if self._used:
            await asyncio.get_running_loop().run_in_executor(self._thread, self.engine.dispose)
            self._thread.shutdown(wait=False)

    def _transaction(self, work: Callable[[Connection], T]) -> T:
        with self.engine.begin() as connection:
            return work(connection)
