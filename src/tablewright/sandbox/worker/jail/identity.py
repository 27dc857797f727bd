"""The identity and privileges of a process: user ids, capabilities, and the death signal from its parent."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from . import libc

_DAC_OVERRIDE, _DAC_READ_SEARCH = 1 << 1, 1 << 2
_SETGID, _SETUID, _SETPCAP, _SYS_ADMIN = 1 << 6, 1 << 7, 1 << 8, 1 << 21
_FORKING = _DAC_OVERRIDE | _DAC_READ_SEARCH | _SETGID | _SETUID | _SETPCAP | _SYS_ADMIN


def map_ids(user: int, group: int) -> None:
    """In a new user namespace, map the given outside ids to themselves, and no others."""
    # Changing ids makes a process undumpable, which makes root the owner of its /proc entries.
    libc.prctl(libc.PR_SET_DUMPABLE, 1)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def become(user: int, *, keep_reading: bool = False) -> None:
    """Become the user `user` with a group of the same number; needs root.

    `keep_reading` keeps the one capability for reading others' files, for an interpreter in a private home directory
    where no mount can expose it. Landlock then decides what can be read.
    """
    os.setgroups([])
    if keep_reading:
        libc.prctl(libc.PR_SET_KEEPCAPS, 1)
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    libc.prctl(libc.PR_SET_DUMPABLE, 1)


def keep_what_forking_needs() -> None:
    """As root's zygote, keep only the capabilities to mount for workers and to change their user."""
    libc.keep_capabilities(libc.permitted_capabilities() & _FORKING)


def renounce(*, keep_reading: bool = False) -> None:
    """Give up every capability and every way to regain one."""
    libc.drop_bounding_set()
    if keep_reading:
        try:
            libc.keep_capabilities(_DAC_READ_SEARCH)
        except PermissionError:
            libc.keep_capabilities(_DAC_OVERRIDE)
    else:
        libc.keep_capabilities(0)
    libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)


def die_with_parent() -> None:
    """Be killed when the thread that forked this process ends. Changing ids resets this: call it afterwards."""
    libc.prctl(libc.PR_SET_PDEATHSIG, int(signal.SIGKILL))
