"""The reserve of disk space."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from tablewright.domain.ids import SystemClock
from tablewright.domain.scope import Scope
from tablewright.errors import StorageFull
from tablewright.store.blobs import BlobFolder
from tablewright.store.reserve import DiskReserve

SIZE = 64 * 1024


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Return the figures that the disk reports; a test may change them."""
    usage = SimpleNamespace(free=2 * SIZE, total=100 * SIZE)
    monkeypatch.setattr("shutil.disk_usage", lambda _path: usage)
    return usage


async def test_the_reserve_takes_space_gives_it_up_and_takes_it_again(tmp_path: Path) -> None:
    reserve = DiskReserve(tmp_path, size_bytes=SIZE)
    file = tmp_path / ".reserve"
    assert not await reserve.give_up()
    assert await reserve.make()
    assert file.stat().st_blocks * 512 >= SIZE
    assert await reserve.give_up()
    assert file.stat().st_blocks == 0
    assert not await reserve.give_up()
    assert await reserve.make()
    assert (await reserve.space()).reserved


async def test_the_reserve_is_not_taken_where_that_would_fill_the_disk(tmp_path: Path, free: SimpleNamespace) -> None:
    free.free = 2 * SIZE - 1
    assert not await DiskReserve(tmp_path, size_bytes=SIZE).make()
    free.free = 2 * SIZE
    assert await DiskReserve(tmp_path, size_bytes=SIZE).make()


async def test_nothing_is_received_while_the_reserve_is_given_up(tmp_path: Path, free: SimpleNamespace) -> None:
    reserve = DiskReserve(tmp_path, size_bytes=SIZE)
    blobs = BlobFolder(tmp_path / "blobs", SystemClock(), reserve)
    await reserve.make()
    await blobs.put(Scope(), b"before")
    await reserve.give_up()
    free.free = SIZE
    with pytest.raises(StorageFull):
        await blobs.put(Scope(), b"meanwhile")
    free.free = 2 * SIZE
    await blobs.put(Scope(), b"after")
    assert (await reserve.space()).reserved


async def test_a_folder_that_never_had_a_reserve_receives_as_long_as_there_is_room(
    tmp_path: Path, free: SimpleNamespace
) -> None:
    free.free = 10
    blobs = BlobFolder(tmp_path / "blobs", SystemClock(), DiskReserve(tmp_path, size_bytes=SIZE))
    assert (await blobs.put(Scope(), b"x")).size_bytes == 1
