"""Resource limits of one process, which is one session, and a reserve for reporting that memory ran out."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

HEADROOM_BYTES = 64 * 1024**2
"""Memory that a worker reserves for itself, so that it can report that memory ran out."""
_OF_MEMORY = (resource.RLIMIT_DATA, resource.RLIMIT_AS)
_BASELINE_BYTES = 400 * 1024**2
_THREADS = 128
_FILES = 192
"""Descriptors. What the kernel keeps for them grows with their number, and the entries of `epoll` with its third power:
to some 40 MB, and to less than half of the entries that a machine of 2 GB grants to a user, who may be the service."""
_STACK_BYTES = 8 * 1024**2
_SIGNALS = 256
_SPARSE_BYTES = 16 * 1024**3
"""Address space beyond memory: for reserves that libraries never touch, and for files that are mapped. It bounds the
kernel's page tables to about a five hundredth of it: reading an untouched mapping takes tables, and no other memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """Limits sent by the supervisor with a lease. `threads` is set only if the session has a user id of its own."""

    memory_bytes: int
    file_bytes: int
    cpu_s: int
    own_user: bool


def _address_bytes() -> int:
    """Return the size of this process's address space in bytes."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return _SPARSE_BYTES


def data_bytes() -> int:
    """Return the size of this process's private writable memory in bytes."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[5])
        # gVisor leaves this field empty and fills another.
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
    _cap(resource.RLIMIT_AS, _address_bytes() + quota.memory_bytes + _SPARSE_BYTES)
    _cap(resource.RLIMIT_DATA, data_bytes() + quota.memory_bytes)
    # The first thread's stack counts as no other memory, and grows as far as this.
    _cap(resource.RLIMIT_STACK, _STACK_BYTES)
    _cap(resource.RLIMIT_FSIZE, quota.file_bytes)
    _cap(resource.RLIMIT_CPU, quota.cpu_s)
    _cap(resource.RLIMIT_NOFILE, _FILES)
    for kind in (resource.RLIMIT_CORE, resource.RLIMIT_MEMLOCK):
        _cap(kind, 0)
    for kind, value in ((resource.RLIMIT_MSGQUEUE, 0), (resource.RLIMIT_SIGPENDING, _SIGNALS)):
        # gVisor does not know these limits; its kernel is the session's own.
        with suppress(ValueError):
            _cap(kind, value)
    if quota.own_user:
        # Otherwise all processes of the user are counted, including the service's own.
        _cap(resource.RLIMIT_NPROC, _THREADS)


class Reserve:
    """The memory kept back from user code. It belongs to one lease, whose limits it finds when it is first used."""

    def __init__(self) -> None:
        self._hard: dict[int, int] = {}

    def narrow(self) -> None:
        """While user code runs: exclude the reserve."""
        self._keep(HEADROOM_BYTES)

    def widen(self) -> None:
        """While the worker's own code runs: allow up to the hard limit."""
        self._keep(0)

    def _keep(self, count: int) -> None:
        for kind in _OF_MEMORY:
            try:
                _leave(kind, self._hard[kind], count)
            except (KeyError, ValueError):
                # Not known yet, or lowered by the code of a cell.
                hard = resource.getrlimit(kind)[1]
                if hard != resource.RLIM_INFINITY:
                    self._hard[kind] = hard
                    _leave(kind, hard, count)


@contextmanager
def widened() -> Iterator[None]:
    """Allow the worker's own code in the midst of user code to use the reserve."""
    before = [(kind, resource.getrlimit(kind)) for kind in _OF_MEMORY]
    Reserve().widen()
    try:
        yield
    finally:
        for kind, limit in before:
            resource.setrlimit(kind, limit)


def _leave(kind: int, hard: int, count: int) -> None:
    resource.setrlimit(kind, (max(0, hard - count), hard))
