"""The three steps into the jail, and the trial that finds out how far they work on this machine.

enter      once, by the launcher: namespaces and a root of its own; the zygote is then process 1 in them
separate   per worker, when it is forked: its own namespaces, /proc and in-memory file systems
lock_down  per worker, when it is leased: the session's folders; irrevocable
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from . import identity, landlock, libc, limits, mounts, seccomp

_SPACES = libc.CLONE_NEWNS | libc.CLONE_NEWPID | libc.CLONE_NEWIPC | libc.CLONE_NEWUTS
_ENTER = _SPACES | libc.CLONE_NEWNET | libc.CLONE_NEWCGROUP
_HOST_NAME = "sandbox"
_DEVICE_FILES = ("/dev/null", "/dev/urandom", "/dev/random", "/dev/full")
_OF_SYSTEM = (
    *("/usr", "/lib", "/lib64", "/lib32", "/bin"),
    *("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/etc/timezone", "/etc/mime.types", "/etc/fonts"),
    *("/etc/os-release", "/etc/nsswitch.conf"),
)
"""Programs and general facts, without names of people. Libraries expect to be able to open what they see here."""
_OF_MACHINE = ("/proc/meminfo", "/proc/cpuinfo", "/sys/devices/system/cpu")
"""The size of the machine: libraries ask for it, and some crash if refused."""
_OF_PROCESS = tuple(f"/proc/self/{name}" for name in ("cgroup", "maps", "stat", "statm", "status"))
"""What the C library, DuckDB and measurements read about their own process. The rest of /proc tells of the host: its
mounts, network, and processes."""
_GROUPS = "/sys/fs/cgroup"
_OF_GROUP = ("cpu.max", "cpu.cfs_quota_us", "cpu.cfs_period_us", "memory.max", "memory.high", "memory.limit_in_bytes")
"""Limits of the process's own control group, which libraries must be able to read where they see them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JailMounts:
    """The components of the jail.

    `users` are the ids for sessions, one each; empty if the service cannot assign any. `landlock` is the highest
    version of Landlock to use, for tests; None for the kernel's.
    """

    base: str
    sessions: str
    read_only: tuple[str, ...]
    users: tuple[int, ...]
    tmp_bytes: int
    shm_bytes: int
    landlock: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IsolationPlan:
    """The outcome of the trial: the level's name, how it is reached, and why it is not higher.

    `landlock` is the version of Landlock that works here, 0 if none does.
    """

    level: str
    landlock: int = 0
    user_namespace: bool = False
    keep_reading: bool = False
    reason: str = ""

    @property
    def nested(self) -> bool:
        """Whether each worker gets a user namespace of its own, which needs a /proc to set up."""
        return self.user_namespace and self.level == "L2"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionMounts:
    """One session: its folder's name, the paths of its folders as it sees them, and its user id if it has one.

    `disk_bytes` is the size of a file system of its own for its working folder, 0 if it is the host's folder.
    """

    folder: str
    shared: str
    work: str
    tmp: str
    disk_bytes: int
    disk_files: int
    user: int | None


def enter(house: JailMounts, *, user_namespace: bool) -> None:
    """Leave the host's namespaces and see only the house. The caller forks next, and the child calls `settle`."""
    user, group = os.getuid(), os.getgid()
    libc.unshare(_ENTER | (libc.CLONE_NEWUSER if user_namespace else 0))
    if user_namespace:
        identity.map_ids(user, group)
    libc.set_host_name(_HOST_NAME)
    users = house.users or (user,)
    mounts.enter_root(house.base, read_only=house.read_only, sessions=house.sessions, users=users)


def settle() -> bool:
    """As process 1, mount /proc and detach from the host. Returns False where the host masks /proc."""
    visible = mounts.mount_processes()
    mounts.leave_host()
    return visible


def separate(way: IsolationPlan) -> None:
    """Leave the zygote's namespaces. The caller forks next, and the child calls `mounts.private_memory`."""
    user, group = os.getuid(), os.getgid()
    libc.unshare(_SPACES | (libc.CLONE_NEWUSER if way.nested else 0))
    if way.nested:
        identity.map_ids(user, group)


