"""Old databases come up to date, and a database of the future is left alone."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from tests.support.databases import sqlite_url

from tablewright.errors import StoreUnavailable
from tablewright.store.conformance.examples import ANN, begun, conversation
from tablewright.store.sql import SqlStore, migrations, upgrading
from tablewright.store.sql.tables import metadata


def differences(connection: Connection) -> list[object]:
    return list(compare_metadata(MigrationContext.configure(connection), metadata))


def test_the_last_step_is_the_one_that_a_database_is_compared_with() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    assert ScriptDirectory.from_config(config).get_current_head() == migrations.HEAD


async def test_the_steps_lead_to_the_present_tables(sqlite_store: SqlStore, postgres_store: SqlStore) -> None:
    for store in (sqlite_store, postgres_store):
        async with store.database.read() as connection:
            assert await connection.run_sync(differences) == []


async def test_a_database_of_the_present_form_is_not_touched(
    sqlite_store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sqlite_store.conversations.add(ANN, conversation())
    monkeypatch.setattr(upgrading, "_upgrade", None)
    await sqlite_store.open()
    assert (await sqlite_store.conversations.get(ANN, "c-1")).id == "c-1"


async def test_a_database_of_a_later_version_is_left_alone(sqlite_store: SqlStore) -> None:
    async with sqlite_store.database.write() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreUnavailable, match="later version"):
        await sqlite_store.open()


async def test_two_processes_may_make_one_database_at_the_same_time(tmp_path: Path) -> None:
    stores = [SqlStore(sqlite_url(tmp_path / "data" / "store.db")) for _ in range(3)]
    await asyncio.gather(*(store.open() for store in stores))
    await begun(stores[0])
    assert (await stores[2].runs.get(ANN, "r-1")).last_seq == 1
    for store in stores:
        await store.close()
