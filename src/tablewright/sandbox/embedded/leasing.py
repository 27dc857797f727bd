"""Turn a warm worker of the zygote into a session: the paths of its folders, its quota, the lock-down."""

from __future__ import annotations

import os
from pathlib import Path

from tablewright.sandbox import leasing
from tablewright.sandbox.base import SESSIONS_FOLDER, SHARED_FOLDER, Level, Limits
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.process import Room, WorkerProcess

_JAIL_TMP = Path("/", "tmp")
"""The session's own in-memory file system."""


def room(root: Path, name: str, level: Level) -> Room:
    """Return the folders of the session `name`."""
    host = root / "sessions" / name
    work = f"{SESSIONS_FOLDER}/{name}"
    if level is not Level.L1:
        return Room(host=host, name=name, shared=SHARED_FOLDER, work=work, tmp=os.fspath(_JAIL_TMP))
    there = {SHARED_FOLDER: str(host / "shared"), work: str(host / "work")}
    return Room(
        host=host,
        name=name,
        shared=there[SHARED_FOLDER],
        work=there[work],
        tmp=str(host / "tmp"),
        aliases=tuple(there.items()),
    )


async def lease(worker: WorkerProcess, room: Room, limits: Limits, config: EmbeddedConfig) -> None:
    """Lock the worker down for good; it is paused when this returns."""
    # The capacity of the jail's in-memory file systems is deducted from the memory of the process.
    memory = max(0, limits.memory_bytes - config.tmp_bytes - config.shm_bytes)
    await leasing.lease(worker, room, limits, memory_bytes=memory, imports=config.imports)
    # Measured now, before any code of the session ran: memory used so far is shared with the zygote.
    worker.load()
