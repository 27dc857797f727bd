"""Connections of the one pool, when many ask for one at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import event, text
from tests.support.patience import PATIENCE_S

from tablewright.errors import StoreUnavailable
from tablewright.store.sql import SqlStore, database
from tablewright.store.sql.database import CONNECTIONS, Database

WAITING = 200
LATER = 600


async def entered(one: Database) -> None:
    async with one.read():
        await asyncio.sleep(0)


@pytest.fixture
async def kept(tmp_path: Path) -> AsyncIterator[Database]:
    made = Database(f"sqlite+aiosqlite:///{tmp_path / 'store.db'}")
    yield made
    await made.close()


async def test_nobody_is_overtaken_by_all_who_ask_later(kept: Database) -> None:
    """Readers ask while others wait; each later one would overtake them if the pool gave to whoever asks first."""
    served: list[int] = []
    readers: list[asyncio.Task[None]] = []

    async def read(number: int) -> None:
        async with kept.read() as connection:
            await connection.execute(text("SELECT 1"))
            served.append(number)
        if len(readers) < LATER:
            readers.append(asyncio.create_task(read(len(readers))))

    readers.extend(asyncio.create_task(read(number)) for number in range(WAITING))
    while any(not reader.done() for reader in readers):
        await asyncio.gather(*readers)
    # a connection that must be opened first delays its reader by some that find one open
    assert max(place - number for place, number in enumerate(served)) < WAITING
    assert len(served) == LATER


async def test_who_waits_too_long_for_a_connection_is_told_so(kept: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "CONNECTION_WAIT_S", 0.01)
    held = [kept.read() for _ in range(CONNECTIONS)]
    for one in held:
        await one.__aenter__()
    with pytest.raises(StoreUnavailable, match="no connection was free"):
        async with kept.read():
            pass
    for one in held:
        await one.__aexit__(None, None, None)
    async with kept.read() as connection:
        assert (await connection.execute(text("SELECT 1"))).scalar() == 1


async def test_a_long_queue_that_moves_is_no_reason_to_give_up(kept: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each waits longer than nobody may be served, but somebody is served all the time."""
    monkeypatch.setattr(database, "CONNECTION_WAIT_S", 1.5)
    served: list[int] = []

    async def read(number: int) -> None:
        async with kept.read():
            await asyncio.sleep(0.1)
            served.append(number)

    async with asyncio.timeout(PATIENCE_S):
        await asyncio.gather(*map(read, range(CONNECTIONS * 18)))
    assert len(served) == CONNECTIONS * 18


async def test_the_turn_of_a_reader_who_goes_away_is_anothers(kept: Database) -> None:
    """Readers leave before, while and after they are given what others give back."""
    for breaths in range(6):
        held = [kept.read() for _ in range(CONNECTIONS)]
        for one in held:
            await one.__aenter__()
        waits = [asyncio.create_task(entered(kept)) for _ in range(4)]
        await asyncio.sleep(0)
        for one in held:
            await one.__aexit__(None, None, None)
        for _ in range(breaths):
            await asyncio.sleep(0)
        for task in waits:
            task.cancel()
        await asyncio.gather(*waits, return_exceptions=True)
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*(entered(kept) for _ in range(CONNECTIONS)))


async def test_connections_to_a_server_stay_open(postgres_store: SqlStore) -> None:
    opened: list[object] = []
    event.listen(postgres_store.database.engine.sync_engine, "connect", lambda one, _: opened.append(one))

    async def read() -> None:
        async with postgres_store.database.read() as connection:
            await connection.execute(text("SELECT 1"))

    for _ in range(5):
        await asyncio.gather(*(read() for _ in range(CONNECTIONS * 2)))
    assert len(opened) <= CONNECTIONS
