"""The worker of a container: a fork of the agent that loads, waits for its lease, and then locks itself down further.

The container is the boundary, by its mounts, its network and its limits. Inside it, the layers of level L1 apply as far
as the kernel that the container sees supports them.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import resource
import shutil
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import preload, program
from .emitter import Emitter
from .framing import FrameWriter
from .interrupts import Interrupts
from .jail import identity, limits, mounts, stages
from .runner import Runner
from .session import Worker

_TMP = "/tmp"  # noqa: S108 - a memory file system of the container's own
_READ_LOG = 3
_LOG_BYTES = 64 * 1024
_M_ARENA_MAX = -8
_STANDARD = 3
_DESCRIPTORS = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class ContainedLevel:
    """The available isolation level, the reason why it is not higher, and the version of Landlock in force, or 0."""

    level: str
    reason: str
    landlock: int
    house: stages.JailMounts


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipes:
    """The agent's ends of the worker's pipes."""

    to_worker: int
    from_worker: int
    stray: int


def _has_own_kernel() -> bool:
    """Return whether this is gVisor, whose kernel log anyone may read."""
    buffer = ctypes.create_string_buffer(_LOG_BYTES)
    count = ctypes.CDLL(None).klogctl(_READ_LOG, buffer, _LOG_BYTES)
    return count > 0 and b"gVisor" in buffer.raw[:count]


def look() -> ContainedLevel:
    """Determine the isolation level by trying."""
    own = [sys.prefix, sys.base_prefix, sys.exec_prefix, str(program.FOLDER), *mounts.mapped_libraries()]
    house = stages.JailMounts(
        base=_TMP,
        sessions=_TMP,
        read_only=tuple(mounts.outermost({path for entry in own for path in (entry, os.path.realpath(entry))})),
        users=(),
        tmp_bytes=0,
        shm_bytes=0,
    )
    if _has_own_kernel():
        return ContainedLevel(level="GVISOR", reason="", landlock=0, house=house)
    way = stages.trial(house, "L1")
    return ContainedLevel(level=way.level, reason=way.reason, landlock=way.landlock, house=house)


def start(packages: Sequence[str], place: ContainedLevel) -> tuple[int, Pipes]:
    """Fork the worker. Returns its process id and the agent's ends of its pipes."""
    commands, to_worker = os.pipe2(os.O_CLOEXEC)
    from_worker, frames = os.pipe2(os.O_CLOEXEC)
    reading, stray = os.pipe2(os.O_CLOEXEC)
    child = os.fork()
    if child == 0:
        code = 70
        try:
            _run(commands, frames, stray, packages, place)
            code = 0
        except BaseException:  # noqa: BLE001 - a fork must not return into its parent's code
            os.write(2, traceback.format_exc().encode(errors="replace")[-4096:])
        os._exit(code)
    for descriptor in (commands, frames, stray):
        os.close(descriptor)
    return child, Pipes(to_worker=to_worker, from_worker=from_worker, stray=reading)


def _run(commands: int, frames: int, stray: int, packages: Sequence[str], place: ContainedLevel) -> None:
    identity.die_with_parent()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    nowhere = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    os.dup2(nowhere, 0)
    os.dup2(stray, 1)
    os.dup2(stray, 2)
    for descriptor in range(_STANDARD, stray + 1):
        if descriptor not in (commands, frames, nowhere):
            with suppress(OSError):
                os.close(descriptor)
    faulthandler.enable(file=2, all_threads=False)
    _prepare_folders()
    interrupts = Interrupts()
    emitter = Emitter(FrameWriter(nowhere, nowhere, interrupts), interrupts)
    runner = Runner(emitter, interrupts)
    preload.load(packages)
    preload.rehearse(runner)
    count = preload.threads()
    if count > 1:
        raise RuntimeError(f"{count} threads after preloading: the filter would not bind all of them")
    wire = FrameWriter(commands, frames, interrupts)
    emitter.connect(wire)
    Worker(wire, emitter, runner, interrupts, lambda header: _lease(header, place)).serve()


def _prepare_folders() -> None:
    os.environ.update(HOME=_TMP, TMPDIR=_TMP, IPYTHONDIR=f"{_TMP}/ipython", MPLCONFIGDIR=f"{_TMP}/matplotlib")
    fonts = program.FOLDER.parent / "matplotlib"
    if fonts.is_dir():
        shutil.copytree(fonts, f"{_TMP}/matplotlib", dirs_exist_ok=True)


def _lease(header: dict[str, Any], place: ContainedLevel) -> str:
    room = stages.SessionMounts(user=None, **header["room"])
    quota = limits.Quota(own_user=True, **header["quota"])
    if place.level == "GVISOR":
        _bound_addresses(quota.memory_bytes)
    stages.lock_down(place.house, stages.IsolationPlan(level="L1", landlock=place.landlock), room, quota)
    return room.work


def _bound_addresses(memory_bytes: int) -> None:
    """Limit the address space, for gVisor, which enforces no other limit on memory.

    It covers private memory, shared memory and files alike.
    """
    # Otherwise each thread would reserve address space for an allocation arena of its own.
    ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + memory_bytes, size + memory_bytes))
