"""Safe reading below a folder that untrusted code can write to: never follows links, `..` or special files.

Each path component is opened relative to its parent folder without following links, so that concurrent renames make no
difference; nothing is opened by its full path.
"""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from tablewright.errors import NotFound
from tablewright.sandbox.base import SessionFile

MAX_DEPTH = 32
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


@dataclass(slots=True, kw_only=True)
class Survey:
    """The contents of a folder.

    `disk_bytes` counts sparse files at their full size, since that is their size when they are handed over. `hidden`
    means that some of it could not be inspected, because of its depth or its permissions.
    """

    files: list[SessionFile] = field(default_factory=list[SessionFile])
    entries: int = 0
    disk_bytes: int = 0
    hidden: bool = False


class DetachedFolder:
    """The folder at the top of a file system that this process reaches by a descriptor only.

    The descriptor keeps the file system alive after the last process that had it mounted, until `close`.
    """

    def __init__(self, handle: int) -> None:
        self._handle: int | None = handle
        self._lock = threading.Lock()

    def open(self) -> int:
        """Open the folder anew. Raises OSError after `close`."""
        with self._lock:
            if self._handle is None:
                raise FileNotFoundError(errno.ENOENT, "the session is over")
            return os.open(".", _FOLDER, dir_fd=self._handle)

    def close(self) -> None:
        """Let the file system go, with everything in it; idempotent."""
        with self._lock:
            if self._handle is not None:
                os.close(self._handle)
                self._handle = None


Root = Path | DetachedFolder


def _top(root: Root) -> int:
    return root.open() if isinstance(root, DetachedFolder) else os.open(root, _FOLDER)


def open_file(root: Root, path: str) -> int:
    """Open the regular file `path` below `root` for reading. Raises NotFound for anything else."""
    parts = PurePosixPath(path).parts
    if not parts or ".." in parts or PurePosixPath(path).is_absolute() or "\0" in path:
        raise NotFound(kind="file", id=path)
    try:
        folder = _top(root)
    except OSError as error:
        raise NotFound(kind="file", id=path) from error
    try:
        for part in parts[:-1]:
            deeper = os.open(part, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = deeper
        handle = os.open(parts[-1], _FILE, dir_fd=folder)
    except OSError as error:
        raise NotFound(kind="file", id=path) from error
    finally:
        os.close(folder)
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
        os.close(handle)
        raise NotFound(kind="file", id=path)
    return handle


def survey(root: Root, *, max_entries: int) -> Survey:
    """Count and list the contents of `root`; counting stops after `max_entries`."""
    found = Survey()
    try:
        folder = _top(root)
    except OSError:
        found.hidden = True
        return found
    _visit(folder, "", found, max_entries=max_entries, depth=0)
    found.files.sort(key=lambda file: file.path)
    return found


def _visit(folder: int, prefix: str, found: Survey, *, max_entries: int, depth: int) -> None:
    try:
        with os.scandir(folder) as entries:
            for name, status in _statuses(entries):
                found.entries += 1
                found.disk_bytes += max(status.st_blocks * 512, status.st_size)
                if found.entries > max_entries:
                    return
                if stat.S_ISREG(status.st_mode) and status.st_nlink == 1:
                    file = SessionFile(path=prefix + name, size_bytes=status.st_size, modified_ns=status.st_mtime_ns)
                    found.files.append(file)
                elif stat.S_ISDIR(status.st_mode):
                    _descend(folder, name, prefix, found, max_entries=max_entries, depth=depth)
    except OSError:
        found.hidden = True
    finally:
        os.close(folder)


def _statuses(entries: Iterator[os.DirEntry[str]]) -> Iterator[tuple[str, os.stat_result]]:
    for entry in entries:
        try:
            yield entry.name, entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            continue


def _descend(folder: int, name: str, prefix: str, found: Survey, *, max_entries: int, depth: int) -> None:
    if depth >= MAX_DEPTH:
        found.hidden = True
        return
    try:
        deeper = os.open(name, _FOLDER, dir_fd=folder)
    except FileNotFoundError:
        return
    _visit(deeper, f"{prefix}{name}/", found, max_entries=max_entries, depth=depth + 1)
