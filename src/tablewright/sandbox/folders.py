"""The folders of sessions on the host, created for a lease with copies of its inputs, and removed with it.

<root>/sessions/<id>/shared   the lease's inputs
<root>/sessions/<id>/work     the working folder
<root>/sessions/<id>/tmp      temporary files, if the session has no in-memory file system of its own
"""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import shutil
import stat
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from tablewright.errors import InvalidInput, SandboxUnavailable, StorageFull
from tablewright.sandbox.base import Input
from tablewright.sandbox.removal import remove

log = logging.getLogger(__name__)

_FICLONE = 0x4004_9409
_LOCK = "lock"
_PARTS = (("sessions", 0o711), ("root", 0o755), ("tmp", 0o711))
_LEFT = ".left-"
"""Begins the names of folders that could not be removed when their time had come."""


def target_of(shared: Path, name: str) -> Path:
    """Return where the input `name` is copied to. Raises InvalidInput for a name that leads elsewhere."""
    path = PurePosixPath(name)
    if not path.parts or path.is_absolute() or ".." in path.parts or "\0" in name:
        raise InvalidInput("input_name_unusable", field="name", name=name)
    return shared / path


def copy(source: Path, target: Path) -> None:
    """Copy a file, sharing its blocks if the file system supports it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with source.open("rb") as reading, target.open("xb") as writing:
        try:
            fcntl.ioctl(writing.fileno(), _FICLONE, reading.fileno())
        except OSError:
            _copy_bytes(reading, writing, target)
        os.fchmod(writing.fileno(), 0o444)


def _copy_bytes(reading: BinaryIO, writing: BinaryIO, target: Path) -> None:
    try:
        shutil.copyfileobj(reading, writing, 1024**2)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StorageFull(path=str(target)) from error
        raise


def make(folder: Path, inputs: Sequence[Input], user: int | None) -> None:
    """Create a session's folders; `user` becomes the owner of the writable ones, and nobody else enters them."""
    folder.mkdir(mode=0o700)
    if user is not None:
        os.chown(folder, -1, user)
        folder.chmod(0o710)
    shared = folder / "shared"
    shared.mkdir()
    fill(shared, inputs)
    for name in ("work", "tmp"):
        path = folder / name
        path.mkdir(mode=0o700)
        if user is not None:
            os.chown(path, user, user)


def fill(shared: Path, inputs: Sequence[Input]) -> None:
    """Copy the inputs of a lease into its folder, readable by anyone."""
    for item in inputs:
        target = target_of(shared, item.name)
        if target.exists():
            raise InvalidInput("input_name_twice", field="name", name=item.name)
        copy(item.path, target)
    for path in [shared, *(entry for entry in shared.rglob("*") if entry.is_dir())]:
        path.chmod(0o755)


class StateFolder:
    """One supervisor's folder below `parent`, locked while it is alive; folders of dead ones are removed."""

    def __init__(self, parent: Path, name: str) -> None:
        self.root = parent / name
        self._handle: int | None = None

    def open(self) -> None:
        """Create the folder and remove what dead supervisors left behind."""
        parent = self.root.parent
        parent.mkdir(parents=True, exist_ok=True, mode=0o711)
        # The temporary folder is shared: another user may have created a folder of this name in it.
        status = parent.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o002:
            raise SandboxUnavailable("sandbox_folder_open", path=str(parent))
        with _locked(parent):
            _sweep(parent)
            self.root.mkdir(mode=0o711)
            self._handle = os.open(self.root / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._handle, fcntl.LOCK_EX)
        for name, mode in _PARTS:
            (self.root / name).mkdir()
            (self.root / name).chmod(mode)

    def discard(self, folder: Path) -> None:
        """Remove a folder below this one, or move it aside for the next start to remove; never raises."""
        _discard(folder, self.root.parent)

    def close(self) -> None:
        """Remove the folder, or move it aside as `discard` does."""
        if self.root.exists():
            with _locked(self.root.parent):
                _discard(self.root, self.root.parent)
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def _discard(folder: Path, parent: Path) -> None:
    try:
        remove(folder)
    except Exception:  # whatever it is, neither a session's slot nor a service's end may depend on it
        log.exception("the folder %s could not be removed; the next start will try again", folder.name)
        with suppress(OSError):
            folder.rename(parent / f"{_LEFT}{folder.name}")


@contextmanager
def _locked(parent: Path) -> Iterator[None]:
    """Keep other supervisors from opening or sweeping, so that every folder that one sees has its lock."""
    handle = os.open(parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _sweep(parent: Path) -> None:
    for folder in list(parent.iterdir()):
        if folder.is_dir() and not folder.is_symlink() and (folder.name.startswith(_LEFT) or _is_dead(folder)):
            try:
                remove(folder)
            except Exception:
                log.exception("the folder %s could not be removed", folder.name)


def _is_dead(folder: Path) -> bool:
    """Return whether this is the folder of a supervisor that is gone; without a lock, one that it failed to remove."""
    try:
        handle = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return _is_remnant(folder)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    else:
        return True
    finally:
        os.close(handle)


def _is_remnant(folder: Path) -> bool:
    """Return whether a folder without a lock has the name of a supervisor's, and nothing in it that one has not."""
    parts = {name for name, _ in _PARTS}
    try:
        uuid.UUID(folder.name)
        return all(entry.name in parts or entry.name.startswith(".") for entry in folder.iterdir())
    except (ValueError, OSError):
        return False
