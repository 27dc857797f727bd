"""Tells what a disk does from what SQLite says of it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

from tablewright.errors import StorageFull, StorageUnwritable, TablewrightError

CROWDED_BYTES = 256 * 1024
"""SQLite cannot open a database on a disk with less: its memory of the write-ahead log does not fit."""
HINTS = frozenset({sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY})


def disk_trouble(file: Path, code: int, words: str) -> TablewrightError | None:
    """Tell a disk that is full or may not be written, which SQLite only hints at, from a database that is broken."""
    kind = code & 0xFF  # the rest refines it
    if kind not in HINTS or not file.parent.is_dir():
        return None
    if not all(os.access(place, os.W_OK) for place in (file.parent, file) if place.exists()):
        return StorageUnwritable(words, path=str(file.parent))
    if shutil.disk_usage(file.parent).free < CROWDED_BYTES:
        return StorageFull(words, path=str(file))
    return None
