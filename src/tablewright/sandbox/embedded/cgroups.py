"""Control groups, where they can be created: limits on a session's memory (with file systems), CPU share and threads.

Version 2 is used if the memory, cpu and pids controllers are delegated to the service (systemd: `Delegate=yes`),
version 1 if it runs as root. Each session has a group `<base>/tablewright-<name>/<session>`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tablewright.sandbox.base import Limits

ROOT = Path("/sys/fs/cgroup")
_PREFIX = "tablewright-"
_ZYGOTE = "zygote"
_THREADS = 256
_PERIOD_US = 100_000
_CONTROLLERS = ("memory", "cpu", "pids")


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups:
    """Creates groups. `folders` are their parents, by controller; in version 2 it is one for all."""

    folders: Mapping[str, Path]
    unified: bool

    def _own(self) -> Iterable[Path]:
        return sorted(set(self.folders.values()))

    def make(self, name: str, process: int, limits: Limits) -> None:
        """Create a group with `limits` and move `process` into it. Raises OSError if that is not possible."""
        for folder in self._own():
            (folder / name).mkdir(exist_ok=True)
        for controller, file, value in _settings(limits, unified=self.unified):
            _write(self.folders[controller] / name / file, value)
        for folder in self._own():
            _write(folder / name / "cgroup.procs", str(process))

    def remove(self, name: str) -> None:
        """Remove a group whose processes have ended."""
        for folder in self._own():
            with suppress(OSError):
                (folder / name).rmdir()

    def close(self) -> None:
        """Remove every group and their parent folders."""
        for folder in self._own():
            _remove_below(folder)


def _write(file: Path, value: str) -> None:
    """Write to a file that the kernel created; never create one, as would be possible in an ordinary folder."""
    handle = os.open(file, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(handle, value.encode())
    finally:
        os.close(handle)


def _settings(limits: Limits, *, unified: bool) -> Iterable[tuple[str, str, str]]:
    quota = int(limits.cpus * _PERIOD_US)
    yield "pids", "pids.max", str(_THREADS)
    if unified:
        yield "memory", "memory.max", str(limits.memory_bytes)
        yield "cpu", "cpu.max", f"{quota} {_PERIOD_US}"
    else:
        yield "memory", "memory.limit_in_bytes", str(limits.memory_bytes)
        yield "cpu", "cpu.cfs_period_us", str(_PERIOD_US)
        yield "cpu", "cpu.cfs_quota_us", str(quota)


def _remove_below(folder: Path) -> None:
    with suppress(OSError):
        for child in folder.iterdir():
            if child.is_dir():
                _remove_below(child)
        folder.rmdir()


def _sweep(base: Path) -> None:
    """Remove the groups of dead services."""
    for folder in base.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if not (folder / _ZYGOTE / "cgroup.procs").read_text():
                _remove_below(folder)


def _own_paths() -> dict[str, str]:
    """Return this process's group by controller; version 2 has the empty name."""
    paths: dict[str, str] = {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            paths[controller] = path.lstrip("/")
    return paths


def _version_2(name: str, own: Mapping[str, str]) -> Groups:
    base = ROOT / own[""]
    enabled = " ".join(f"+{controller}" for controller in _CONTROLLERS)
    control = base / "cgroup.subtree_control"
    if not set(_CONTROLLERS) <= set((base / "cgroup.controllers").read_text().split()):
        raise OSError("the controllers are not there")
    try:
        _write(control, enabled)
    except OSError:
        # A group that contains processes cannot delegate controllers to children, so the service moves aside.
        aside = base / "tablewright-service"
        aside.mkdir(exist_ok=True)
        _write(aside / "cgroup.procs", str(os.getpid()))
        _write(control, enabled)
    _sweep(base)
    folder = base / f"{_PREFIX}{name}"
    folder.mkdir(exist_ok=True)
    _write(folder / "cgroup.subtree_control", enabled)
    return Groups(folders=dict.fromkeys(_CONTROLLERS, folder), unified=True)


def _version_1(name: str, own: Mapping[str, str]) -> Groups:
    folders = {}
    for controller in _CONTROLLERS:
        base = ROOT / controller / own[controller]
        _sweep(base)
        folders[controller] = base / f"{_PREFIX}{name}"
        folders[controller].mkdir(exist_ok=True)
    return Groups(folders=folders, unified=False)


def find(name: str, process: int) -> Groups | None:
    """Return the groups that can be created here, or None.

    This is tested by creating a group for `process`, without limits.
    """
    try:
        own = _own_paths()
    except OSError:
        return None
    for attempt in (_version_2, _version_1):
        try:
            groups = attempt(name, own)
        except (OSError, KeyError):
            continue
        try:
            groups.make(_ZYGOTE, process, Limits(memory_bytes=2**62, cpus=10_000))
        except OSError:
            groups.close()
            continue
        return groups
    return None
