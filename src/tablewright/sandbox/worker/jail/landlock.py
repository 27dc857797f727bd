"""Landlock: an allow-list of paths that needs no privileges, through three raw system calls."""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable
from dataclasses import dataclass

from . import libc

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION_FLAG = 1
_RULE_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_ALL_BY_ABI = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_NET_ALL = 0b11
_SCOPE_ALL = 0b11

_ON_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_READ = _READ_FILE | _READ_DIR


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Paths that may be read, that may also be written, and folders that may be listed: each with everything below."""

    read: tuple[str, ...]
    write: tuple[str, ...]
    list: tuple[str, ...] = ()


def version(most: int | None = None) -> int:
    """Return the kernel's Landlock ABI version, but at most `most`; 0 if there is none."""
    try:
        found = libc.syscall(_CREATE, 0, 0, _VERSION_FLAG, what="landlock")
    except OSError:
        return 0
    return found if most is None else min(found, most)


def _allow(ruleset: int, path: str, access: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        # A path that does not exist needs no permission.
        return
    try:
        if not stat.S_ISDIR(os.fstat(handle).st_mode):
            access &= _ON_FILES
        rule = struct.pack("=Qi", access, handle)
        buffer = ctypes.create_string_buffer(rule, len(rule))
        libc.syscall(_ADD, ruleset, _RULE_PATH_BENEATH, buffer, 0, what="landlock_add_rule")
    finally:
        os.close(handle)


def _each(ruleset: int, paths: Iterable[str], access: int) -> None:
    for path in paths:
        _allow(ruleset, path, access)


def restrict(rules: Rules, abi: int) -> None:
    """Confine this thread and everything it starts to `rules`, irrevocably; needs no_new_privs.

    What version `abi` does not govern is left to the filter of system calls: truncating files before version 3.
    """
    if not abi:
        raise OSError("this kernel has no Landlock")
    everything = _ALL_BY_ABI[min(abi, max(_ALL_BY_ABI))]
    handled = [everything, _NET_ALL if abi >= 4 else 0, _SCOPE_ALL if abi >= 6 else 0]
    # Older kernels reject a longer attribute unless its tail is zero.
    attribute = struct.pack("=QQQ", *handled)
    buffer = ctypes.create_string_buffer(attribute, len(attribute))
    ruleset = libc.syscall(_CREATE, buffer, len(attribute), 0, what="landlock_create_ruleset")
    try:
        _each(ruleset, rules.list, _READ_DIR)
        _each(ruleset, rules.read, _READ & everything)
        _each(ruleset, rules.write, everything & ~_EXECUTE)
        libc.syscall(_RESTRICT, ruleset, 0, what="landlock_restrict_self")
    finally:
        os.close(ruleset)
