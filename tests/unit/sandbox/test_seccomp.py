"""The filter's decisions, by running its program as the kernel would."""

from __future__ import annotations

import errno
import os
import struct

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
    for command in (8, 10, 15, 1031, 1024, 1026):  # owners, signals, larger pipes, leases, notices
        assert call(machine, "fcntl", 5, command, 1) == errno.EPERM
    for command in (0, 1, 3, 4, 1030):
        assert call(machine, "fcntl", 5, command, 1) == ALLOW


@both
def test_no_call_tells_whether_another_process_lives_or_what_it_read(machine: str) -> None:
    for name in ("getpgid", "getsid", "sched_getaffinity", "sched_getscheduler", "sched_getparam"):
        assert [call(machine, name, process) for process in (0, PID, 1)] == [ALLOW, ALLOW, errno.EPERM]
    assert [call(machine, "getpriority", 0, process) for process in (0, PID, 1)] == [ALLOW, ALLOW, errno.EPERM]
    assert decide(machine, {"x86_64": 27, "aarch64": 232}[machine]) == errno.EPERM  # mincore
    assert call(machine, "preadv2") == call(machine, "pwritev2") == errno.ENOSYS


@both
def test_locks_on_ranges_of_files_are_granted_and_not_kept(machine: str) -> None:
    for command in (6, 7, 37, 38):
        assert call(machine, "fcntl", 5, command, 1) == 0
    assert call(machine, "fcntl", 5, 5, 1) == ALLOW


@both
def test_a_file_is_emptied_only_by_opening_it_to_write(machine: str) -> None:
    read, write, both_ways, neither, empty, create = 0, 1, 2, 3, 0o1000, 0o100
    calls = {"openat": (-100, 0)} | ({"open": (0,)} if machine == "x86_64" else {})
    for name, before in calls.items():
        for flags in (read, write, both_ways, write | empty | create, both_ways | empty):
            assert call(machine, name, *before, flags | 0o2000000) == ALLOW
        for flags in (read | empty, neither, neither | empty, read | empty | create):
            assert call(machine, name, *before, flags) == errno.EACCES
    assert decide(machine, {"x86_64": 76, "aarch64": 45}[machine]) == errno.EPERM  # truncate
    assert call(machine, "openat2") == errno.ENOSYS  # its flags lie in memory, where no filter looks
    assert call(machine, "ftruncate") == ALLOW


@both
def test_what_keeps_pages_in_pipes_does_not_exist(machine: str) -> None:
    for name in ("splice", "tee", "sendfile"):
        assert call(machine, name) == errno.ENOSYS


@both
def test_memory_that_no_limit_counts_is_refused(machine: str) -> None:
    assert call(machine, "mmap", 0, 4096, 3, 0x22) == ALLOW
    assert call(machine, "mmap", 0, 4096, 3, 0x01) == ALLOW
    assert call(machine, "mmap", 0, 4096, 3, 0x21) == errno.ENOMEM
    assert call(machine, "mmap", 0, 4096, 3, 0x4021) == errno.ENOMEM
    for stack_or_huge in (0x122, 0x20122, 0x40022):
        assert call(machine, "mmap", 0, 4096, 3, stack_or_huge) == errno.EPERM
    assert call(machine, "mmap", 0, 4096, 3, 0x24022) == ALLOW  # the stack of a thread
    assert call(machine, "madvise", 0, 4096, 12) == errno.EINVAL
    assert call(machine, "madvise", 0, 4096, 4) == ALLOW


@both
def test_the_death_signal_and_the_dumpable_flag_stay(machine: str) -> None:
    assert call(machine, "prctl", 15) == ALLOW
    for option in (1, 4, 8, 22, 38):
        assert call(machine, "prctl", option) == errno.EPERM


@both
def test_there_are_no_sockets_and_nothing_to_do_with_one(machine: str) -> None:
    x86 = {"socket": 41, "socketpair": 53, "sendto": 44, "sendmsg": 46, "recvmsg": 47, "setsockopt": 54}
    arm = {"socket": 198, "socketpair": 199, "sendto": 206, "sendmsg": 211, "recvmsg": 212, "setsockopt": 208}
    for number in (x86 if machine == "x86_64" else arm).values():
        assert decide(machine, number, 1, 1) == errno.EPERM


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


@both
def test_a_filter_prepared_for_nobody_is_that_of_the_process_it_is_installed_in(machine: str) -> None:
    code, places = seccomp._prepared(machine)
    found = bytearray(code)
    for place in places:
        struct.pack_into("=I", found, place, PID)
    assert bytes(found) == b"".join(
        struct.pack("=HBBI", *instruction) for instruction in seccomp.assemble(machine, PID)
    )
