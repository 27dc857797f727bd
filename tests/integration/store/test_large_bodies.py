"""Large events of a log are blobs, which go with the log; who reads it does not notice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.support.databases import opened

from tablewright.domain.events import OutputTable, OutputText, TextDelta
from tablewright.domain.ids import SystemClock
from tablewright.domain.table import Table
from tablewright.errors import InternalError
from tablewright.store.blobs import BlobFolder
from tablewright.store.bodies import INLINE_BYTES
from tablewright.store.conformance.examples import ANN, SYSTEM, after, batch, begun, conversation, end_of
from tablewright.store.sql import SqlStore

TABLE = OutputTable(table=Table(columns=("数",), rows=tuple((f"{n} 行",) for n in range(9_000)), total_rows=9_000))
LARGE = (OutputText(text="x" * (INLINE_BYTES + 1)), TABLE, OutputText(text="数" * (INLINE_BYTES // 3)))
SMALL = (OutputText(text="x" * 1000), OutputText(text="x" * (INLINE_BYTES - 1000)))


@pytest.fixture
def blobs(tmp_path: Path) -> BlobFolder:
    return BlobFolder(tmp_path / "blobs", SystemClock())


@pytest.fixture
async def store(plain: SqlStore, blobs: BlobFolder) -> AsyncIterator[SqlStore]:
    """A store with blobs on the database of `plain`."""
    large = await opened(url_of(plain), blobs=blobs)
    yield large
    await large.close()


def url_of(store: SqlStore) -> str:
    return store.database.engine.url.render_as_string(hide_password=False)


async def bodies(store: SqlStore) -> list[str]:
    async with store.database.read() as connection:
        rows = await connection.execute(text("SELECT body FROM events ORDER BY run_id, seq"))
        return [str(row.body) for row in rows]


async def unreferenced(store: SqlStore, blobs: BlobFolder) -> int:
    kept = (await blobs.older_than(SYSTEM, SystemClock().now().replace(year=2999)))["acme"]
    return len(await store.files.unreferenced(SYSTEM, "acme", kept))


class LargeBodies:
    @pytest.mark.requirement("events-large-by-reference")
    async def test_large_events_come_back_as_they_were_put_and_take_little_room(
        self, store: SqlStore, blobs: BlobFolder
    ) -> None:
        await begun(store)
        await store.log.append(ANN, batch(*SMALL, *LARGE))
        found = await store.log.events(ANN, "r-1", after=1)
        assert [event.body for event in found] == [*SMALL, *LARGE]
        (table,) = await store.log.events(ANN, "r-1", types=("output.table",))
        assert table.body == TABLE
        kept = await bodies(store)
        assert [len(body) < 100 for body in kept[1:]] == [False, False, True, True, True]
        assert len((await blobs.older_than(SYSTEM, SystemClock().now().replace(year=2999)))["acme"]) == len(LARGE)
        assert await unreferenced(store, blobs) == 0

    @pytest.mark.requirement("events-large-by-reference")
    async def test_the_blobs_of_a_log_are_let_go_with_its_conversation_and_not_with_another(
        self, store: SqlStore, blobs: BlobFolder
    ) -> None:
        await begun(store)
        await store.conversations.add(ANN, conversation("c-2"))
        await store.log.append(ANN, batch(*LARGE))
        await store.log.append(ANN, batch(*LARGE))
        await store.conversations.remove(ANN, "c-2")
        assert await unreferenced(store, blobs) == 0
        await store.conversations.remove(ANN, "c-1")
        assert await unreferenced(store, blobs) == len(LARGE)

    async def test_a_large_delta_is_left_alone_by_who_joins_the_small_ones(self, store: SqlStore) -> None:
        await begun(store)
        deltas = [TextDelta(text=words) for words in ("a", "b", "x" * (INLINE_BYTES + 1), "c", "d")]
        await store.log.append(ANN, batch(*deltas))
        await store.log.append(ANN, end_of())
        assert await store.log.compact(SYSTEM, before=after(10_000)) == 1
        events = await store.log.events(ANN, "r-1", types=("text.delta",))
        assert [(event.from_seq, event.seq) for event in events] == [(2, 3), (None, 4), (5, 6)]
        said = "".join(event.body.text for event in events if isinstance(event.body, TextDelta))
        assert said == "".join(delta.text for delta in deltas)

    async def test_a_store_without_the_blobs_that_its_log_stands_on_says_so(
        self, store: SqlStore, plain: SqlStore
    ) -> None:
        await begun(store)
        await store.log.append(ANN, batch(*LARGE))
        with pytest.raises(InternalError):
            await plain.log.events(ANN, "r-1")


class TestSqlite(LargeBodies):
    @pytest.fixture
    def plain(self, sqlite_store: SqlStore) -> SqlStore:
        return sqlite_store


class TestPostgres(LargeBodies):
    @pytest.fixture
    def plain(self, postgres_store: SqlStore) -> SqlStore:
        return postgres_store


async def test_without_blobs_everything_stays_in_its_row(sqlite_store: SqlStore) -> None:
    await begun(sqlite_store)
    await sqlite_store.log.append(ANN, batch(*LARGE))
    assert all(len(body) >= INLINE_BYTES // 3 for body in (await bodies(sqlite_store))[1:])
    assert [event.body for event in await sqlite_store.log.events(ANN, "r-1", after=1)] == list(LARGE)
