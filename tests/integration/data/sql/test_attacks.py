"""Attacks are refused at the parse, and behind it by the server, the session or the role, on real servers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from tests.integration.data.sql.attacks import ATTACKS, OUT, Attack, Holds
from tests.integration.data.sql.conftest import Server
from tests.support.patience import slow

from tablewright.data.sql.base import Dialect, ExploreLimits, QueryRows
from tablewright.data.sql.children import QueryChildren
from tablewright.data.sql.engine import Catalogue, Engine, Statement
from tablewright.data.sql.files import FileEngine
from tablewright.data.sql.guarded import GuardedDatabase
from tablewright.data.sql.mariadb import MariaEngine
from tablewright.data.sql.postgres import PostgresEngine
from tablewright.errors import CallerError, DatabaseSlow

SHORT_S = 1.0
WANTED: dict[Holds, set[str]] = {
    "session": {"refused"},
    "role": {"refused"},
    "time": {"slow", "refused", "ran"},
    "nothing": {"ran", "refused", "slow"},
}
EACH = [(dialect, attack) for dialect, attacks in ATTACKS.items() for attack in attacks]


def _of(dialect: Dialect) -> list[Attack]:
    return list(ATTACKS[dialect])


@pytest.fixture(autouse=True)
def nothing_written() -> Iterator[None]:
    yield
    assert not Path(OUT).exists()


@pytest.mark.parametrize(
    ("dialect", "attack"), EACH, ids=[f"{dialect}-{attack.sql[:50]!r}" for dialect, attack in EACH]
)
async def test_the_parse_refuses_it(dialect: Dialect, attack: Attack) -> None:
    engine = Recorder(dialect)
    with pytest.raises(CallerError):
        await GuardedDatabase(engine).query(attack.sql)
    assert engine.ran == []


def test_there_are_many() -> None:
    assert len(EACH) >= 150


class Recorder:
    """An engine that only notes what would run."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.ran: list[str] = []

    async def run(self, statement: Statement, *, max_rows: int, timeout_s: float) -> QueryRows:
        self.ran.append(statement.sql)
        return QueryRows(columns=(), types=(), rows=())

    async def catalogue(self, limits: ExploreLimits) -> Catalogue:
        return Catalogue(tables=())

    async def close(self) -> None:
        pass


def _count(server: Server) -> list[Any]:
    listed = "SELECT table_name FROM information_schema.tables WHERE table_schema IN ('public', 'shop') ORDER BY 1"
    return [server.rows("SELECT COUNT(*), SUM(amount) FROM orders"), server.rows(listed)]


def _bytes(path: Path) -> bytes:
    return path.read_bytes()


async def _behind(engine: Engine, attack: Attack) -> str:
    """Run an attack without the parse; return what came of it."""
    try:
        await asyncio.wait_for(engine.run(Statement(sql=attack.sql, params={}), max_rows=5, timeout_s=SHORT_S), slow(5))
    except DatabaseSlow:
        return "slow"
    except CallerError:
        return "refused"
    return "ran"


async def _all_behind(dialect: Dialect, owner: Engine, reader: Engine) -> list[str]:
    """Run all attacks behind the parse; return those with which it went otherwise than their list says."""
    wrong = []
    for attack in _of(dialect):
        came = await _behind(reader if attack.holds == "role" else owner, attack)
        if came not in WANTED[attack.holds]:
            wrong.append(f"{attack.holds}: {attack.sql} → {came}")
    return wrong


async def test_postgres_refuses_behind_the_parse(postgres: Server) -> None:
    before = [*_count(postgres), postgres.rows("SELECT last_value, is_called FROM numbers")]
    assert await _all_behind("postgres", PostgresEngine(postgres.owner), PostgresEngine(postgres.reader)) == []
    assert [*_count(postgres), postgres.rows("SELECT last_value, is_called FROM numbers")] == before


async def test_mariadb_refuses_behind_the_parse(mariadb: Server) -> None:
    before = _count(mariadb)
    assert await _all_behind("mysql", MariaEngine(mariadb.owner), MariaEngine(mariadb.reader)) == []
    assert _count(mariadb) == before


async def test_sqlite_refuses_behind_the_parse(sqlite_file: Path, children: QueryChildren) -> None:
    before = _bytes(sqlite_file)
    engine = FileEngine(sqlite_file, "sqlite", children)
    assert await _all_behind("sqlite", engine, engine) == []
    assert _bytes(sqlite_file) == before


async def test_duckdb_refuses_behind_the_parse(duckdb_file: Path, children: QueryChildren) -> None:
    engine = FileEngine(duckdb_file, "duckdb", children)
    before = _bytes(duckdb_file)
    assert await _all_behind("duckdb", engine, engine) == []
    assert _bytes(duckdb_file) == before
    with duckdb.connect(str(duckdb_file), read_only=True) as connection:
        assert connection.execute("SELECT count(*) FROM orders").fetchall() == [(4,)]


async def test_with_a_role_without_rights_only_time_is_lost(postgres: Server) -> None:
    before = _count(postgres)
    for attack in _of("postgres"):
        came = await _behind(PostgresEngine(postgres.reader), attack)
        assert came in WANTED[attack.holds], attack.sql
    assert _count(postgres) == before
