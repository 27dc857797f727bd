"""The system call filter: an allow-list in classic BPF, for x86-64 and aarch64."""

from __future__ import annotations

import ctypes
import errno
import os
import struct

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
_IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX."""
_PRCTLS = (2, 3, 15, 16, 21, 23, 30, 39, 41, 0x5356_4D41)
"""Reads, and naming threads and mappings; never the death signal or the dumpable flag."""
_OWNER_COMMANDS = (8, 10, 15)
"""F_SETOWN, F_SETSIG, F_SETOWN_EX."""
_UNIX = 1

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


def _none_of(index: int, values: tuple[int, ...], otherwise: int) -> Program:
    checks: Program = [_argument(index)]
    for position, value in enumerate(values):
        checks.append((_EQUAL, len(values) - position, 0, value))
    return [*checks, _PASS, _refuse(otherwise)]


def _filtered(pid: int) -> dict[str, Program]:
    return {
        "mmap": [
            _argument(3),
            (_AND, 0, 0, _SHARED_ANONYMOUS),
            # Shared anonymous memory does not count towards any limit of the process.
            (_EQUAL, 0, 1, _SHARED_ANONYMOUS),
            _refuse(errno.ENOMEM),
            _PASS,
        ],
        "clone": [_argument(0), (_SET, 1, 0, _CLONE_THREAD), _refuse(errno.EPERM), _PASS],
        "kill": _one_of(0, (pid,), errno.EPERM),
        "tgkill": _one_of(0, (pid,), errno.EPERM),
        "prlimit64": _one_of(0, (0, pid), errno.EPERM),
        "prctl": _one_of(0, _PRCTLS, errno.EPERM),
        # The owner of a descriptor can be sent any signal: a way around `kill`.
        "fcntl": _none_of(1, _OWNER_COMMANDS, errno.EPERM),
        "ioctl": _one_of(1, _IOCTLS, errno.ENOTTY),
        "socketpair": _one_of(0, (_UNIX,), errno.EPERM),
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


def install(program: Program) -> None:
    """Install `program` for every thread of this process, irrevocably; needs no_new_privs."""
    code = b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("@HxxxxxxP", len(program), ctypes.addressof(buffer))
    libc.syscall(_SECCOMP[libc.machine()], 1, 1, ctypes.create_string_buffer(header, len(header)), what="seccomp")


def lock() -> None:
    """Install the filter for this process."""
    install(assemble(libc.machine(), os.getpid()))
