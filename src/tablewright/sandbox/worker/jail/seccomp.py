"""The system call filter: an allow-list in classic BPF, for x86-64 and aarch64."""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from functools import cache

from . import libc, syscalls

_LOAD = 0x20
_AND = 0x54
_EQUAL = 0x15
_AT_LEAST = 0x35
_SET = 0x45
_RETURN = 0x06

_KILL = 0x8000_0000
_ERRNO = 0x0005_0000
_ALLOW = 0x7FFF_0000

_NUMBER_AT = 0
_ARCH_AT = 4
_ARGUMENTS_AT = 16

_ARCH = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
_SECCOMP = {"x86_64": 317, "aarch64": 277}
_FIRST_UNKNOWN = 451
_X32 = 0x4000_0000

_CLONE_THREAD = 0x0001_0000
_SHARED_ANONYMOUS = 0x21
_UNCOUNTED = 0x0004_0100
"""MAP_GROWSDOWN and MAP_HUGETLB: memory that counts as a stack, or comes from a reserve of the host."""
_ACCESS = 0x3
_READ_ONLY = 0x0
_TRUNCATE = 0x200
_MERGEABLE = 12
"""MADV_MERGEABLE, which shares equal pages with other processes: how long a write takes then tells what they hold."""
_IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX."""
_PRCTLS = (2, 3, 15, 16, 21, 23, 30, 39, 41, 0x5356_4D41)
"""Reads, and naming threads and mappings; never the death signal or the dumpable flag."""
_COMMANDS = (0, 1, 2, 3, 4, 5, 9, 11, 36, 1025, 1030, 1032, 1034)
"""Commands of `fcntl` that copy a descriptor, read something, or set the flags of a descriptor. The owner of a
descriptor can be sent any signal, which is a way around `kill`; a pipe can be made larger, which no limit counts."""
_LOCKS = (6, 7, 37, 38)
"""F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW. Each locked range of bytes takes memory of the kernel, which no limit
counts. They are answered as granted: nobody else writes to the files of a session."""
_SIZE = 8
"""Bytes of an instruction."""
_SOMEBODY = 0x7FFF_FFFE
"""Stands for the id of the process in a filter that is not for any yet: no process has it."""
_OWN = (_EQUAL, _SOMEBODY)
_OF_A_PROCESS = ("getpgid", "getsid", "sched_getaffinity", "sched_getscheduler", "sched_getparam")

Program = list[tuple[int, int, int, int]]


def _refuse(number: int) -> tuple[int, int, int, int]:
    return (_RETURN, 0, 0, _ERRNO | number)


def _argument(index: int) -> tuple[int, int, int, int]:
    return (_LOAD, 0, 0, _ARGUMENTS_AT + 8 * index)


_PASS = (_RETURN, 0, 0, _ALLOW)


def _when(number: int, body: Program) -> Program:
    """Return the filter that runs `body`, which must end in a return, for the system call `number`."""
    return [(_EQUAL, 0, len(body), number), *body]


def _one_of(index: int, values: tuple[int, ...], otherwise: int) -> Program:
    checks: Program = [_argument(index)]
    for position, value in enumerate(values):
        checks.append((_EQUAL, len(values) - position, 0, value))
    return [*checks, _refuse(otherwise), _PASS]


def _mapping() -> Program:
    return [
        _argument(3),
        (_SET, 0, 1, _UNCOUNTED),
        _refuse(errno.EPERM),
        (_AND, 0, 0, _SHARED_ANONYMOUS),
        # Shared anonymous memory does not count towards any limit of the process.
        (_EQUAL, 0, 1, _SHARED_ANONYMOUS),
        _refuse(errno.ENOMEM),
        _PASS,
    ]


def _opening(index: int) -> Program:
    """Refuse what empties a file without being allowed to write to it.

    Opening a file for reading can truncate it, and so can opening it for neither, which is access mode 3. Before its
    third version Landlock does not govern that, nor the call `truncate`.
    """
    return [
        _argument(index),
        (_AND, 0, 0, _ACCESS),
        (_EQUAL, 4, 0, _ACCESS),
        (_EQUAL, 0, 2, _READ_ONLY),
        _argument(index),
        (_SET, 1, 0, _TRUNCATE),
        _PASS,
        _refuse(errno.EACCES),
    ]


def _control() -> Program:
    locks: Program = [_argument(1)]
    for position, value in enumerate(_LOCKS):
        locks.append((_EQUAL, len(_LOCKS) - position - 1, 1 if value == _LOCKS[-1] else 0, value))
    return [*locks, _refuse(0), *_one_of(1, _COMMANDS, errno.EPERM)]


def _filtered(pid: int) -> dict[str, Program]:
    return {
        "mmap": _mapping(),
        "clone": [_argument(0), (_SET, 1, 0, _CLONE_THREAD), _refuse(errno.EPERM), _PASS],
        "kill": _one_of(0, (pid,), errno.EPERM),
        "tgkill": _one_of(0, (pid,), errno.EPERM),
        "prlimit64": _one_of(0, (0, pid), errno.EPERM),
        "prctl": _one_of(0, _PRCTLS, errno.EPERM),
        "fcntl": _control(),
        "ioctl": _one_of(1, _IOCTLS, errno.ENOTTY),
        "open": _opening(1),
        "openat": _opening(2),
        # Of other processes they tell that these exist.
        **{name: _one_of(0, (0, pid), errno.EPERM) for name in _OF_A_PROCESS},
        "getpriority": _one_of(1, (0, pid), errno.EPERM),
        "madvise": [_argument(2), (_EQUAL, 0, 1, _MERGEABLE), _refuse(errno.EINVAL), _PASS],
    }


def assemble(machine: str, pid: int) -> Program:
    """Return the filter for `machine` as (code, jump if true, jump if false, operand).

    `pid` is the process that it will be installed in.
    """
    program: Program = [
        (_LOAD, 0, 0, _ARCH_AT),
        (_EQUAL, 1, 0, _ARCH[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
    ]
    if machine == "x86_64":
        program += [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _KILL)]
    for number in syscalls.numbers(syscalls.ALLOWED, machine).values():
        program += _when(number, [_PASS])
    bodies = _filtered(pid)
    for name, number in syscalls.numbers(syscalls.FILTERED, machine).items():
        program += _when(number, bodies[name])
    for table, answer in (
        (syscalls.PRETENDED, 0),
        (syscalls.UNSUPPORTED, errno.ENOTSUP),
        (syscalls.ABSENT, errno.ENOSYS),
    ):
        for number in syscalls.numbers(table, machine).values():
            program += _when(number, [_refuse(answer)])
    return [*program, (_AT_LEAST, 0, 1, _FIRST_UNKNOWN), _refuse(errno.ENOSYS), _refuse(errno.EPERM)]


@cache
def _prepared(machine: str) -> tuple[bytes, list[int]]:
    """Return the filter as the kernel takes it, and the offsets where the process's id belongs."""
    program = assemble(machine, _SOMEBODY)
    places = [_SIZE * number + 4 for number, (code, _, _, value) in enumerate(program) if (code, value) == _OWN]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program), places


def prepare() -> None:
    """Assemble the filter, so that forks of this process do not have to."""
    _prepared(libc.machine())


def lock() -> None:
    """Install the filter for every thread of this process, irrevocably; needs no_new_privs."""
    code, places = _prepared(libc.machine())
    buffer = ctypes.create_string_buffer(code, len(code))
    for place in places:
        struct.pack_into("=I", buffer, place, os.getpid())
    header = struct.pack("@HxxxxxxP", len(code) // _SIZE, ctypes.addressof(buffer))
    libc.syscall(_SECCOMP[libc.machine()], 1, 1, ctypes.create_string_buffer(header, len(header)), what="seccomp")
