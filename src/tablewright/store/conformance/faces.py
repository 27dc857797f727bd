"""Tests of the stored messages of faces."""

from __future__ import annotations

from dataclasses import replace

from tablewright.domain.scope import SystemScope
from tablewright.errors import NotFound
from tablewright.store.base import Store
from tablewright.store.conformance.examples import ANN, BOB, OTHER_TENANT, after, refused
from tablewright.store.workbook_store import FaceMessage


def told(number: int, *, channel_id: str = "ch-1", message_id: str = "m-1") -> FaceMessage:
    """Make a message with events and a response."""
    return FaceMessage(
        id=f"x-{number}",
        face="excel",
        message_id=message_id,
        channel_id=channel_id,
        uid="u-1",
        created_at=after(number),
        events=({"event": "START", "param": {"n": number, "text": "开始", "list": [1, None, True]}},),
        response={"success": True, "totalRounds": number},
        run_id="r-1",
        details={"sheets": [{"name": "一", "data": [[1.5, None]]}]},
    )


class FacesConformance:
    """Messages by the client's ids."""

    async def test_a_message_comes_back_as_it_was_put(self, store: Store) -> None:
        await store.faces.put(ANN, told(1))
        assert await store.faces.get(ANN, "excel", "m-1") == told(1)
        failed = replace(told(2, message_id="m-2"), response=None, events=(), error="执行失败", run_id=None, details={})
        await store.faces.put(ANN, failed)
        assert await store.faces.get(ANN, "excel", "m-2") == failed

    async def test_a_message_of_the_same_id_is_replaced(self, store: Store) -> None:
        await store.faces.put(ANN, replace(told(1), response=None))
        await store.faces.put(ANN, told(1))
        assert await store.faces.latest(ANN, "excel", "ch-1", limit=5) == (told(1),)

    async def test_the_newest_comes_first(self, store: Store) -> None:
        for number in (2, 1, 3):
            await store.faces.put(ANN, told(number))
        await store.faces.put(ANN, told(4, channel_id="ch-2", message_id="m-2"))
        assert await store.faces.get(ANN, "excel", "m-1") == told(3)
        assert await store.faces.latest(ANN, "excel", "ch-1") == (told(3),)
        assert await store.faces.latest(ANN, "excel", "ch-1", limit=2) == (told(3), told(2))
        assert await store.faces.latest(ANN, "excel", "ch-9") == ()

    async def test_old_messages_of_everybody_are_found_and_removed(self, store: Store) -> None:
        system = SystemScope(instance_id="i-1")
        for number, scope in ((3, BOB), (1, ANN), (2, OTHER_TENANT), (9, ANN)):
            await store.faces.put(scope, told(number))
        found = await store.faces.before(system, "excel", after(4))
        assert [owned.message for owned in found] == [told(1), told(2), told(3)]
        assert [owned.scope for owned in found] == [ANN, OTHER_TENANT, BOB]
        assert await store.faces.before(system, "chat", after(4)) == ()
        assert len(await store.faces.before(system, "excel", after(4), limit=2)) == 2
        await store.faces.remove(BOB, "excel", "x-1")
        await store.faces.remove(ANN, "excel", "x-1")
        await store.faces.remove(ANN, "excel", "x-1")
        assert [owned.message for owned in await store.faces.before(system, "excel", after(4))] == [told(2), told(3)]

    async def test_messages_of_other_owners_tenants_and_faces_do_not_exist(self, store: Store) -> None:
        await store.faces.put(ANN, told(1))
        for scope, face in ((BOB, "excel"), (OTHER_TENANT, "excel"), (ANN, "chat")):
            with refused(NotFound):
                await store.faces.get(scope, face, "m-1")
            assert await store.faces.latest(scope, face, "ch-1") == ()
