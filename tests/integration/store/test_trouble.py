"""What goes wrong with a database is said clearly, and nothing is half written."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from pathlib import Path

import pytest
from tests.support.databases import schema_of_its_own, sqlite_url

from tablewright.domain.events import OutputText
from tablewright.errors import StorageFull, StorageUnwritable, StoreMissing, StoreUnavailable
from tablewright.store.conformance.examples import ANN, batch, begun, conversation, progress
from tablewright.store.sql import SqlStore


@pytest.mark.requirement("store-full-disk-keeps-the-log")
async def test_a_full_disk_is_said_and_the_log_stays_whole(sqlite_store: SqlStore) -> None:
    await begun(sqlite_store)
    async with sqlite_store.database.write() as connection:
        pages = (await connection.exec_driver_sql("PRAGMA page_count")).scalar_one()
    limit = f"PRAGMA max_page_count={pages + 4}"  # it holds for the connection, which is that of all appends
    await sqlite_store.database.write_at_once(lambda connection: connection.exec_driver_sql(limit))
    with pytest.raises(StorageFull) as refused:
        await sqlite_store.log.append(ANN, batch(*progress(2), OutputText(text="x" * 100_000)))
    assert str(refused.value.params["path"]).endswith("store.db")
    assert [event.seq for event in await sqlite_store.log.events(ANN, "r-1")] == [1]
    assert (await sqlite_store.runs.get(ANN, "r-1")).last_seq == 1
    assert await sqlite_store.log.append(ANN, batch(*progress(1))) == 2


async def test_a_database_that_another_process_has_locked_is_said_after_a_bounded_wait(
    sqlite_path: Path,
) -> None:
    store = SqlStore(sqlite_url(sqlite_path), busy_timeout_s=0.1)
    await store.open()
    other = sqlite3.connect(sqlite_path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match="locked"):
        await store.conversations.add(ANN, conversation())
    assert (await store.conversations.find(ANN)).items == ()
    other.execute("ROLLBACK")
    other.close()
    await store.conversations.add(ANN, conversation())
    await store.close()


async def test_two_processes_that_write_wait_for_each_other(sqlite_path: Path) -> None:
    stores = [SqlStore(sqlite_url(sqlite_path)) for _ in range(2)]
    for store in stores:
        await store.open()
    await begun(stores[0])
    await asyncio.gather(*(stores[n % 2].log.append(ANN, batch(*progress(1))) for n in range(40)))
    assert [event.seq for event in await stores[1].log.events(ANN, "r-1")] == list(range(1, 42))
    for store in stores:
        await store.close()


@pytest.mark.requirement("store-files-are-private")
async def test_a_database_and_the_files_beside_it_are_for_its_user_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        store = SqlStore(sqlite_url(tmp_path / "data" / "store.db"))
        await store.open()
        await store.conversations.add(ANN, conversation())
        modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "data").iterdir()}
        await store.close()
    finally:
        os.umask(before)
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    assert modes["store.db"] == 0o600
    assert set(modes.values()) == {0o600}


async def test_a_file_that_is_no_database_is_said(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    path.write_bytes(b"this is not a database" * 100)
    store = SqlStore(sqlite_url(path))
    with pytest.raises(StoreUnavailable, match="not a database"):
        await store.open()
    await store.close()


async def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = SqlStore(sqlite_url(tmp_path / "file" / "store.db"))
    with pytest.raises(StorageUnwritable) as refused:
        await store.open()
    assert refused.value.params["path"] == str(tmp_path / "file")
    await store.close()


async def test_a_server_that_does_not_answer_is_said_without_its_password() -> None:
    store = SqlStore("postgresql+psycopg://ann:secret@127.0.0.1:1/none")
    with pytest.raises(StoreUnavailable) as refused:
        await store.open()
    assert refused.value.params["url"] == "postgresql+psycopg://ann:***@127.0.0.1:1/none"
    await store.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_stored_files_beside_a_database_without_anything_are_said_and_get_no_new_one(
    tmp_path: Path, postgres_url: str, kind: str
) -> None:
    (kept := tmp_path / "blobs" / "local" / "ab").mkdir(parents=True)
    async with schema_of_its_own(postgres_url, "beside_files") as server:
        url = sqlite_url(tmp_path / "new.db") if kind == "sqlite" else server
        for _ in range(2):  # the first leaves no table for the second
            store = SqlStore(url, blobs_folder=tmp_path / "blobs")
            with pytest.raises(StoreMissing) as raised:
                await store.open()
            assert raised.value.params["blobs"] == str(tmp_path / "blobs")
            assert raised.value.params["path"] == str(store.database.file or store.database.name)
            await store.close()
        kept.rmdir()
        first = SqlStore(url, blobs_folder=tmp_path / "blobs")
        await first.open()
        await first.close()
        kept.mkdir()
        again = SqlStore(url, blobs_folder=tmp_path / "blobs")
        await again.open()
        await again.close()
