"""The filter's decisions, by running its program as the kernel would."""

from __future__ import annotations

import errno
import os

import pytest

from tablewright.sandbox.worker.jail import seccomp, syscalls

ALLOW = "allow"
KILL = "kill"
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
PID = 4242


def decide(machine: str, number: int, *arguments: int, arch: int | None = None) -> str | int:
    """Interpret the program for one call; returns `allow`, `kill`, or the error number."""
    program = seccomp.assemble(machine, PID)
    values = [*arguments, *[0] * (6 - len(arguments))]
    data = {0: number, 4: ARCHITECTURES[machine] if arch is None else arch}
    data |= {16 + 8 * index: value & 0xFFFFFFFF for index, value in enumerate(values)}
    accumulator, position = 0, 0
    while True:
        code, when_true, when_false, operand = program[position]
        position += 1
        if code == 0x20:
            accumulator = data[operand]
        elif code == 0x54:
            accumulator &= operand
        elif code == 0x06:
            return _answer(operand)
        else:
            holds = {0x15: accumulator == operand, 0x35: accumulator >= operand, 0x45: bool(accumulator & operand)}[
                code
            ]
            position += when_true if holds else when_false


def _answer(operand: int) -> str | int:
    if operand == 0x7FFF0000:
        return ALLOW
    if operand == 0x80000000:
        return KILL
    assert operand & 0xFFFF0000 == 0x00050000
    return operand & 0xFFFF


def call(machine: str, name: str, *arguments: int) -> str | int:
    tables = (syscalls.ALLOWED, syscalls.FILTERED, syscalls.PRETENDED, syscalls.UNSUPPORTED, syscalls.ABSENT)
    known = {key: number for table in tables for key, number in syscalls.numbers(table, machine).items()}
    return decide(machine, known[name], *arguments)


both = pytest.mark.parametrize("machine", ARCHITECTURES)


@both
def test_everyday_calls_are_allowed(machine: str) -> None:
    for name in ("read", "write", "openat", "munmap", "futex", "clock_gettime", "exit_group", "rt_sigreturn"):
        assert call(machine, name) == ALLOW


@both
def test_a_thread_may_be_started_and_a_process_not(machine: str) -> None:
    thread = 0x3D0F00
    assert call(machine, "clone", thread) == ALLOW
    assert call(machine, "clone", 0x11) == errno.EPERM
    assert call(machine, "clone3") == errno.ENOSYS


@both
def test_only_this_process_may_be_signalled_and_limited(machine: str) -> None:
    for name in ("kill", "tgkill"):
        assert call(machine, name, PID, 9) == ALLOW
        for target in (1, -1, 0, PID + 1):
            assert call(machine, name, target, 9) == errno.EPERM
    assert call(machine, "prlimit64", 0) == ALLOW
    assert call(machine, "prlimit64", PID + 1) == errno.EPERM
    assert call(machine, "fcntl", 5, 8, 1) == errno.EPERM
    assert call(machine, "fcntl", 5, 1, 1) == ALLOW


@both
def test_memory_that_no_limit_counts_is_refused(machine: str) -> None:
    assert call(machine, "mmap", 0, 4096, 3, 0x22) == ALLOW
    assert call(machine, "mmap", 0, 4096, 3, 0x01) == ALLOW
    assert call(machine, "mmap", 0, 4096, 3, 0x21) == errno.ENOMEM
    assert call(machine, "mmap", 0, 4096, 3, 0x4021) == errno.ENOMEM


@both
def test_the_death_signal_and_the_dumpable_flag_stay(machine: str) -> None:
    assert call(machine, "prctl", 15) == ALLOW
    for option in (1, 4, 8, 22, 38):
        assert call(machine, "prctl", option) == errno.EPERM


@both
def test_sockets_exist_in_pairs_only(machine: str) -> None:
    assert call(machine, "socketpair", 1, 1, 0) == ALLOW
    assert call(machine, "socketpair", 2, 1, 0) == errno.EPERM
    assert decide(machine, {"x86_64": 41, "aarch64": 198}[machine]) == errno.EPERM


@both
def test_changes_of_mode_are_answered_and_not_made(machine: str) -> None:
    for name in ("fchmod", "fchownat", "utimensat"):
        assert call(machine, name) == 0
    assert call(machine, "setxattr") == errno.ENOTSUP


@both
def test_calls_newer_than_the_table_do_not_exist(machine: str) -> None:
    for number in (451, 460, 999):
        assert decide(machine, number) == errno.ENOSYS


@both
def test_another_architecture_is_killed(machine: str) -> None:
    assert decide(machine, 0, arch=0x40000003) == KILL


def test_the_x32_calls_of_x86_64_are_killed() -> None:
    assert decide("x86_64", 0x40000000) == KILL


@both
def test_no_number_is_in_two_tables(machine: str) -> None:
    tables = (syscalls.ALLOWED, syscalls.FILTERED, syscalls.PRETENDED, syscalls.UNSUPPORTED, syscalls.ABSENT)
    numbers = [number for table in tables for number in syscalls.numbers(table, machine).values()]
    assert len(numbers) == len(set(numbers))


@both
def test_jumps_stay_within_the_program(machine: str) -> None:
    program = seccomp.assemble(machine, os.getpid())
    assert len(program) < 4096
    for position, (_, when_true, when_false, _) in enumerate(program):
        assert position + 1 + max(when_true, when_false) <= len(program)
