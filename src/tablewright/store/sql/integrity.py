"""Checks a database before it is used: a SQLite file for damage, any for being there where stored files need it."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from pathlib import Path

from sqlalchemy import inspect

from tablewright.errors import StoreDamaged, StoreMissing
from tablewright.store.sql.database import Database
from tablewright.store.sql.upgrading import VERSION_TABLE

log = logging.getLogger(__name__)
STEPS = 10_000
"""How many instructions SQLite executes between two looks at the clock: a few milliseconds."""


async def check(path: Path, *, limit_s: float) -> bool:
    """Run SQLite's quick check for at most `limit_s`; return whether it came to its end.

    Raises `StoreDamaged`. A database of a gigabyte takes some seconds; without a file there is nothing to check.
    """
    return await asyncio.to_thread(_check, path, limit_s)


async def require_database(database: Database, blobs: Path) -> None:
    """Raise `StoreMissing` if there are blobs below the folder `blobs`, but no database or one without any table.

    A new database would know none of them and have them removed.
    """
    if not await asyncio.to_thread(_has_blobs, blobs) or await _begun(database):
        return
    place = str(database.file or database.name)
    raise StoreMissing(url=place, path=place, blobs=str(blobs))


async def _begun(database: Database) -> bool:
    if database.file is not None:
        return await asyncio.to_thread(lambda file: file.is_file() and file.stat().st_size > 0, database.file)
    async with database.read() as connection:
        return bool(await connection.run_sync(lambda known: inspect(known).has_table(VERSION_TABLE)))


def _has_blobs(folder: Path) -> bool:
    return next(folder.glob("[!.]*/??"), None) is not None


def _check(path: Path, limit_s: float) -> bool:
    if not path.is_file() or not path.stat().st_size:
        return True
    ends_at = time.monotonic() + limit_s
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    try:
        connection.set_progress_handler(lambda: time.monotonic() > ends_at, STEPS)
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
            return False  # locked or not readable: opening it says why
        log.warning("the database is too large to be checked in %.0f s; `tablewright doctor` checks all of it", limit_s)
        return False
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
            return False  # opening it says so
        raise StoreDamaged(words=str(error), path=str(path)) from error
    finally:
        connection.close()
    if found != "ok":
        raise StoreDamaged(words=str(found).partition("\n")[0], path=str(path))
    return True
