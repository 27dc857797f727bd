"""Checks a SQLite database for damage before it is used."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from pathlib import Path

from tablewright.errors import StoreDamaged

log = logging.getLogger(__name__)
STEPS = 10_000
"""How many instructions SQLite executes between two looks at the clock: a few milliseconds."""


async def check(path: Path, *, limit_s: float) -> bool:
    """Run SQLite's quick check for at most `limit_s`; return whether it came to its end.

    Raises `StoreDamaged`. A database of a gigabyte takes some seconds; without a file there is nothing to check.
    """
    return await asyncio.to_thread(_check, path, limit_s)


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
