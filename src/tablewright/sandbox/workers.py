"""What all backends share: the number of workers, leasing one, and health checks."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from tablewright.errors import SandboxUnavailable
from tablewright.sandbox import frames
from tablewright.sandbox.base import Limits
from tablewright.sandbox.folders import StateFolder
from tablewright.sandbox.import_policy import ImportPolicy
from tablewright.sandbox.pool import Pool, PoolSize
from tablewright.sandbox.process import SILENT, SessionPaths, WorkerProcess
from tablewright.sandbox.session import LeasedSession

log = logging.getLogger(__name__)

_LEASE_S = 20.0
_PING_S = 5.0
_SHARE = 0.8


def affordable(size: PoolSize, session_bytes: int) -> PoolSize:
    """Return `size` limited to the number of workers that fit into the machine at `session_bytes` of memory each."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    most = max(1, min(size.maximum, int(memory * _SHARE) // session_bytes))
    return dataclasses.replace(size, minimum=min(size.minimum, most), maximum=most)


def users(count: int) -> Sequence[int]:
    """Return unused user ids that root can assign to sessions; none if not running as root."""
    if os.geteuid() != 0:
        return ()
    ranges = [line.split() for line in Path("/proc/self/uid_map").read_text().splitlines()]
    end = max(int(first) + int(length) for first, _, length in ranges)
    highest = min(end, 2_100_000_000)
    if highest < 60_000:
        return ()
    first = highest - count * (1 + os.getpid() % 500)
    return range(first, first + count)


async def lease(
    worker: WorkerProcess,
    room: SessionPaths,
    limits: Limits,
    *,
    memory_bytes: int,
    imports: ImportPolicy,
    own_disk: bool = False,
) -> None:
    """Lock the worker down for good, with `memory_bytes` for its process; it is paused when this returns.

    `own_disk` gives it a file system of its own as its working folder, with room for what it may write and no more.
    """
    # File systems allocate ahead: a single file at its limit must not cost the session.
    largest = limits.disk_bytes - limits.disk_bytes // 32
    worker.writer.write(
        frames.encode(
            "lease",
            imports=imports.told(),
            aliases=room.aliases,
            room={
                "folder": room.name,
                "shared": room.shared,
                "work": room.work,
                "tmp": room.tmp,
                # Less than the quota, so that a full disk is an error of the code and never ends the session.
                "disk_bytes": limits.disk_bytes - limits.disk_bytes // 64 if own_disk else 0,
                "disk_files": limits.files,
            },
            quota={"memory_bytes": memory_bytes, "file_bytes": largest, "cpu_s": int(limits.lifetime_s)},
        )
    )
    frame = await _answer(worker, _LEASE_S)
    if frame is None or frame.kind != "leased":
        raise SandboxUnavailable("sandbox_lease_failed", words=worker.take_stray() or SILENT)
    worker.pause()


async def vacate(state: StateFolder, room: SessionPaths, pool: Pool) -> None:
    """Remove a session's files and give its slot back, whatever becomes of the files."""
    try:
        await asyncio.to_thread(_clear, state, room)
    finally:
        pool.give_back()


def _clear(state: StateFolder, room: SessionPaths) -> None:
    # Freeing the memory of a full disk takes the kernel a tenth of a second.
    room.clear()
    state.discard(room.host)


async def answers(worker: WorkerProcess) -> bool:
    """Return whether an idle worker responds."""
    worker.writer.write(frames.encode("ping"))
    frame = await _answer(worker, _PING_S)
    return frame is not None and frame.kind == "pong"


async def tend(sessions: Iterable[LeasedSession], pool: Pool) -> None:
    """End sessions that exceeded their lifetime, and replace idle workers that do not respond."""
    for session in [session for session in sessions if session.expired()]:
        try:
            await session.release()
        except Exception:  # failing to clean up one session must not stop the checks of others
            log.exception("an expired session could not be cleared away")
    await pool.check(answers)


async def _answer(worker: WorkerProcess, within_s: float) -> frames.WorkerFrame | None:
    try:
        async with asyncio.timeout(within_s):
            return await frames.read(worker.reader)
    except (TimeoutError, frames.ProtocolViolation):
        return None
