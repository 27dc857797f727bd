"""What every store of blobs does."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

from tablewright.domain.artifact import BlobRef
from tablewright.domain.scope import Scope
from tablewright.errors import NotFound
from tablewright.store.base import BlobStore
from tablewright.store.conformance.examples import ANN, BOB, OTHER_TENANT, SYSTEM, refused

FUTURE = datetime.now(UTC) + timedelta(days=36500)


async def pieces(*content: bytes) -> AsyncIterator[bytes]:
    """Yield `content` as a stream does."""
    for piece in content:
        await asyncio.sleep(0)
        yield piece


async def read(blobs: BlobStore, scope: Scope, sha256: str) -> bytes:
    """Read a whole blob."""
    return b"".join([piece async for piece in blobs.open(scope, sha256)])


class BlobsConformance:
    """Bytes by their hash, whole or absent."""

    async def test_bytes_come_back_under_their_hash(self, blobs: BlobStore) -> None:
        whole = b"a" * 700_000 + "数".encode() * 300_000
        ref = await blobs.put(ANN, pieces(whole[:1], b"", whole[1:900_000], whole[900_000:]))
        assert ref == BlobRef(sha256=hashlib.sha256(whole).hexdigest(), size_bytes=len(whole))
        assert await read(blobs, ANN, ref.sha256) == whole
        path = await blobs.path(ANN, ref.sha256)
        assert await asyncio.to_thread(path.read_bytes) == whole

    async def test_nothing_is_a_blob_too(self, blobs: BlobStore) -> None:
        ref = await blobs.put(ANN, b"")
        assert ref.size_bytes == 0
        assert await read(blobs, ANN, ref.sha256) == b""

    async def test_owners_of_a_tenant_share_and_tenants_do_not(self, blobs: BlobStore) -> None:
        ref = await blobs.put(ANN, b"x")
        assert await read(blobs, BOB, ref.sha256) == b"x"
        with refused(NotFound):
            await read(blobs, OTHER_TENANT, ref.sha256)

    async def test_a_name_that_is_no_hash_leads_nowhere(self, blobs: BlobStore) -> None:
        for name in ("", "../secret", "ab", "A" * 64, "g" * 64, "0" * 64):
            with refused(NotFound):
                await read(blobs, ANN, name)

    async def test_tenants_may_be_called_anything(self, blobs: BlobStore) -> None:
        for tenant in ("..", ".", "a/b", "租户", ".incoming", "%2E"):
            scope = Scope(tenant=tenant)
            ref = await blobs.put(scope, tenant.encode())
            assert await read(blobs, scope, ref.sha256) == tenant.encode()
        assert set(await blobs.older_than(SYSTEM, FUTURE)) == {"..", ".", "a/b", "租户", ".incoming", "%2E"}

    async def test_content_that_breaks_off_leaves_nothing(self, blobs: BlobStore) -> None:
        async def broken() -> AsyncIterator[bytes]:
            yield b"some"
            raise ConnectionResetError

        with refused(ConnectionResetError):
            await blobs.put(ANN, broken())
        assert await blobs.older_than(SYSTEM, FUTURE) == {}

    async def test_what_is_staged_is_kept_only_on_demand(self, blobs: BlobStore) -> None:
        async with blobs.stage(ANN, pieces(b"one", b"two")) as dropped:
            path = dropped.path
            assert await asyncio.to_thread(path.read_bytes) == b"onetwo"
        assert not await asyncio.to_thread(path.exists)
        with refused(NotFound):
            await read(blobs, ANN, dropped.ref.sha256)
        async with blobs.stage(ANN, b"onetwo") as kept:
            await kept.keep()
        assert await read(blobs, ANN, kept.ref.sha256) == b"onetwo"

    async def test_a_blob_is_removed_unless_it_was_put_again(self, blobs: BlobStore) -> None:
        past = datetime(1990, 1, 1, tzinfo=UTC)
        ref = await blobs.put(ANN, b"x")
        assert await blobs.older_than(SYSTEM, past) == {}
        assert await blobs.older_than(SYSTEM, FUTURE) == {"acme": (ref.sha256,)}
        assert not await blobs.remove(SYSTEM, "acme", ref.sha256, before=past)
        assert await blobs.remove(SYSTEM, "acme", ref.sha256, before=FUTURE)
        assert not await blobs.remove(SYSTEM, "acme", ref.sha256, before=FUTURE)
        with refused(NotFound):
            await read(blobs, ANN, ref.sha256)

    async def test_a_blob_is_not_removed_before_what_staged_it_has_ended(self, blobs: BlobStore) -> None:
        async with blobs.stage(ANN, b"x") as staged:
            await staged.keep()
            assert not await blobs.remove(SYSTEM, "acme", staged.ref.sha256, before=FUTURE)
            assert await read(blobs, ANN, staged.ref.sha256) == b"x"
        assert await blobs.remove(SYSTEM, "acme", staged.ref.sha256, before=FUTURE)

    async def test_the_same_bytes_put_at_the_same_time_are_one_blob(self, blobs: BlobStore) -> None:
        refs = await asyncio.gather(*(blobs.put(ANN, pieces(b"same" * 1000)) for _ in range(8)))
        assert len(set(refs)) == 1
        assert await read(blobs, ANN, refs[0].sha256) == b"same" * 1000
        assert await blobs.older_than(SYSTEM, FUTURE) == {"acme": (refs[0].sha256,)}

    async def test_a_blob_that_is_renewed_is_as_if_put_again(self, blobs: BlobStore) -> None:
        ref = await blobs.put(ANN, b"x")
        before = datetime.now(UTC)
        await blobs.renew(ANN, ref.sha256)
        assert not await blobs.remove(SYSTEM, "acme", ref.sha256, before=before)
        assert await read(blobs, ANN, ref.sha256) == b"x"
        with refused(NotFound):
            await blobs.renew(ANN, "00" * 32)
        with refused(NotFound):
            await blobs.renew(OTHER_TENANT, ref.sha256)
