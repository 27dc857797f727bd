"""PostgreSQL notifications to every process about runs to look at.

The rows are authoritative; notifications only wake up their readers.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

from sqlalchemy import Connection, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from tablewright.errors import StoreUnavailable
from tablewright.store.run_store import RunNotice
from tablewright.store.sql.database import Database

CHANNEL = "tablewright_runs"
GREW, CANCEL = "grew", "cancel"


async def tell(connection: AsyncConnection, *run_ids: str, cancel: bool = False) -> None:
    """Notify other processes of these runs once the transaction is committed."""
    await connection.run_sync(tell_at_once, *run_ids, kind=CANCEL if cancel else GREW)


def tell_at_once(connection: Connection, *run_ids: str, kind: str = GREW) -> None:
    """Notify other processes of these runs once the transaction is committed."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(*(func.pg_notify(CHANNEL, f"{kind} {run_id}") for run_id in run_ids)))


async def listen(database: Database) -> AsyncIterator[RunNotice]:
    """Yield notifications received on a dedicated connection. Ends at once if the database is a file."""
    if database.is_sqlite:
        return
    import psycopg  # installed with the extra `postgres`

    try:
        async with await psycopg.AsyncConnection.connect(database.conninfo, autocommit=True) as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            async for told in connection.notifies():
                kind, _, run_id = told.payload.partition(" ")
                yield RunNotice(run_id=run_id, cancel=kind == CANCEL)
    except psycopg.Error as error:
        raise StoreUnavailable(words=str(error), url=database.name) from error
