"""Creates the store named by a database URL."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from tablewright.bootstrap.loader import MEMORY_STORE, SQL_STORE, load
from tablewright.settings.tree import Settings
from tablewright.store.base import BlobStore, Store

MEMORY = "memory:"
DRIVERS = {
    "postgres://": "postgresql+psycopg://",
    "postgresql://": "postgresql+psycopg://",
    "sqlite://": "sqlite+aiosqlite://",
}
FILE_NAME = "tablewright.db"
BLOBS_FOLDER = "blobs"


def database_url(settings: Settings, data_dir: Path) -> str:
    """Return the configured URL, or else that of a SQLite file in the data folder."""
    return settings.database.url or f"sqlite+aiosqlite:///{data_dir / FILE_NAME}"


def store_of(settings: Settings, data_dir: Path, blobs: BlobStore | None = None, *, check_s: float = 0.0) -> Store:
    """Return the store, not yet opened: SQLite, PostgreSQL, or for `memory:` one that lasts as long as the process.

    Large parts of its logs go to `blobs`. A SQLite file is checked for damage for at most `check_s` when it is opened.
    A database that has nothing is not opened while the data folder has stored files.
    """
    url = database_url(settings, data_dir)
    if url.startswith(MEMORY):
        return cast(Store, load(MEMORY_STORE)())
    folder = data_dir / BLOBS_FOLDER
    return cast(Store, load(SQL_STORE)(_with_driver(url), blobs=blobs, check_s=check_s, blobs_folder=folder))


def _with_driver(url: str) -> str:
    """Add the bundled driver to `postgres://`, `postgresql://` and `sqlite://` URLs."""
    for plain, full in DRIVERS.items():
        if url.startswith(plain):
            return full + url.removeprefix(plain)
    return url
