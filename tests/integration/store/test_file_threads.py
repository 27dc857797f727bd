"""On a file, a transaction is one step of a thread: a busy machine delays it once, not at every statement."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from tablewright.domain.message import Message, TextPart, TranscriptEntry
from tablewright.store.conformance.examples import ANN, batch, begun, conversation, progress
from tablewright.store.sql import SqlStore
from tablewright.store.sql.file_threads import FileThreads


@contextmanager
def steps(store: SqlStore) -> Iterator[list[str]]:
    """List the steps of threads that reads and writes take, and hold that no other connection is used."""
    taken: list[str] = []
    threads = store.database.threads
    assert threads is not None
    done = FileThreads._done

    async def noted(self: FileThreads, pool: Any, engine: Any, work: Any) -> Any:
        taken.append("write" if engine is self.writes else "read")
        return await done(self, pool, engine, work)

    def refused() -> Any:
        raise AssertionError("a connection of many steps was used")

    with pytest.MonkeyPatch.context() as patching:
        patching.setattr(FileThreads, "_done", noted)
        patching.setattr(store.database, "_connection", refused)
        yield taken


async def test_what_a_run_writes_and_reads_takes_one_step_each(sqlite_store: SqlStore) -> None:
    with steps(sqlite_store) as taken:
        await begun(sqlite_store)
        assert taken == ["write", "write"]  # its conversation, and itself
        taken.clear()
        said = TranscriptEntry(message=Message(role="user", parts=(TextPart(text="so", origin="user"),)))
        await sqlite_store.log.append(ANN, replace(batch(*progress(2)), transcript=(said,)))
        await sqlite_store.log.append(ANN, batch(*progress(1)))
        assert taken == ["write", "write"]
        taken.clear()
        await sqlite_store.log.events(ANN, "r-1")
        await sqlite_store.log.transcript(ANN, "r-1")
        await sqlite_store.runs.get(ANN, "r-1")
        await sqlite_store.runs.children(ANN, "r-1")
        assert taken == ["read"] * 4


async def test_who_looks_into_an_empty_inbox_writes_nothing(sqlite_store: SqlStore) -> None:
    await begun(sqlite_store)
    with steps(sqlite_store) as taken:
        assert await sqlite_store.log.take(ANN, "r-1", attempt=1) == ()
    assert taken == ["read"]


async def test_a_transaction_that_waits_for_something_else_is_refused_and_undone(sqlite_store: SqlStore) -> None:
    async def waiting(connection: AsyncConnection) -> None:
        await connection.execute(text("INSERT INTO instances VALUES ('i', 'here', 1, 'boot', 0)"))
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="waited for something else"):
        await sqlite_store.database.write_at_once(waiting)

    async def count(connection: AsyncConnection) -> int:
        found: int = (await connection.execute(text("SELECT count(*) FROM instances"))).scalar_one()
        return found

    assert await sqlite_store.database.read_at_once(count) == 0


async def test_readers_do_not_wait_for_a_writer(sqlite_store: SqlStore) -> None:
    await sqlite_store.conversations.add(ANN, conversation())
    async with sqlite_store.database.write() as connection:
        await connection.execute(text("DELETE FROM conversations"))
        assert (await sqlite_store.conversations.get(ANN, conversation().id)).id == conversation().id
