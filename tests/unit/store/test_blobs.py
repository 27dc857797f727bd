"""Blobs as files on disk."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import pytest
from tests.support.patience import PATIENCE_S, found

from tablewright.domain.ids import SystemClock
from tablewright.domain.scope import Scope
from tablewright.store.blobs import READ_BYTES, BlobFolder
from tablewright.store.conformance import BlobsConformance


class TestBlobFolder(BlobsConformance):
    @pytest.fixture
    def blobs(self, tmp_path: Path) -> BlobFolder:
        return BlobFolder(tmp_path / "blobs", SystemClock())


class ClosingTold:
    """A file that tells when it is closed."""

    def __init__(self, file: IO[Any], closed: threading.Event) -> None:
        self.name = file.name
        self._file = file
        self._closed = closed

    def close(self) -> None:
        self._file.close()
        self._closed.set()


@pytest.mark.requirement("store-files-are-private")
async def test_blobs_are_for_their_user_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        await BlobFolder(tmp_path / "blobs", SystemClock()).put(Scope(), b"secret")
    finally:
        os.umask(before)
    assert (tmp_path / "blobs").stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "blobs").glob("*/??/*")} == {0o600}


async def test_a_blob_whose_reader_is_forgotten_between_two_pieces_is_closed(tmp_path: Path) -> None:
    blobs = BlobFolder(tmp_path / "blobs", SystemClock())
    ref = await blobs.put(Scope(), bytes(2 * READ_BYTES))
    reading = blobs.open(Scope(), ref.sha256)
    await anext(reading)
    circle: list[Any] = [reading]
    circle.append(circle)  # as an error has that keeps the frame in which it was caught
    del reading, circle
    gc.collect()  # a file that is found open is a warning, and a warning is an error

    async def all_closed() -> bool | None:
        await asyncio.sleep(0)  # a thread that has just read may hold it for a moment longer
        return None if any(ref.sha256 in name for name in opened_files()) else True

    assert await found(all_closed)


def opened_files() -> Iterator[str]:
    """Return the names of the files that this process has open."""
    for one in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            yield str(one.readlink())


async def test_a_blob_whose_reader_leaves_while_it_is_opened_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blobs = BlobFolder(tmp_path / "blobs", SystemClock())
    ref = await blobs.put(Scope(), b"content")
    begun, go_on, closed = threading.Event(), threading.Event(), threading.Event()
    real = Path.open

    def slow(path: Path, mode: str) -> IO[Any]:
        begun.set()
        assert go_on.wait(PATIENCE_S)
        return ClosingTold(real(path, mode), closed)  # type: ignore[return-value]

    monkeypatch.setattr(Path, "open", slow)
    reading = asyncio.ensure_future(anext(aiter(blobs.open(Scope(), ref.sha256))))
    assert await asyncio.to_thread(begun.wait, PATIENCE_S)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    go_on.set()
    assert await asyncio.to_thread(closed.wait, PATIENCE_S)


async def test_a_file_for_what_a_sender_no_longer_sends_is_closed_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on, closed = threading.Event(), threading.Event(), threading.Event()
    real = Path.open

    def slow(path: Path, mode: str, buffering: int) -> IO[Any]:
        begun.set()
        assert go_on.wait(PATIENCE_S)
        return ClosingTold(real(path, mode, buffering), closed)  # type: ignore[return-value]

    monkeypatch.setattr(Path, "open", slow)
    sending = asyncio.ensure_future(BlobFolder(tmp_path / "blobs", SystemClock()).put(Scope(), b"content"))
    assert await asyncio.to_thread(begun.wait, PATIENCE_S)
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    go_on.set()
    assert await asyncio.to_thread(closed.wait, PATIENCE_S)
    assert list((tmp_path / "blobs/.incoming").iterdir()) == []
