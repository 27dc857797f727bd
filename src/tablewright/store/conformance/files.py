"""Tests of stores of files."""

from __future__ import annotations

from dataclasses import replace

from tablewright.domain.artifact import BlobRef
from tablewright.errors import NotFound
from tablewright.store.base import Store
from tablewright.store.conformance.examples import (
    ANN,
    BOB,
    OTHER_TENANT,
    SYSTEM,
    after,
    begun,
    conversation,
    file,
    refused,
    run,
)

ONE = BlobRef(sha256="11" * 32, size_bytes=1)
TWO = BlobRef(sha256="22" * 32, size_bytes=2)


class StoreFilesConformance:
    """Files, their names, their links, and the blobs that they refer to."""

    async def test_a_file_comes_back_as_it_was_put(self, store: Store) -> None:
        put = file("f-1", "门店 销售.csv")
        assert await store.files.add(ANN, put, refs=(ONE,), conversation_id=None) == put
        assert await store.files.get(ANN, "f-1") == put

    async def test_a_file_of_another_owner_or_tenant_does_not_exist(self, store: Store) -> None:
        await store.files.add(ANN, file("f-1"), refs=(), conversation_id=None)
        for stranger in (BOB, OTHER_TENANT):
            with refused(NotFound):
                await store.files.get(stranger, "f-1")
            with refused(NotFound):
                await store.files.remove(stranger, "f-1")
            assert (await store.files.find(stranger)).items == ()

    async def test_a_file_is_not_linked_to_a_conversation_of_another_owner(self, store: Store) -> None:
        await store.conversations.add(BOB, conversation())
        with refused(NotFound):
            await store.files.add(ANN, file("f-1"), refs=(), conversation_id="c-1")
        with refused(NotFound):
            await store.files.get(ANN, "f-1")

    async def test_files_that_are_there_are_linked_once_and_none_if_one_is_not_there(self, store: Store) -> None:
        await store.conversations.add(ANN, conversation())
        for number in (1, 2):
            await store.files.add(ANN, file(f"f-{number}"), refs=(), conversation_id=None)
        await store.files.add(BOB, file("f-3"), refs=(), conversation_id=None)
        for place, ids in (("c-1", ("f-1", "f-3")), ("c-2", ("f-1",))):
            with refused(NotFound):
                await store.files.link(ANN, place, ids)
        assert await store.files.linked(ANN, "c-1") == ()
        await store.files.link(ANN, "c-1", ("f-2",))
        await store.files.link(ANN, "c-1", ("f-1", "f-2"))
        assert [item.id for item in await store.files.linked(ANN, "c-1")] == ["f-2", "f-1"]

    async def test_uploads_keep_their_names_and_files_of_runs_get_a_free_one(self, store: Store) -> None:
        for number in (1, 2):
            await store.files.add(ANN, file(f"f-{number}", "a.csv"), refs=(), conversation_id=None)
        await store.files.add(BOB, file("f-3", "b.csv"), refs=(), conversation_id=None)
        made = [
            (await store.files.add(ANN, file(f"f-{9 - n}", name, run_id="r-1"), refs=(), conversation_id=None)).name
            for n, name in enumerate(("a.csv", "a.csv", "b.csv"))
        ]
        assert made == ["a (2).csv", "a (3).csv", "b.csv"]
        assert [item.name for item in (await store.files.find(ANN)).items] == [*made, "a.csv", "a.csv"]

    async def test_lists_come_in_pages_newest_first_and_by_conversation(self, store: Store) -> None:
        await store.conversations.add(ANN, conversation())
        for number in range(5):
            linked = "c-1" if number % 2 == 0 else None
            await store.files.add(ANN, file(f"f-{number}"), refs=(), conversation_id=linked)
        first = await store.files.find(ANN, limit=3)
        rest = await store.files.find(ANN, limit=3, cursor=first.next_cursor)
        assert [item.id for item in (*first.items, *rest.items)] == ["f-4", "f-3", "f-2", "f-1", "f-0"]
        assert rest.next_cursor is None
        of_one = await store.files.find(ANN, conversation_id="c-1", limit=2)
        assert [item.id for item in of_one.items] == ["f-4", "f-2"]
        assert [item.id for item in await store.files.linked(ANN, "c-1")] == ["f-0", "f-2", "f-4"]

    async def test_files_are_found_by_their_name_and_by_its_beginning(self, store: Store) -> None:
        names = ("code_a.py", "code_b.py", "Code_c.py", "code%.py", "data.csv", "code_b.py")
        for number, name in enumerate(names):
            await store.files.add(ANN, file(f"f-{number}", name), refs=(), conversation_id=None)
        await store.files.add(BOB, file("f-9", "code_b.py"), refs=(), conversation_id=None)
        assert [item.id for item in (await store.files.find(ANN, name="code_b.py")).items] == ["f-5", "f-1"]
        assert [item.id for item in (await store.files.find(ANN, prefix="code_")).items] == ["f-5", "f-1", "f-0"]
        assert [item.id for item in (await store.files.find(ANN, prefix="code%")).items] == ["f-3"]
        first = await store.files.find(ANN, prefix="code_", limit=2)
        rest = await store.files.find(ANN, prefix="code_", limit=2, cursor=first.next_cursor)
        assert [item.id for item in (*first.items, *rest.items)] == ["f-5", "f-1", "f-0"]

    async def test_the_conversations_of_a_file_are_found_the_latest_first(self, store: Store) -> None:
        await store.conversations.add(ANN, conversation())
        await store.files.add(ANN, file("f-1"), refs=(), conversation_id="c-1")
        assert await store.files.conversations(ANN, "f-1") == ("c-1",)
        await begun(store, replace(run(conversation_id="c-2"), file_ids=("f-1",), created_at=after(5)))
        assert await store.files.conversations(ANN, "f-1") == ("c-2", "c-1")
        assert await store.files.conversations(BOB, "f-1") == ()

    async def test_a_removed_file_is_gone_from_its_conversations(self, store: Store) -> None:
        await store.conversations.add(ANN, conversation())
        await store.files.add(ANN, file("f-1"), refs=(), conversation_id="c-1")
        assert await store.files.in_use(ANN, "f-1")
        await store.files.remove(ANN, "f-1")
        assert not await store.files.in_use(ANN, "f-1")
        assert await store.files.linked(ANN, "c-1") == ()
        with refused(NotFound):
            await store.files.get(ANN, "f-1")

    async def test_what_is_known_of_a_file_can_be_written_anew(self, store: Store) -> None:
        await store.files.add(ANN, replace(file("f-1"), datasets=()), refs=(ONE,), conversation_id=None)
        await store.files.replace(ANN, file("f-1"), refs=(TWO,))
        assert (await store.files.get(ANN, "f-1")).datasets == file("f-1").datasets
        assert await store.files.unreferenced(SYSTEM, "acme", (ONE.sha256, TWO.sha256)) == {ONE.sha256}

    async def test_blobs_that_are_referred_to_are_found_the_newest_first(self, store: Store) -> None:
        await store.files.add(ANN, file("f-1"), refs=(ONE, TWO), conversation_id=None)
        await store.files.add(BOB, file("f-2"), refs=(TWO,), conversation_id=None)
        found = await store.files.referenced(SYSTEM, 10)
        assert found == (("acme", TWO.sha256), ("acme", ONE.sha256))
        assert await store.files.referenced(SYSTEM, 1) == found[:1]

    async def test_a_blob_is_unreferenced_when_no_row_of_its_tenant_stands_on_it(self, store: Store) -> None:
        await store.files.add(ANN, file("f-1"), refs=(ONE, TWO, ONE), conversation_id=None)
        await store.files.add(BOB, file("f-2"), refs=(TWO,), conversation_id=None)
        hashes = (ONE.sha256, TWO.sha256)
        assert await store.files.unreferenced(SYSTEM, "acme", hashes) == frozenset()
        assert await store.files.unreferenced(SYSTEM, "globex", hashes) == set(hashes)
        assert set(await store.files.remove(ANN, "f-1")) == set(hashes)
        assert await store.files.unreferenced(SYSTEM, "acme", hashes) == {ONE.sha256}
