"""Deletions on a full disk."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from tablewright.domain.artifact import BlobRef
from tablewright.domain.ids import SystemClock
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import NotFound, StorageFull
from tablewright.service.space import DiskSpace
from tablewright.store.blobs import BlobFolder
from tablewright.store.memory import MemoryStore
from tablewright.store.reserve import LOW_BYTES, RESERVE_BYTES, DiskReserve

SIZE = 64 * 1024


class Disk:
    """A deletion that needs more space than there is, until the reserve is given up."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.usage = SimpleNamespace(free=LOW_BYTES - 1, total=2 * LOW_BYTES)
        monkeypatch.setattr("shutil.disk_usage", lambda _path: self.usage)
        self.reserve = DiskReserve(folder, size_bytes=SIZE)
        self.blobs = BlobFolder(folder / "blobs", SystemClock())
        self.space = DiskSpace(self.reserve, MemoryStore(), self.blobs, SystemClock(), SystemScope(instance_id="i"))
        self.tries = 0
        self.hashes: tuple[str, ...] = ()

    async def delete(self) -> tuple[str, ...]:
        self.tries += 1
        if (await self.reserve.space()).reserved:
            raise StorageFull
        return self.hashes

    async def blob(self) -> BlobRef:
        ref = await self.blobs.put(Scope(), b"content")
        self.hashes = (ref.sha256,)
        return ref


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(tmp_path, monkeypatch)


async def test_a_deletion_that_finds_no_room_uses_the_reserve_which_is_taken_again(disk: Disk) -> None:
    await disk.reserve.make()
    await disk.space.free(Scope(), disk.delete)
    assert disk.tries == 2
    assert (await disk.reserve.space()).reserved


async def test_a_deletion_that_finds_no_room_and_no_reserve_fails(disk: Disk) -> None:
    async def never() -> tuple[str, ...]:
        raise StorageFull

    with pytest.raises(StorageFull):
        await disk.space.free(Scope(), never)


@pytest.mark.parametrize(("free", "stays"), [(LOW_BYTES - 1, False), (LOW_BYTES, True)])
async def test_blobs_are_removed_with_their_file_where_space_is_scarce(disk: Disk, *, free: int, stays: bool) -> None:
    ref = await disk.blob()
    disk.usage.free = free
    await disk.space.free(Scope(), disk.delete)
    if stays:
        await disk.blobs.path(Scope(), ref.sha256)
    else:
        with pytest.raises(NotFound):
            await disk.blobs.path(Scope(), ref.sha256)


@pytest.mark.parametrize(
    ("free", "full"), [(RESERVE_BYTES - 1, True), (RESERVE_BYTES, True), (2 * RESERVE_BYTES, False)]
)
async def test_a_disk_without_room_for_the_reserve_is_full(disk: Disk, *, free: int, full: bool) -> None:
    disk.usage.free = free
    assert (await disk.reserve.space()).full is full
