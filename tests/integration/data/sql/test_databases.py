"""Every real database passes the conformance suite, and cancels on its server."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.integration.data.sql.conftest import SECRET, Server
from tests.support.patience import found
from tests.support.processes import below

from tablewright.data.sql.base import Database
from tablewright.data.sql.children import QueryChildren
from tablewright.data.sql.conformance import DatabaseConformance
from tablewright.data.sql.files import FileEngine
from tablewright.data.sql.guarded import GuardedDatabase
from tablewright.data.sql.mariadb import MariaEngine
from tablewright.data.sql.postgres import PostgresEngine
from tablewright.errors import DatabaseAway, DatabaseDenied

COUNTING = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT COUNT(*) FROM n"
CROSSED = f"SELECT COUNT(*) FROM {', '.join(f'orders o{number}' for number in range(17))}"


class TestSqlite(DatabaseConformance):
    @pytest.fixture
    def database(self, sqlite_file: Path, children: QueryChildren) -> Database:
        return GuardedDatabase(FileEngine(sqlite_file, "sqlite", children))

    @pytest.fixture
    def slow(self) -> str:
        return COUNTING


class TestDuckdb(DatabaseConformance):
    @pytest.fixture
    def database(self, duckdb_file: Path, children: QueryChildren) -> Database:
        return GuardedDatabase(FileEngine(duckdb_file, "duckdb", children))

    @pytest.fixture
    def slow(self) -> str:
        return COUNTING


class TestPostgres(DatabaseConformance):
    @pytest.fixture
    async def database(self, postgres: Server) -> AsyncIterator[Database]:
        made = GuardedDatabase(PostgresEngine(postgres.reader))
        yield made
        await made.close()

    @pytest.fixture
    def slow(self) -> str:
        return COUNTING

    async def test_the_server_no_longer_works_on_what_was_cancelled(self, postgres: Server) -> None:
        running = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'WITH RECURSIVE n%'"
        await _cancelled(GuardedDatabase(PostgresEngine(postgres.reader)), lambda: _count(postgres, running))

    async def test_a_password_is_in_no_error(self, postgres: Server) -> None:
        wrong = replace(postgres.reader, port=1, options={}, host="127.0.0.1")
        with pytest.raises(DatabaseAway) as caught:
            await GuardedDatabase(PostgresEngine(wrong)).query("SELECT 1")
        assert SECRET not in f"{caught.value} {caught.value.params} {wrong!r} {wrong}"

    async def test_what_the_role_may_not_read_is_told(self, postgres: Server) -> None:
        postgres.rows("CREATE TABLE IF NOT EXISTS secret (a int)")
        database = GuardedDatabase(PostgresEngine(postgres.reader))
        with pytest.raises(DatabaseDenied):
            await database.query("SELECT * FROM secret")
        assert "secret" not in {table.name for table in (await database.explore()).tables}
        postgres.rows("DROP TABLE secret")


class TestMariadb(DatabaseConformance):
    @pytest.fixture
    def database(self, mariadb: Server) -> Database:
        return GuardedDatabase(MariaEngine(mariadb.reader))

    @pytest.fixture
    def slow(self) -> str:
        return CROSSED

    async def test_the_server_no_longer_works_on_what_was_cancelled(self, mariadb: Server) -> None:
        processes = "SELECT count(*) FROM information_schema.PROCESSLIST"
        running = f"{processes} WHERE COMMAND = 'Query' AND INFO LIKE 'SELECT COUNT(*) FROM orders%'"
        await _cancelled(GuardedDatabase(MariaEngine(mariadb.reader)), lambda: _count(mariadb, running), CROSSED)

    async def test_a_password_is_in_no_error(self, mariadb: Server) -> None:
        wrong = replace(mariadb.reader, password=SECRET + "!")
        with pytest.raises(DatabaseAway) as caught:
            await GuardedDatabase(MariaEngine(wrong)).query("SELECT 1")
        assert SECRET not in f"{caught.value} {caught.value.params} {wrong!r} {wrong}"

    async def test_what_the_role_may_not_read_is_told(self, mariadb: Server) -> None:
        database = GuardedDatabase(MariaEngine(mariadb.reader))
        with pytest.raises(DatabaseDenied):
            await database.query("SELECT * FROM other.secret")


async def test_the_process_of_a_cancelled_call_is_gone(sqlite_file: Path, children: QueryChildren) -> None:
    database = GuardedDatabase(FileEngine(sqlite_file, "sqlite", children))
    before = below(os.getpid())
    call = asyncio.create_task(database.query(COUNTING, timeout_s=60))
    started = await found(lambda: _grown(before))
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert not started & below(os.getpid())


async def _grown(before: set[int]) -> set[int] | None:
    return below(os.getpid()) - before or None


async def _count(server: Server, sql: str) -> int:
    rows = await asyncio.to_thread(server.rows, sql)
    return int(rows[0][0])


async def _cancelled(database: Database, count: Callable[[], Awaitable[int]], sql: str = COUNTING) -> None:
    call = asyncio.create_task(database.query(sql, timeout_s=60))

    async def runs() -> bool | None:
        return await count() > 0 or None

    async def rests() -> bool | None:
        return await count() == 0 or None

    await found(runs)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await found(rests)
