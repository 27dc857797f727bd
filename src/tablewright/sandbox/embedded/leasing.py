"""From a warm worker to a session: its folders' paths, its quota, the lock-down."""

from __future__ import annotations

import asyncio
import dataclasses
import os
from pathlib import Path

from tablewright.errors import SandboxUnavailable
from tablewright.sandbox import frames
from tablewright.sandbox.base import SESSIONS_FOLDER, SHARED_FOLDER, Level, Limits
from tablewright.sandbox.embedded.config import EmbeddedConfig
from tablewright.sandbox.pool import PoolSize
from tablewright.sandbox.process import Room, WorkerProcess

_LEASE_S = 20.0
_PING_S = 5.0
_SHARE = 0.8
_JAIL_TMP = Path("/", "tmp")
"""A memory file system of the session's own."""


def affordable(size: PoolSize, limits: Limits) -> PoolSize:
    """Return `size` with no more workers than the machine's memory can hold at their limits."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    most = max(1, min(size.maximum, int(memory * _SHARE) // limits.memory_bytes))
    return dataclasses.replace(size, minimum=min(size.minimum, most), maximum=most)


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
    worker.writer.write(
        frames.encode(
            "lease",
            policy=config.import_policy,
            aliases=room.aliases,
            room={"folder": room.name, "shared": room.shared, "work": room.work, "tmp": room.tmp},
            quota={"memory_bytes": memory, "file_bytes": limits.disk_bytes, "cpu_s": int(limits.lifetime_s)},
        )
    )
    frame = await _answer(worker, _LEASE_S)
    if frame is None or frame.kind != "leased":
        raise SandboxUnavailable(f"a session could not be closed in: {worker.take_stray() or 'no word from it'}")
    worker.pause()


async def answers(worker: WorkerProcess) -> bool:
    """Tell whether an idle worker is well."""
    worker.writer.write(frames.encode("ping"))
    frame = await _answer(worker, _PING_S)
    return frame is not None and frame.kind == "pong"


async def _answer(worker: WorkerProcess, within_s: float) -> frames.Frame | None:
    try:
        async with asyncio.timeout(within_s):
            return await frames.read(worker.reader)
    except (TimeoutError, frames.ProtocolViolation):
        return None
