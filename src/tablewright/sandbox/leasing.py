"""What all backends share: the number of workers, leasing one, and health checks."""

from __future__ import annotations

import asyncio
import dataclasses
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from tablewright.errors import SandboxUnavailable
from tablewright.sandbox import frames
from tablewright.sandbox.base import Limits
from tablewright.sandbox.import_policy import ImportPolicy
from tablewright.sandbox.pool import Pool, PoolSize
from tablewright.sandbox.process import SILENT, Room, WorkerProcess
from tablewright.sandbox.session import LeasedSession

_LEASE_S = 20.0
_PING_S = 5.0
_SHARE = 0.8


def affordable(size: PoolSize, limits: Limits) -> PoolSize:
    """Return `size` limited to the number of workers whose memory limits fit into the machine."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    most = max(1, min(size.maximum, int(memory * _SHARE) // limits.memory_bytes))
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


async def lease(worker: WorkerProcess, room: Room, limits: Limits, *, memory_bytes: int, imports: ImportPolicy) -> None:
    """Lock the worker down for good, with `memory_bytes` for its process; it is paused when this returns."""
    # File systems allocate ahead: a single file at its limit must not cost the session.
    largest = limits.disk_bytes - limits.disk_bytes // 32
    worker.writer.write(
        frames.encode(
            "lease",
            imports=imports.told(),
            aliases=room.aliases,
            room={"folder": room.name, "shared": room.shared, "work": room.work, "tmp": room.tmp},
            quota={"memory_bytes": memory_bytes, "file_bytes": largest, "cpu_s": int(limits.lifetime_s)},
        )
    )
    frame = await _answer(worker, _LEASE_S)
    if frame is None or frame.kind != "leased":
        raise SandboxUnavailable("sandbox_lease_failed", words=worker.take_stray() or SILENT)
    worker.pause()


async def answers(worker: WorkerProcess) -> bool:
    """Return whether an idle worker responds."""
    worker.writer.write(frames.encode("ping"))
    frame = await _answer(worker, _PING_S)
    return frame is not None and frame.kind == "pong"


async def tend(sessions: Iterable[LeasedSession], pool: Pool) -> None:
    """End sessions that exceeded their lifetime, and replace idle workers that do not respond."""
    for session in [session for session in sessions if session.expired()]:
        with suppress(OSError):  # failing to clean up one session must not stop the checks of others
            await session.release()
    await pool.check(answers)


async def _answer(worker: WorkerProcess, within_s: float) -> frames.Frame | None:
    try:
        async with asyncio.timeout(within_s):
            return await frames.read(worker.reader)
    except (TimeoutError, frames.ProtocolViolation):
        return None
