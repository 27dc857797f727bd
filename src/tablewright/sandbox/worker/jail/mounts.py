"""The file system that a zygote and its workers see (levels L2b and up).

/usr /bin /lib* …, interpreter, environment   read-only, at their own paths
/proc                     of its own process namespace, or empty where the host masks it
/dev                      null, full, random, urandom
/etc                      generated, with the linker's cache, time zone and fonts
/tmp                      in memory; of the paths above, those inside /tmp are mounted in it
/.sessions                the folders of all sessions: visible to the zygote, covered in a worker
/data/shared, /data/sessions/<id>   in a worker, after its lease
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from . import libc

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
FROM_ETC = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts")
DEVICES = ("null", "full", "random", "urandom")
SESSIONS = "/.sessions"
_KEPT = "/.kept"
"""Where paths inside /tmp are bound a second time: a worker mounts its own /tmp over the zygote's."""
_PUT_OLD = ".old"
_INODES = 10_000
"""The maximum number of files in an in-memory file system: even empty files use memory, without counting for
its size."""
_OWN_FOLDERS = 2
"""The folder of a session and its folder `output` are there from the start, and count as no files of its code."""
_QUIET = libc.MS_NOSUID | libc.MS_NODEV


def _memory(target: str, size_bytes: int, *, mode: str, flags: int = _QUIET) -> None:
    libc.mount("tmpfs", target, "tmpfs", flags, f"size={size_bytes},mode={mode},nr_inodes={_INODES}")


def outermost(paths: Iterable[str]) -> list[str]:
    """Drop every path that is inside another one; parents come first."""
    kept: list[str] = []
    for path in sorted(set(paths), key=lambda item: (item.count("/"), item)):
        if not any(path == parent or path.startswith(parent.rstrip("/") + "/") for parent in kept):
            kept.append(path)
    return kept


def mapped_libraries() -> list[str]:
    """Return the folders of the libraries mapped into this process: an interpreter may use some outside its prefix."""
    try:
        lines = Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return []
    files = {line.split(maxsplit=5)[5] for line in lines if len(line.split(maxsplit=5)) == 6}
    return sorted({str(Path(file).parent) for file in files if file.startswith("/") and ".so" in Path(file).name})


def _bind(root: str, path: str, handles: dict[str, int]) -> None:
    target = root + path
    if os.path.islink(path):  # noqa: PTH114 - pathlib would normalise what is compared as text
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        Path(target).symlink_to(os.readlink(path))  # noqa: PTH115
        return
    if Path(path).is_dir():
        Path(target).mkdir(parents=True, exist_ok=True)
    else:
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        Path(target).touch()
    # The source is named by a descriptor: an in-memory file system mounted meanwhile may hide its path.
    libc.mount(f"/proc/self/fd/{handles[path]}", target, None, libc.MS_BIND | libc.MS_REC)


def beneath_tmp(paths: Iterable[str]) -> list[str]:
    """Return the paths that an in-memory file system on /tmp would hide."""
    return [path for path in outermost(paths) if path.startswith("/tmp/")]  # noqa: S108 - the name is the matter


def _keep(root: str, paths: Iterable[str], handles: dict[str, int]) -> None:
    for number, path in enumerate(beneath_tmp(paths)):
        target = f"{root}{_KEPT}/{number}"
        Path(target).mkdir(parents=True)
        libc.mount(f"/proc/self/fd/{handles[path]}", target, None, libc.MS_BIND | libc.MS_REC)
        libc.restrict_mount(target, libc.MS_RDONLY | _QUIET)


def _open_all(paths: Iterable[str]) -> dict[str, int]:
    return {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path in paths if Path(path).exists()}


def _etc(root: str, users: Sequence[int], handles: dict[str, int]) -> None:
    etc = Path(root, "etc")
    etc.mkdir()
    lines = [f"analyst:x:{user}:{user}::/tmp:/usr/sbin/nologin" for user in users]
    etc.joinpath("passwd").write_text("\n".join(["root:x:0:0::/:/usr/sbin/nologin", *lines]) + "\n")
    etc.joinpath("group").write_text("\n".join(["root:x:0:", *(f"analyst:x:{user}:" for user in users)]) + "\n")
    etc.joinpath("hosts").write_text("127.0.0.1 localhost\n")
    etc.joinpath("nsswitch.conf").write_text("passwd: files\ngroup: files\nhosts: files\n")
    with suppress(OSError):
        etc.joinpath("localtime").write_bytes(Path("/etc/localtime").read_bytes())
    for path in FROM_ETC:
        if path in handles:
            _bind(root, path, handles)


