"""A file that occupies disk space until a deletion needs it.

A database needs space to delete rows: SQLite appends the changed pages to its write-ahead log before anything is freed.
On a full disk nothing could be deleted. The space of the reserve is given up for that, and taken again when there is
room. While it is given up no blob is received, so that nothing else uses what was given up.
"""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tablewright.errors import StorageFull

RESERVE_BYTES = 8 * 1024**2
LOW_BYTES = 1024**3
"""With less free space, deleted files are removed at once instead of after a grace period."""
FILE_NAME = ".reserve"


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """The space of the disk that data is stored on. `free_bytes` is without the reserve."""

    free_bytes: int
    total_bytes: int
    reserved: bool

    @property
    def full(self) -> bool:
        """Whether nothing new can be stored."""
        return self.free_bytes < (RESERVE_BYTES if self.reserved else 2 * RESERVE_BYTES)


class DiskReserve:
    """Holds `size_bytes` of the disk of `folder`, in a file that any process of the folder may give up or restore."""

    def __init__(self, folder: Path, *, size_bytes: int = RESERVE_BYTES) -> None:
        self._folder = folder
        self._path = folder / FILE_NAME
        self._size = size_bytes

    async def space(self) -> Space:
        """Return how much space there is."""
        return await asyncio.to_thread(self.measure)

    async def low(self) -> bool:
        """Return whether space is scarce."""
        return (await self.space()).free_bytes < LOW_BYTES

    async def make(self) -> bool:
        """Allocate the reserve if there is twice as much space; return whether it is allocated."""
        return await asyncio.to_thread(self._make)

    async def give_up(self) -> bool:
        """Free the reserve's space; return whether there was any."""
        return await asyncio.to_thread(self._give_up)

    async def check(self) -> None:
        """Raise `StorageFull` if the reserve was given up and cannot be made again yet."""
        if self._given_up() and not await self.make():
            raise StorageFull(path=str(self._folder))

    def measure(self) -> Space:
        """Return how much space there is, without leaving the thread."""
        usage = shutil.disk_usage(self._folder)
        return Space(free_bytes=usage.free, total_bytes=usage.total, reserved=self._whole())

    def _whole(self) -> bool:
        try:
            return self._path.stat().st_size >= self._size
        except OSError:
            return False

    def _given_up(self) -> bool:
        """Return whether the file exists but has been emptied. Without a file there never was a reserve."""
        return self._path.exists() and not self._whole()

    def _make(self) -> bool:
        if self._whole():
            return True
        if shutil.disk_usage(self._folder).free < 2 * self._size:
            return False
        try:
            with self._path.open("ab") as file:
                os.posix_fallocate(file.fileno(), 0, self._size)
        except OSError as error:  # less space than was reported, or a quota
            self._give_up()
            if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
                return False
            raise
        return True

    def _give_up(self) -> bool:
        with suppress(OSError):
            had = self._path.stat().st_size > 0
            os.truncate(self._path, 0)
            return had
        return False
