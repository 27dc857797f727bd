"""What runs on this machine, as /proc tells."""

from __future__ import annotations

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


def of_user(user: int) -> set[int]:
    """Return every process of a user."""
    found = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if folder.stat().st_uid == user:
                    found.add(int(folder.name))
            except OSError:
                continue
    return found
