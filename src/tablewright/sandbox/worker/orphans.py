"""What a process keeps of files that have no name any more: they use space, and no folder shows them.

Such a file lives as long as a descriptor or a mapping of it. A mapping without a descriptor tells neither the file's
size nor its blocks, so that it makes the space unknown.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress

_BLOCK_BYTES = 512
_DELETED = " (deleted)"
_FIELDS = 6


def space(process: int, folders: Sequence[str]) -> int | None:
    """Return the bytes on disk of the deleted files that `process` has open; None if they cannot be known.

    `folders` are those in which it can write, as its list of mappings names them.
    """
    try:
        found = dict(_open(process))
        if any(inode not in found for inode in _mapped(process, folders)):
            # One may have been opened or closed meanwhile.
            found = dict(_open(process))
            if any(inode not in found for inode in _mapped(process, folders)):
                return None
    except OSError:
        # It has ended, or this process may not look at it.
        return 0
    return sum(found.values())


def _open(process: int) -> Iterator[tuple[int, int]]:
    folder = f"/proc/{process}/fd"
    for name in os.listdir(folder):  # noqa: PTH208 - ten times a second
        with suppress(OSError):
            status = os.stat(f"{folder}/{name}")  # noqa: PTH116 - ten times a second
            if stat.S_ISREG(status.st_mode) and (status.st_nlink == 0 or _is_deleted(f"{folder}/{name}")):
                yield status.st_ino, status.st_blocks * _BLOCK_BYTES


def _is_deleted(descriptor: str) -> bool:
    """Return whether the kernel says so; gVisor's counts a name that is gone."""
    return os.readlink(descriptor).endswith(_DELETED)  # noqa: PTH115 - ten times a second


def _mapped(process: int, folders: Sequence[str]) -> set[int]:
    inodes = set()
    with open(f"/proc/{process}/maps", encoding="utf-8", errors="replace") as lines:  # noqa: PTH123 - often
        for line in lines:
            if _DELETED in line:
                fields = line.rstrip("\n").split(maxsplit=_FIELDS - 1)
                path = fields[-1]
                if path.endswith(_DELETED) and any(path.startswith(f"{folder}/") for folder in folders):
                    inodes.add(int(fields[4]))
    return inodes
