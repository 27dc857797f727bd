"""What a session needs of the process that runs its code, whatever backend started it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tablewright.sandbox.base import Level

PRELOADED = ("pandas", "numpy", "matplotlib", "scipy", "statsmodels")
"""Packages that a process has imported before it becomes a session."""
PRELOADED_LEAST = ("pandas", "numpy")
"""The same where a quick start counts for more than quick plots."""
SILENT = "…"
"""Stands in an error for the last words of a process that said none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a worker's process ended: its exit code, negative for a signal, None where its backend went with it."""

    code: int | None
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What a worker's process uses now: memory beyond what it shared at its birth, and processor time in all."""

    memory_bytes: int
    cpu_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A session's folders: on the host, as its process finds them, and as its code says them where that differs."""

    host: Path
    name: str
    shared: str
    work: str
    tmp: str
    aliases: tuple[tuple[str, str], ...] = ()
    """Pairs of a path as code says it and as it is."""

    @property
    def host_work(self) -> Path:
        """Return where the service finds what the session wrote."""
        return self.host / "work"


class WorkerProcess(Protocol):
    """One process for one session."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @property
    def level(self) -> Level:
        """Return its isolation."""
        ...

    @property
    def process(self) -> int | None:
        """Return its process id, None where the service cannot see it."""
        ...

    @property
    def user(self) -> int | None:
        """Return the user id that owns what it writes, None where it is the service's own."""
        ...

    def interrupt(self) -> None:
        """Send SIGINT."""
        ...

    def pause(self) -> None:
        """Stop it, with every thread it may have left behind."""
        ...

    def resume(self) -> None:
        """Let it go on."""
        ...

    def kill(self) -> None:
        """End it at once."""
        ...

    def load(self) -> Load | None:
        """Measure it; None where that is not possible."""
        ...

    def take_stray(self) -> str:
        """Return what it wrote past its streams since the last call."""
        ...

    async def ended(self) -> Ending:
        """Wait for its end."""
        ...

    async def close(self) -> None:
        """End it and let go of everything that belongs to it; idempotent."""
        ...
