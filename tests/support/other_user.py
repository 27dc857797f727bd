"""Runs a program as another user who can reach it: `other_user.py [--mask] <uid> <path>... -- <program> <argument>...`

An interpreter or a clone below a private folder (0700) is out of another user's reach. In a mount namespace of its own,
each such folder is covered, and only the given paths are shown through the cover. `--mask` covers a part of /proc
besides, as containers do. Needs root.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tablewright.sandbox.worker.jail import libc


def _private_ancestor(path: Path) -> Path | None:
    for folder in reversed(path.parents):
        if not folder.stat().st_mode & 0o001:
            return folder
    return None


def _show(paths: list[Path]) -> None:
    handles = {path: os.open(path, os.O_PATH) for path in paths}
    covered: set[Path] = set()
    for path, handle in handles.items():
        private = _private_ancestor(path)
        if private is not None and private not in covered:
            libc.mount("tmpfs", str(private), "tmpfs", 0, "mode=0755")
            covered.add(private)
        if any(folder in path.parents for folder in covered):
            path.mkdir(parents=True, exist_ok=True)
            libc.mount(f"/proc/self/fd/{handle}", str(path), None, libc.MS_BIND | libc.MS_REC)


def main() -> None:
    arguments = sys.argv[1:]
    masked = arguments[0] == "--mask"
    arguments = arguments[masked:]
    user, split = int(arguments[0]), arguments.index("--")
    libc.unshare(libc.CLONE_NEWNS)
    libc.mount("none", "/", None, libc.MS_REC | libc.MS_PRIVATE)
    _show([Path(path).resolve() for path in arguments[1:split]])
    if masked:
        libc.mount("tmpfs", "/proc/sys", "tmpfs", libc.MS_RDONLY)
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    program = arguments[split + 1 :]
    os.execv(program[0], program)


if __name__ == "__main__":
    main()
