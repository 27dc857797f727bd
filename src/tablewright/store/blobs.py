"""Blobs as files on disk: `<root>/<tenant>/<first two digits>/<sha256>`.

Bytes are written to `<root>/.incoming`, flushed to disk and then renamed into place, so that a blob is either complete
or absent. Storing a blob again renews its time; a lock file makes storing and removing mutually exclusive across
processes. A blob that was staged keeps a second link in `.incoming` until its context ends, and is not removed before:
the row that refers to it may be written meanwhile.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import hashlib
import os
import re
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from operator import methodcaller
from pathlib import Path
from typing import BinaryIO, TypeVar
from urllib.parse import quote, unquote
from weakref import finalize

from tablewright.domain.artifact import BlobRef
from tablewright.domain.ids import Clock
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import NotFound, StorageFull, StorageUnwritable, StoreUnavailable
from tablewright.store.reserve import DiskReserve

READ_BYTES = 256 * 1024
WRITE_BYTES = 1024**2
NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
NO_LEAVE = {errno.EACCES, errno.EPERM, errno.EROFS}
SHA256 = re.compile(r"[0-9a-f]{64}")
File = TypeVar("File", bound=BinaryIO)


@dataclass(slots=True, kw_only=True)
class StagedFile:
    """Implements `StagedBlob` with a file in `.incoming`."""

    path: Path
    ref: BlobRef
    folder: BlobFolder
    scope: Scope

    async def keep(self) -> None:
        """Store it as a blob. Raises `StorageFull`."""
        await asyncio.to_thread(self.folder.move_in, self.path, self.folder.place(self.scope.tenant, self.ref.sha256))


class BlobFolder:
    """Implements `BlobStore` in the folder `root`, which is created when first needed.

    Nothing is received while `reserve` is given up.
    """

    def __init__(self, root: Path, clock: Clock, reserve: DiskReserve | None = None) -> None:
        self._root = root
        self._clock = clock
        self._reserve = reserve

    @asynccontextmanager
    async def stage(self, scope: Scope, content: AsyncIterator[bytes] | bytes) -> AsyncIterator[StagedFile]:
        """Receive `content`, which is discarded unless it is kept before the context ends. Raises `StorageFull`."""
        if self._reserve is not None:
            await self._reserve.check()
        file = await _opened(self._incoming, _discard)
        try:
            ref = await self._receive(file, content)
            yield StagedFile(path=Path(file.name), ref=ref, folder=self, scope=scope)
        finally:
            await asyncio.shield(asyncio.to_thread(_discard, file))  # also for a receiver who is cancelled once more

    async def put(self, scope: Scope, content: AsyncIterator[bytes] | bytes) -> BlobRef:
        """Store `content`. Raises `StorageFull` and whatever `content` raises, in which case nothing is stored."""
        async with self.stage(scope, content) as staged:
            await staged.keep()
        return staged.ref

    async def open(self, scope: Scope, sha256: str) -> AsyncIterator[bytes]:
        """Yield the bytes in pieces. Raises `NotFound`."""
        path = await self.path(scope, sha256)
        with self._translated():
            file = await _opened(partial(path.open, "rb"), methodcaller("close"))
        forgotten = finalize(file, file.raw.close)  # by a reader that failed between two pieces
        try:
            while piece := await asyncio.to_thread(file.read, READ_BYTES):
                yield piece
        finally:
            forgotten.detach()
            file.close()

    async def path(self, scope: Scope, sha256: str) -> Path:
        """Return the file that contains the bytes; read only. Raises `NotFound`."""
        path = self.place(scope.tenant, sha256)
        if not await asyncio.to_thread(path.is_file):
            raise NotFound(kind="blob", id=sha256)
        return path

    async def renew(self, scope: Scope, sha256: str) -> None:
        """Reset a blob's time to now, as if it were stored again. Raises `NotFound`."""
        if not await asyncio.to_thread(self._renew, self.place(scope.tenant, sha256)):
            raise NotFound(kind="blob", id=sha256)

    async def older_than(self, scope: SystemScope, before: datetime) -> dict[str, tuple[str, ...]]:
        """Return, by tenant, the hashes of blobs last stored before `before`.

        Files of that age in `.incoming`, left behind by dead processes, are removed.
        """
        return await asyncio.to_thread(self._older_than, before.timestamp())

    async def remove(self, scope: SystemScope, tenant: str, sha256: str, *, before: datetime) -> bool:
        """Remove a blob unless it was stored again since `before`; return whether it was removed."""
        return await asyncio.to_thread(self._remove, self.place(tenant, sha256), before.timestamp())

    def place(self, tenant: str, sha256: str) -> Path:
        """Return the path of a blob, whether or not it exists."""
        if not SHA256.fullmatch(sha256):
            raise NotFound(kind="blob", id=sha256)
        return self._root / quote(tenant, safe="").replace(".", "%2E") / sha256[:2] / sha256

    def move_in(self, staged: Path, place: Path) -> None:
        """Rename a staged file into place. Its time becomes now, as does that of a blob that already existed."""
        now = self._clock.now().timestamp()
        with self._translated():
            self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
            place.parent.mkdir(parents=True, exist_ok=True)
            os.utime(staged, (now, now))
            with self._locked():
                staged.replace(place)
                with suppress(OSError):  # a file system without links
                    staged.hardlink_to(place)
            _sync_folder(place.parent)

    def _incoming(self) -> BinaryIO:
        with self._translated():
            self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder = self._root / ".incoming"
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=folder)
            os.close(handle)
            return Path(name).open("wb", buffering=WRITE_BYTES)

    async def _receive(self, file: BinaryIO, content: AsyncIterator[bytes] | bytes) -> BlobRef:
        digest, size = hashlib.sha256(), 0
        async for pieces in _batches(content):
            size += sum(map(len, pieces))
            with self._translated():
                await asyncio.to_thread(_write, file, digest, pieces)
        with self._translated():
            await asyncio.to_thread(_sync, file)
        return BlobRef(sha256=digest.hexdigest(), size_bytes=size)

    def _older_than(self, before: float) -> dict[str, tuple[str, ...]]:
        for left in list((self._root / ".incoming").glob("*")):
            with suppress(FileNotFoundError):  # its upload has just ended
                if left.stat().st_mtime < before:
                    left.unlink()
        found: dict[str, tuple[str, ...]] = {}
        for tenant in self._root.glob("[!.]*"):
            old = (path.name for path in tenant.glob("??/*") if path.stat().st_mtime < before)
            found[unquote(tenant.name)] = tuple(sorted(old))
        return {tenant: hashes for tenant, hashes in found.items() if hashes}

    def _renew(self, path: Path) -> bool:
        now = self._clock.now().timestamp()
        with self._translated(), self._locked():
            if not path.is_file():
                return False
            os.utime(path, (now, now))
            return True

    def _remove(self, path: Path, before: float) -> bool:
        with self._translated(), self._locked():
            if not path.is_file() or path.stat().st_mtime >= before or path.stat().st_nlink > 1:
                return False
            path.unlink()
            return True

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the lock between storing and removing, across processes."""
        self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (self._root / ".lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if error.errno in NO_SPACE:
                raise StorageFull(path=str(self._root)) from error
            if error.errno in NO_LEAVE:
                raise StorageUnwritable(words=error.strerror or str(error), path=str(self._root)) from error
            raise StoreUnavailable(words=error.strerror or str(error), url=str(self._root)) from error


async def _batches(content: AsyncIterator[bytes] | bytes) -> AsyncIterator[list[bytes]]:
    """Combine pieces into batches of about `WRITE_BYTES`, so that small ones are not passed to a thread one by one."""
    if isinstance(content, bytes):
        yield [content]
        return
    gathered: list[bytes] = []
    async for piece in content:
        gathered.append(piece)
        if sum(map(len, gathered)) >= WRITE_BYTES:
            yield gathered
            gathered = []
    yield gathered


def _write(file: BinaryIO, digest: hashlib._Hash, pieces: list[bytes]) -> None:
    for piece in pieces:
        digest.update(piece)
        file.write(piece)


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())
    file.close()


async def _opened(open_file: Callable[[], File], close: Callable[[File], None]) -> File:
    """Open a file in a thread. It is opened even for a caller who is cancelled meanwhile: `close` gets it then."""
    opening = asyncio.ensure_future(asyncio.to_thread(open_file))

    def closed(opened: asyncio.Future[File]) -> None:
        if not opened.cancelled() and opened.exception() is None:
            close(opened.result())

    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        opening.add_done_callback(closed)
        raise


def _discard(file: BinaryIO) -> None:
    """Close and remove a file that was not kept; failure to write its remaining bytes does not matter."""
    with suppress(OSError):
        file.close()
    Path(file.name).unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
