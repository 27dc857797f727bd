"""Distinguish disk problems from database problems in SQLite's errors."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

from tablewright.errors import StorageFull, StorageUnwritable, TablewrightError

CROWDED_BYTES = 256 * 1024
"""With less free space, SQLite cannot open a database: the shared memory of its write-ahead log does not fit."""
HINTS = frozenset({sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY})


def disk_trouble(file: Path, code: int, words: str) -> TablewrightError | None:
    """Return the error for a disk that is full or not writable, or None for a database problem.

    SQLite's own errors only hint at the cause.
    """
    kind = code & 0xFF  # the upper bits are the extended code
    if kind not in HINTS or not file.parent.is_dir():
        return None
    if not all(os.access(place, os.W_OK) for place in (file.parent, file) if place.exists()):
        return StorageUnwritable(words=words, path=str(file.parent))
    if shutil.disk_usage(file.parent).free < CROWDED_BYTES:
        return StorageFull(words=words, path=str(file))
    return None
