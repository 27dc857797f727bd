"""What runs on this machine, as /proc tells."""

from __future__ import annotations

import os
from pathlib import Path


def _parents() -> dict[int, int]:
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[0] != "Z":
                parents[int(folder.name)] = int(fields[1])
    return parents


def below(process: int) -> set[int]:
    """Return every living process that descends from `process`."""
    parents = _parents()
    found = {process}
    while grown := {child for child, parent in parents.items() if parent in found} - found:
        found |= grown
    return found - {process}


def large(pids: set[int]) -> set[int]:
    """Return those of `pids` that hold more than 350 MB: only user code that asks for it does."""
    return {pid for pid in pids if _resident_bytes(pid) > 350_000_000}


def _resident_bytes(pid: int) -> int:
    fields = _read(pid, "statm").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") if fields else 0


def _read(pid: int, name: str) -> str:
    try:
        return Path(f"/proc/{pid}/{name}").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