def lock_down(house: JailMounts, way: IsolationPlan, room: SessionMounts, quota: limits.Quota) -> None:
    """Turn this process into the session's, irrevocably."""
    if way.level == "L1":
        read = (*house.read_only, *_OF_SYSTEM, *_DEVICE_FILES, room.shared)
        read = (*read, *_OF_MACHINE, *_OF_PROCESS, *_group_limits())
        rules = landlock.Rules(read=read, write=(room.work, room.tmp, "/dev/null"))
    else:
        disk = mounts.Disk(size_bytes=room.disk_bytes, files=room.disk_files, user=room.user)
        own = disk if room.disk_bytes else None
        mounts.enter_session(room.folder, shared=room.shared, work=room.work, disk=own)
        read = tuple(f"/{name}" for name in os.listdir("/") if name != "proc")  # noqa: PTH208 - names are enough
        write = (room.work, room.tmp, "/dev/shm", "/dev/null")  # noqa: S108 - of the jail
        rules = landlock.Rules(read=(*read, *_OF_MACHINE, *_OF_PROCESS), write=write, list=("/",))
    os.chdir(room.work)
    os.umask(0o077)
    _die_first()
    limits.impose(quota)
    libc.drop_bounding_set()
    if room.user is not None:
        identity.become(room.user, keep_reading=way.keep_reading)
    identity.renounce(keep_reading=way.keep_reading)
    identity.die_with_parent()
    if way.landlock:
        landlock.restrict(rules, way.landlock)
    seccomp.lock()


def _group_limits() -> list[str]:
    """Return where the limits of this process's control groups may stand."""
    try:
        lines = [line.split(":", 2) for line in Path("/proc/self/cgroup").read_text().splitlines()]
    except OSError:
        return []
    folders = {_GROUPS}
    for _, controllers, path in lines:
        for base in {_GROUPS, f"{_GROUPS}/{controllers}", *(f"{_GROUPS}/{name}" for name in controllers.split(","))}:
            folders |= {base, base + path} if {"cpu", "memory", ""} & set(controllers.split(",")) else set()
    return [f"{folder}/{name}" for folder in sorted(folders) for name in _OF_GROUP]


def _die_first() -> None:
    """Make sessions the first to be killed when the machine runs out of memory, before any service."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("500")


def _tried(attempt: Callable[[], str]) -> tuple[bool, str]:
    """Run `attempt` in a fork. Returns whether it completed, and its return value or the error."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            text = attempt()
            code = 0
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is the answer
            text = "".join(traceback.format_exception_only(error)).strip()
        os.write(writing, text.encode()[:4096])
        os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        text = stream.read().decode(errors="replace")
    return os.waitpid(child, 0)[1] == 0, text


def _forked(step: Callable[[], str]) -> str:
    worked, text = _tried(step)
    if not worked:
        raise OSError(text)
    return text


def _attempt_spaces(house: JailMounts, *, user_namespace: bool) -> str:
    def within() -> str:
        mounts.private_memory(house.read_only, tmp_bytes=65536, shm_bytes=65536)
        return ""

    def inside() -> str:
        way = IsolationPlan(level="L2" if settle() else "L2b", user_namespace=user_namespace)
        separate(way)
        _forked(within)
        return way.level

    enter(house, user_namespace=user_namespace)
    return _forked(inside)


def _attempt_plain(house: JailMounts) -> str:
    user = house.users[0] if house.users else None
    reachable = ""
    if user is not None:
        worked, _ = _tried(lambda: _readable_as(house, user, keep_reading=False))
        if not worked:
            _forked(lambda: _readable_as(house, user, keep_reading=True))
            reachable = "keep"
    identity.renounce()
    seccomp.lock()
    return reachable


def _attempt_landlock(house: JailMounts) -> str:
    identity.renounce()
    landlock.restrict(landlock.Rules(read=house.read_only, write=("/dev/null",)), landlock.version(house.landlock))
    return ""


def _readable_as(house: JailMounts, user: int, *, keep_reading: bool) -> str:
    """Check that `user` can access the interpreter, the environment and the sessions."""
    identity.become(user, keep_reading=keep_reading)
    identity.renounce(keep_reading=keep_reading)
    with open(os.__file__, "rb") as source:  # noqa: PTH123 - the plainest read there is
        source.read(1)
    next(Path(sys.prefix).iterdir())
    Path(house.sessions).stat()
    return ""


def trial(house: JailMounts, strongest: str) -> IsolationPlan:
    """Find the strongest level up to `strongest` (`L1`, `L2b` or `L2`) by trying each step in forks."""
    seccomp.prepare()
    reasons: list[str] = []
    governed, ungoverned = _tried(lambda: _attempt_landlock(house))
    version = landlock.version(house.landlock) if governed else 0
    if strongest != "L1":
        for user_namespace in (False, True) if os.geteuid() == 0 else (True,):
            worked, text = _tried(partial(_attempt_spaces, house, user_namespace=user_namespace))
            if worked:
                return IsolationPlan(level=text, landlock=version, user_namespace=user_namespace)
            reasons.append(text)
    worked, text = _tried(lambda: _attempt_plain(house)) if governed else (False, ungoverned)
    if worked:
        return IsolationPlan(level="L1", landlock=version, keep_reading=text == "keep", reason="; ".join(reasons))
    return IsolationPlan(level="NONE", reason="; ".join([*reasons, text]))
