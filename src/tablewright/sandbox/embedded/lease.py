"""Turn a warm worker of the zygote into a session: the paths of its folders, its quota, the lock-down."""

from __future__ import annotations

import dataclasses
import errno
import os
from pathlib import Path

from tablewright.errors import SandboxUnavailable
from tablewright.sandbox import workers
from tablewright.sandbox.base import SESSIONS_FOLDER, SHARED_FOLDER, Level, Limits
from tablewright.sandbox.beneath import DetachedFolder
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.embedded.worker import EmbeddedWorker
from tablewright.sandbox.process import SessionPaths

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_SYS_PTRACE = 19
_JAIL_TMP = Path("/", "tmp")
"""The session's own in-memory file system."""


def room(root: Path, name: str, level: Level) -> SessionPaths:
    """Return the folders of the session `name`."""
    host = root / "sessions" / name
    work = f"{SESSIONS_FOLDER}/{name}"
    if level is not Level.L1:
        return SessionPaths(host=host, name=name, shared=SHARED_FOLDER, work=work, tmp=os.fspath(_JAIL_TMP))
    there = {SHARED_FOLDER: str(host / "shared"), work: str(host / "work")}
    return SessionPaths(
        host=host,
        name=name,
        shared=there[SHARED_FOLDER],
        work=there[work],
        tmp=str(host / "tmp"),
        aliases=tuple(there.items()),
    )


async def lease(
    worker: EmbeddedWorker, room: SessionPaths, limits: Limits, config: EmbeddedConfig, *, own_disk: bool
) -> SessionPaths:
    """Lock the worker down for good; it is paused when this returns. Returns the room with its own disk, if it has one.

    `own_disk` is for levels at which the session can have a file system of its own.
    """
    # The capacity of the jail's in-memory file systems is deducted from the memory of the process.
    memory = max(0, limits.memory_bytes - config.tmp_bytes - config.shm_bytes)
    await workers.lease(worker, room, limits, memory_bytes=memory, imports=config.imports, own_disk=own_disk)
    # Measured now, before any code of the session ran: memory used so far is shared with the zygote.
    worker.load()
    if not own_disk:
        return room
    try:
        return dataclasses.replace(room, disk=DetachedFolder(_opened(worker, room)))
    except OSError as error:
        raise SandboxUnavailable("sandbox_lease_failed", words=str(error)) from error


def _opened(worker: EmbeddedWorker, room: SessionPaths) -> int:
    """Open the session's working folder as its process sees it, before any of its code has run."""
    handle = os.open(f"/proc/{worker.process}/root{room.work}", _FOLDER)
    if not worker.alive:
        # Its number may have been another process's.
        os.close(handle)
        raise ProcessLookupError(errno.ESRCH, "the worker ended")
    return handle


def sees_disks(level: Level) -> bool:
    """Return whether sessions of this level can have file systems of their own, which the service has to look into.

    A session of root's service has another user id than the service, which thus needs the capability to trace.
    """
    if level is Level.L1:
        return False
    if os.geteuid() != 0:
        return True
    status = Path("/proc/self/status").read_text()
    effective = int(status.partition("CapEff:")[2].split()[0], 16)
    return bool(effective >> _SYS_PTRACE & 1)
