"""Limits of one process, which is one session: what the kernel counts for it, and room to report that it ran out."""

from __future__ import annotations

import resource
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

HEADROOM_BYTES = 64 * 1024**2
"""What a worker keeps to itself, so that it can say that memory ran out."""
_OF_MEMORY = (resource.RLIMIT_DATA, resource.RLIMIT_AS)
_BASELINE_BYTES = 400 * 1024**2
_THREADS = 128
_FILES = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """Limits that the supervisor sends with a lease; `threads` only where the session's user id is its own."""

    memory_bytes: int
    file_bytes: int
    cpu_s: int
    own_user: bool


def data_bytes() -> int:
    """Return what this process already has of private writable memory."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[5])
        # gVisor leaves this field empty, and has another.
        return pages * resource.getpagesize() or _told_bytes()
    except OSError:
        return _BASELINE_BYTES


def _told_bytes() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) * 1024
    return _BASELINE_BYTES


def _cap(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(kind, (value, value))


def impose(quota: Quota) -> None:
    """Set this process's hard limits."""
    _cap(resource.RLIMIT_DATA, data_bytes() + quota.memory_bytes)
    _cap(resource.RLIMIT_FSIZE, quota.file_bytes)
    _cap(resource.RLIMIT_CPU, quota.cpu_s)
    _cap(resource.RLIMIT_NOFILE, _FILES)
    for kind in (resource.RLIMIT_CORE, resource.RLIMIT_MEMLOCK):
        _cap(kind, 0)
    with suppress(ValueError):
        # gVisor does not know this one; that there are no message queues, the filter sees to.
        _cap(resource.RLIMIT_MSGQUEUE, 0)
    if quota.own_user:
        # Elsewhere the count is of all the user's processes, the service's own among them.
        _cap(resource.RLIMIT_NPROC, _THREADS)


def narrow() -> None:
    """While user code runs: keep the headroom out of its reach."""
    _keep(HEADROOM_BYTES)


def widen() -> None:
    """While the worker's own code runs: up to the hard limit."""
    _keep(0)


def _keep(count: int) -> None:
    for kind in _OF_MEMORY:
        hard = resource.getrlimit(kind)[1]
        if hard != resource.RLIM_INFINITY:
            resource.setrlimit(kind, (max(0, hard - count), hard))
