"""Processes that give way to others: their priority, and how long they had to wait for a processor."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

NICER = 5
"""How much nicer a process is that gives way: of a processor that one other wants too it has a quarter. Were it far
nicer, a busy machine would hardly read large files at all."""
NICEST = 19


def give_way(pid: int) -> None:
    """Lower the priority of a process, of the threads that it has and of those that it will have.

    Nothing happens where the system does not allow it. A process without privileges cannot be raised again.
    """
    nice = min(os.getpriority(os.PRIO_PROCESS, 0) + NICER, NICEST)
    for thread in _threads(pid):
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, int(thread.name), nice)
    with contextlib.suppress(OSError):  # where the kernel shares processors among sessions, it looks at this alone
        Path(f"/proc/{pid}/autogroup").write_text(str(nice), encoding="ascii")


def delayed_s(pid: int) -> float:
    """Return for how many seconds in all a process could have run and had no processor; 0 where that is not known."""
    delays = [0]
    for thread in _threads(pid):
        with contextlib.suppress(OSError, IndexError, ValueError):
            delays.append(int((thread / "schedstat").read_text(encoding="ascii").split()[1]))
    return max(delays) / 1e9


def _threads(pid: int) -> Iterator[Path]:
    with contextlib.suppress(OSError):
        yield from Path(f"/proc/{pid}/task").iterdir()
