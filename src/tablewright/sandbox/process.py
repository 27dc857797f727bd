"""The interface between a session and the process that runs its code, independent of the backend."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tablewright.sandbox import beneath
from tablewright.sandbox.base import Level

PRELOADED = ("pandas", "numpy", "matplotlib", "scipy", "statsmodels")
"""Packages that a process imports before it becomes a session."""
PRELOADED_LEAST = ("pandas", "numpy")
"""The reduced list, for when a quick start matters more than quick plots."""
SILENT = "…"
"""Replaces the last output of a process that wrote none, in error messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessExit:
    """How a worker's process ended: its exit code, negative for a signal, or None if its backend was lost with it."""

    code: int | None
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """Current resource usage of a worker: memory beyond what it shared at birth, total CPU time, and threads.

    `threads` is 0 where the backend bounds them itself.
    """

    memory_bytes: int
    cpu_s: float
    threads: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPaths:
    """A session's folders: on the host, as its process sees them, and as its code names them if that differs."""

    host: Path
    name: str
    shared: str
    work: str
    tmp: str
    aliases: tuple[tuple[str, str], ...] = ()
    """Pairs of a path as code names it and the actual path."""

    disk: beneath.DetachedFolder | None = None
    """The session's own file system, if it has one."""

    @property
    def files(self) -> beneath.Root:
        """Return where the service finds the files that the session wrote."""
        return self.disk or self.host / "work"

    def clear(self) -> None:
        """Let the session's own file system go."""
        if self.disk is not None:
            self.disk.close()


class WorkerProcess(Protocol):
    """A process for one session."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @property
    def level(self) -> Level:
        """Return the isolation level."""
        ...

    @property
    def process(self) -> int | None:
        """Return the process id, or None if the service cannot see it."""
        ...

    @property
    def user(self) -> int | None:
        """Return the user id that owns the files it writes, or None if it is the service's own."""
        ...

    def interrupt(self) -> None:
        """Send SIGINT."""
        ...

    def pause(self) -> None:
        """Stop the process, including any threads that code left behind."""
        ...

    def resume(self) -> None:
        """Let the process continue."""
        ...

    def kill(self) -> None:
        """Kill the process."""
        ...

    def load(self) -> Load | None:
        """Measure its resource usage; None if that is not possible."""
        ...

    def orphan_bytes(self, folders: Sequence[str]) -> int | None:
        """Return the space of deleted files that it keeps open in `folders`; None if that cannot be known.

        May block.
        """
        ...

    def take_stray(self) -> str:
        """Return what it wrote past its streams since the last call: all of it that precedes the last frame read."""
        ...

    async def ended(self) -> ProcessExit:
        """Wait for its end."""
        ...

    async def close(self) -> None:
        """End the process and release everything that belongs to it; idempotent."""
        ...
