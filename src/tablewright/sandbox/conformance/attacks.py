"""What hostile code tries, and how each attempt may end; for every backend, with its import policy off.

An attack prints BREACH if it succeeded. Its placeholders are filled with `Facts`: the targets on the host.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import Template

from tablewright.sandbox.base import Status
from tablewright.sandbox.conformance import attacks_disk, attacks_files, attacks_frames, attacks_kernel, attacks_process

KEPT: frozenset[Status] = frozenset({"ok", "error", "interrupted", "oom"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Things on the host that no session may reach."""

    secret: str
    """Path of a secret file."""
    port: int
    """Port of a listener on 127.0.0.1."""
    service: int
    """Process id of the service."""
    other: str
    """Id of another session, which has an input `other.csv` and a file `other.txt`."""
    other_folder: str
    """Where the other session's folders are on the host."""
    shared: str
    """Where this session finds its inputs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """One attack.

    `ends` are the statuses that mean it was contained; after a status that is not in KEPT the session is lost.
    """

    name: str
    code: str
    ends: frozenset[Status]
    timeout_s: float = 20.0

    def aimed(self, facts: Facts) -> str:
        """Return the code with its placeholders filled in."""
        values = {name: str(getattr(facts, name)) for name in Facts.__slots__}
        return Template(self.code).substitute(values)


def _table(rows: dict[str, tuple[str, str]], *, timeout_s: float) -> list[Attack]:
    return [
        Attack(name=name, code=code, ends=frozenset(_statuses(ends)), timeout_s=timeout_s)
        for name, (ends, code) in rows.items()
    ]


def _statuses(words: str) -> list[Status]:
    known: dict[str, Status] = {
        "ok": "ok",
        "error": "error",
        "interrupted": "interrupted",
        "oom": "oom",
        "killed": "timeout_killed",
        "oom_killed": "oom_killed",
        "disk": "disk_quota",
        "cpu": "cpu_limit",
        "crashed": "crashed",
        "exited": "exited",
        "protocol": "protocol_violation",
    }
    return [known[word] for word in words.split()]


ATTACKS: list[Attack] = [
    *_table(attacks_process.MEMORY, timeout_s=60.0),
    *_table(attacks_kernel.KERNEL, timeout_s=60.0),
    *_table(attacks_process.PROCESSES, timeout_s=60.0),
    *_table(attacks_process.TIME, timeout_s=0.5),
    *_table(attacks_process.OUTPUT, timeout_s=60.0),
    *_table(attacks_frames.FRAMES, timeout_s=60.0),
    *_table(attacks_frames.FLOODS, timeout_s=60.0),
    *_table(attacks_process.ENDINGS, timeout_s=60.0),
    *_table(attacks_disk.DISK, timeout_s=60.0),
    *_table(attacks_disk.FOLDERS, timeout_s=60.0),
    *_table(attacks_disk.LOCKS, timeout_s=60.0),
    *_table(attacks_files.READING, timeout_s=60.0),
    *_table(attacks_kernel.EMPTYING, timeout_s=60.0),
    *_table(attacks_kernel.TELLING, timeout_s=60.0),
    *_table(attacks_files.SYSTEM, timeout_s=60.0),
]
