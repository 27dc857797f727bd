"""The folders of sessions on the host, created for a lease with copies of its inputs, and removed with it.

<root>/sessions/<id>/shared   the lease's inputs
<root>/sessions/<id>/work     the working folder
<root>/sessions/<id>/tmp      temporary files, if the session has no in-memory file system of its own
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import stat
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from tablewright.errors import InvalidInput, SandboxUnavailable, StorageFull
from tablewright.sandbox.base import Input

_FICLONE = 0x4004_9409
_LOCK = "lock"


def target_of(shared: Path, name: str) -> Path:
    """Return where the input `name` is copied to. Raises InvalidInput for a name that leads elsewhere."""
    path = PurePosixPath(name)
    if not path.parts or path.is_absolute() or ".." in path.parts or "\0" in name:
        raise InvalidInput("an input's name is a relative path", field="name", name=name)
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
            raise StorageFull("no room for a session's inputs", path=str(target)) from error
        raise


def make(folder: Path, inputs: Sequence[Input], user: int | None) -> None:
    """Create a session's folders; `user` becomes the owner of the writable ones."""
    folder.mkdir(mode=0o711)
    folder.chmod(0o711)
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
            raise InvalidInput("two inputs have one name", field="name", name=item.name)
        copy(item.path, target)
    for path in [shared, *(entry for entry in shared.rglob("*") if entry.is_dir())]:
        path.chmod(0o755)


def remove(folder: Path) -> None:
    """Remove a session's folders after its process has ended."""
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
    except OSError:
        _open_up(folder)
        shutil.rmtree(folder, ignore_errors=True)


def _open_up(folder: Path) -> None:
    """Restore the permissions that code removed from its own folders."""
    for current, names, _ in os.walk(folder):
        for name in names:
            path = Path(current, name)
            with suppress(OSError):
                if stat.S_ISDIR(path.lstat().st_mode):
                    path.chmod(0o700)


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
        _sweep(parent)
        self.root.mkdir(mode=0o711)
        self._handle = os.open(self.root / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._handle, fcntl.LOCK_EX)
        for name, mode in (("sessions", 0o711), ("root", 0o755), ("tmp", 0o711)):
            (self.root / name).mkdir()
            (self.root / name).chmod(mode)

    def close(self) -> None:
        """Remove the folder."""
        remove(self.root)
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def _sweep(parent: Path) -> None:
    for folder in parent.iterdir():
        try:
            handle = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue
        else:
            remove(folder)
        finally:
            os.close(handle)
