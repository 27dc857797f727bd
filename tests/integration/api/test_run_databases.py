"""What the tools of a run may query: the conversation's files, and the connections of the tenant."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest
from tests.support.parts import FakeParts

from tablewright.bootstrap.databases import LazyDatabases
from tablewright.data.sql.base import SourceFile
from tablewright.domain.scope import Scope
from tablewright.errors import ConnectionInvalid, DatabaseUnknown
from tablewright.service.databases.connections import ConnectionPolicy

OPERATOR = Scope(operator=True)


async def test_a_run_queries_its_files_and_the_connections_of_its_tenant(tmp_path: Path) -> None:
    sales, shop = tmp_path / "x", tmp_path / "shop.db"
    await asyncio.to_thread(sales.write_text, "city,amount\nOslo,3\nBergen,4\n", encoding="utf-8")
    with sqlite3.connect(shop) as connection:
        connection.execute("CREATE TABLE orders AS SELECT 7 AS id")
    connection.close()
    parts = FakeParts(folder=tmp_path / "data", databases=LazyDatabases(ConnectionPolicy(folders=(tmp_path,))))
    async with parts.opening() as app:
        await app.connections.create(OPERATOR, "shop", f"sqlite:///{shop}")
        run = app.connections.for_run(Scope(owner="ann"), [SourceFile(path=sales, name="sales.csv")])
        assert await run.names() == ("primary", "shop")
        for name, sql, rows in (
            ("primary", "SELECT SUM(amount) FROM sales", ((7,),)),
            ("shop", "SELECT id FROM orders", ((7,),)),
            ("primary", "SELECT city FROM sales WHERE amount > :least", (("Bergen",),)),
        ):
            database = await run.open(name)
            assert (await database.query(sql, {"least": 3})).rows == rows
            await database.close()
        with pytest.raises(DatabaseUnknown):
            await run.open("other")
        other = app.connections.for_run(Scope(tenant="other"), [])
        assert await other.names() == ("primary",)
        with pytest.raises(DatabaseUnknown):
            await other.open("shop")
        await run.close()


async def test_a_connection_that_the_settings_no_longer_allow_is_not_opened(tmp_path: Path) -> None:
    shop = tmp_path / "shop.db"
    sqlite3.connect(shop).close()
    parts = FakeParts(folder=tmp_path / "data", databases=LazyDatabases(ConnectionPolicy(folders=(tmp_path,))))
    async with parts.opening() as app:
        await asyncio.to_thread(shop.touch)
        await app.connections.create(OPERATOR, "shop", f"sqlite:///{shop}")
    parts.databases = LazyDatabases()
    async with parts.opening() as app:
        with pytest.raises(ConnectionInvalid):
            await app.connections.open(OPERATOR, "shop")
