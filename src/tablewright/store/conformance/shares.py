"""Tests of links to conversations."""

from __future__ import annotations

from dataclasses import replace

from tablewright.domain.scope import Scope
from tablewright.domain.share import OwnedShare, Share
from tablewright.errors import NotFound
from tablewright.store.base import Store
from tablewright.store.conformance.examples import ANN, BOB, OTHER_TENANT, SYSTEM, after, conversation, refused

SHARE = Share(id="s-1", conversation_id="c-1", sha256="ab" * 32, through=3, created_at=after(1), expires_at=after(101))
LATER = replace(SHARE, id="s-2", sha256="cd" * 32, created_at=after(2), expires_at=after(202))


async def kept(store: Store, scope: Scope = ANN, conversation_id: str | None = None) -> list[str]:
    """Return the ids of what is kept, in order."""
    return [share.id for share in await store.shares.all(scope, conversation_id)]


async def shared(store: Store) -> None:
    """Put two links to Ann's conversation into the store."""
    await store.conversations.add(ANN, conversation("c-1"))
    for share in (SHARE, LATER):
        await store.shares.add(ANN, share)


class SharesConformance:
    """Links to the conversations of an owner."""

    async def test_links_come_back_as_they_were_made_newest_first(self, store: Store) -> None:
        await shared(store)
        await store.conversations.add(ANN, conversation("c-2"))
        other = replace(SHARE, id="s-3", conversation_id="c-2", sha256="ef" * 32, created_at=after(3))
        await store.shares.add(ANN, other)
        assert await store.shares.all(ANN) == (other, LATER, SHARE)
        assert await kept(store, conversation_id="c-1") == ["s-2", "s-1"]

    async def test_links_are_made_seen_and_revoked_by_the_owner_alone(self, store: Store) -> None:
        await shared(store)
        for other in (BOB, OTHER_TENANT):
            assert await kept(store, other) == []
            with refused(NotFound):
                await store.shares.all(other, "c-1")
            with refused(NotFound):
                await store.shares.revoke(other, "s-1", at=after(5))
            with refused(NotFound):
                await store.shares.add(other, replace(SHARE, id="s-9", sha256="99" * 32))
        assert await store.shares.all(ANN) == (LATER, SHARE)

    async def test_a_link_is_found_by_its_hash_with_its_owner(self, store: Store) -> None:
        await shared(store)
        assert await store.shares.find(SYSTEM, SHARE.sha256) == OwnedShare(scope=ANN, share=SHARE)
        for wrong in ("ab" * 31, "AB" * 32, "", "%"):
            assert await store.shares.find(SYSTEM, wrong) is None

    async def test_a_revoked_link_says_when_it_was_revoked_first(self, store: Store) -> None:
        await shared(store)
        revoked = replace(SHARE, revoked_at=after(10))
        assert await store.shares.revoke(ANN, "s-1", at=after(10)) == revoked
        assert await store.shares.revoke(ANN, "s-1", at=after(20)) == revoked
        assert await store.shares.find(SYSTEM, SHARE.sha256) == OwnedShare(scope=ANN, share=revoked)
        assert await store.shares.all(ANN) == (LATER, revoked)

    async def test_the_links_of_a_removed_conversation_are_gone(self, store: Store) -> None:
        await shared(store)
        await store.conversations.remove(ANN, "c-1")
        assert await kept(store) == []
        assert await store.shares.find(SYSTEM, SHARE.sha256) is None
        with refused(NotFound):
            await store.shares.add(ANN, SHARE)

    async def test_links_that_were_closed_long_ago_are_forgotten(self, store: Store) -> None:
        await shared(store)
        await store.shares.add(ANN, replace(LATER, id="s-3", sha256="ef" * 32))
        await store.shares.revoke(ANN, "s-3", at=after(50))
        assert await store.shares.forget(SYSTEM, before=after(50)) == 0
        assert await store.shares.forget(SYSTEM, before=after(102)) == 2
        assert await kept(store) == ["s-2"]
