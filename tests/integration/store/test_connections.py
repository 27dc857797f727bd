"""Connections of the one pool, when many ask for one at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text

from tablewright.errors import StoreUnavailable
from tablewright.store.sql import database
from tablewright.store.sql.database import CONNECTIONS, Database

WAITING = 200
LATER = 600


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
