"""Remove a folder that untrusted code wrote: of any depth, with three descriptors, and never by following a link.

The way down is by name from folder to folder, the way up by `..`, where each folder must be the one that was left: no
path is longer than one name, and nothing is called recursively.
"""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_HANDLE = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True, kw_only=True)
class _Level:
    """A folder on the way down: its name in the one above, its identity, and the folders in it that remain."""

    name: str
    identity: tuple[int, int]
    folders: list[str]


def remove(folder: Path) -> None:
    """Remove `folder` with everything in it; do nothing if it does not exist.

    Raises OSError for what cannot be removed, or was moved meanwhile.
    """
    try:
        handle = _opened(os.fspath(folder), None)
    except FileNotFoundError:
        return
    try:
        way = [_level(os.fspath(folder), handle)]
        while way:
            if way[-1].folders:
                name = way[-1].folders.pop()
                handle = _replaced(handle, _opened(name, handle))
                way.append(_level(name, handle))
                continue
            empty = way.pop()
            if way:
                handle = _replaced(handle, _above(handle, way[-1]))
                os.rmdir(empty.name, dir_fd=handle)
    finally:
        os.close(handle)
    folder.rmdir()


def _replaced(before: int, after: int) -> int:
    os.close(before)
    return after


def _level(name: str, folder: int) -> _Level:
    """Remove all that is no folder in `folder`."""
    with os.scandir(folder) as entries:
        kinds = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    for entry, is_folder in kinds:
        if not is_folder:
            os.unlink(entry, dir_fd=folder)
    return _Level(name=name, identity=_identity(folder), folders=[entry for entry, is_folder in kinds if is_folder])


def _identity(folder: int) -> tuple[int, int]:
    status = os.fstat(folder)
    return status.st_dev, status.st_ino


def _above(folder: int, expected: _Level) -> int:
    handle = os.open("..", _FOLDER, dir_fd=folder)
    if _identity(handle) != expected.identity:
        os.close(handle)
        raise OSError(errno.EBUSY, "the folder was moved while it was removed", expected.name)
    return handle


def _opened(name: str, parent: int | None) -> int:
    """Open a folder, with the permissions that code may have removed from it."""
    try:
        handle = os.open(name, _FOLDER, dir_fd=parent)
    except PermissionError:
        _permit(name, parent)
        handle = os.open(name, _FOLDER, dir_fd=parent)
    if stat.S_IMODE(os.fstat(handle).st_mode) & 0o700 != 0o700:
        try:
            os.fchmod(handle, 0o700)
        except BaseException:
            os.close(handle)
            raise
    return handle


def _permit(name: str, parent: int | None) -> None:
    """Let the owner read, write and enter the folder `name`."""
    handle = os.open(name, _HANDLE, dir_fd=parent)
    try:
        Path(f"/proc/self/fd/{handle}").chmod(0o700)
    finally:
        os.close(handle)