def _devices(root: str, handles: dict[str, int]) -> None:
    Path(root, "dev").mkdir()
    for name in DEVICES:
        if f"/dev/{name}" in handles:
            _bind(root, f"/dev/{name}", handles)
    Path(root, "dev/shm").mkdir()
    for name, target in (("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        Path(root, "dev", name).symlink_to(target)


def mount_processes() -> bool:
    """Mount this namespace's own /proc. Where the host masks /proc, mount an empty folder and return False."""
    try:
        libc.mount("proc", "/proc", "proc", _QUIET | libc.MS_NOEXEC)
    except OSError:
        _memory("/proc", 4096, mode="0555", flags=_QUIET | libc.MS_RDONLY)
        return False
    return True


def enter_root(base: str, *, read_only: Sequence[str], sessions: str, users: Sequence[int]) -> None:
    """Build the zygote's root in the empty folder `base` and switch to it; needs namespaces of its own.

    `read_only` lists the paths to expose besides the system's; `sessions` is the host's folder of sessions; `users` are
    the user ids that sessions may have.
    """
    libc.mount("none", "/", None, libc.MS_REC | libc.MS_PRIVATE)
    system = [path for path in SYSTEM if os.path.lexists(path)]
    links = [path for path in system if os.path.islink(path)]  # noqa: PTH114 - see _bind
    folders = outermost([*(path for path in system if path not in links), *read_only])
    handles = _open_all([*folders, *FROM_ETC, *(f"/dev/{name}" for name in DEVICES), sessions])
    _memory(base, 1024**2, mode="0755", flags=libc.MS_NOSUID)
    Path(base, "tmp").mkdir()
    _memory(f"{base}/tmp", 256 * 1024**2, mode="1777")  # noqa: S108 - of the jail
    for path in [*folders, *links]:
        if path in handles or path in links:
            _bind(base, path, handles)
            if path not in links:
                libc.restrict_mount(base + path, libc.MS_RDONLY | _QUIET)
    _keep(base, folders, handles)
    _etc(base, users, handles)
    _devices(base, handles)
    for name in ("proc", "data", SESSIONS[1:], _PUT_OLD):
        Path(base, name).mkdir(exist_ok=True)
    libc.mount(f"/proc/self/fd/{handles[sessions]}", base + SESSIONS, None, libc.MS_BIND)
    for handle in handles.values():
        os.close(handle)
    os.chdir(base)
    libc.pivot_root(".", _PUT_OLD)
    os.chdir("/")


def leave_host() -> None:
    """Detach the host's file system, once /proc is mounted, and make the root read-only."""
    libc.detach("/" + _PUT_OLD)
    Path("/", _PUT_OLD).rmdir()
    libc.restrict_mount("/", libc.MS_RDONLY, recursive=False)


def private_memory(read_only: Sequence[str], *, tmp_bytes: int, shm_bytes: int) -> None:
    """Give this namespace its own /tmp, /dev/shm and /proc; `read_only` as for `enter_root`."""
    mount_processes()
    _memory("/tmp", tmp_bytes, mode="1777", flags=_QUIET | libc.MS_NOEXEC)  # noqa: S108 - the jail's own
    for number, path in enumerate(beneath_tmp(read_only)):
        Path(path).mkdir(parents=True, exist_ok=True)
        libc.mount(f"{_KEPT}/{number}", path, None, libc.MS_BIND | libc.MS_REC)
    _memory("/dev/shm", shm_bytes, mode="1777", flags=_QUIET | libc.MS_NOEXEC)  # noqa: S108


@dataclass(frozen=True, slots=True, kw_only=True)
class Disk:
    """A file system for a session's files: its size, the number of files, and the owner if that is another user."""

    size_bytes: int
    files: int
    user: int | None


def _bind_quietly(source: str, target: str, flags: int) -> None:
    Path(target).mkdir(parents=True)
    libc.mount(source, target, None, libc.MS_BIND)
    libc.restrict_mount(target, flags | _QUIET | libc.MS_NOEXEC)


def enter_session(folder: str, *, shared: str, work: str, disk: Disk | None = None) -> None:
    """Mount the session's two folders at their paths and cover all others; `folder` is its name under /.sessions.

    With a `disk` the working folder is a file system of its own.
    """
    _memory("/data", 64 * 1024, mode="0755")
    _bind_quietly(f"{SESSIONS}/{folder}/shared", shared, libc.MS_RDONLY)
    if disk is not None:
        Path(work).mkdir(parents=True)
        owner = os.getuid() if disk.user is None else disk.user
        group = os.getgid() if disk.user is None else disk.user
        # The folder itself counts as a file.
        limits = f"size={disk.size_bytes},nr_inodes={disk.files + _OWN_FOLDERS},mode=0700,uid={owner},gid={group}"
        libc.mount("tmpfs", work, "tmpfs", _QUIET | libc.MS_NOEXEC, limits)
    else:
        _bind_quietly(f"{SESSIONS}/{folder}/work", work, 0)
    libc.restrict_mount("/data", libc.MS_RDONLY, recursive=False)
    _memory(SESSIONS, 4096, mode="0555", flags=_QUIET | libc.MS_RDONLY)
