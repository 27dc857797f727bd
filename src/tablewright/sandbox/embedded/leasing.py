"""From a warm worker of the zygote to a session: its folders' paths, its quota, the lock-down."""

from __future__ import annotations

import os
from pathlib import Path

from tablewright.sandbox import leasing
from tablewright.sandbox.base import SESSIONS_FOLDER, SHARED_FOLDER, Level, Limits
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.process import Room, WorkerProcess

_JAIL_TMP = Path("/", "tmp")
"""A memory file system of the session's own."""


def room(root: Path, name: str, level: Level) -> Room:
    """Return where the session `name` lives."""
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
    """Close the worker in for good; it is paused when this returns."""
    # What the jail's memory file systems may hold is taken off what the process may.
    memory = max(0, limits.memory_bytes - config.tmp_bytes - config.shm_bytes)
    await leasing.lease(worker, room, limits, memory_bytes=memory, imports=config.imports)
    # Measured now, before any code of the session ran: what it has it shares.
    worker.load()
