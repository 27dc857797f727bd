"""Linux calls missing from the standard library, through libc. Errors raise OSError, as in the standard library."""

from __future__ import annotations

import ctypes
import os
import platform
from functools import cache

CLONE_NEWNS = 0x0002_0000
CLONE_NEWCGROUP = 0x0200_0000
CLONE_NEWUTS = 0x0400_0000
CLONE_NEWIPC = 0x0800_0000
CLONE_NEWUSER = 0x1000_0000
CLONE_NEWPID = 0x2000_0000
CLONE_NEWNET = 0x4000_0000

MS_RDONLY = 0x1
MS_NOSUID = 0x2
MS_NODEV = 0x4
MS_NOEXEC = 0x8
MS_REMOUNT = 0x20
MS_BIND = 0x1000
MS_REC = 0x4000
MS_PRIVATE = 0x4_0000
MNT_DETACH = 0x2

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_KEEPCAPS = 8
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38

_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_CAPGET = {"x86_64": 125, "aarch64": 90}
_CAPSET = {"x86_64": 126, "aarch64": 91}
_MOUNT_SETATTR = 442
_AT_RECURSIVE = 0x8000
_MOUNT_ATTR = {MS_RDONLY: 0x1, MS_NOSUID: 0x2, MS_NODEV: 0x4, MS_NOEXEC: 0x8}
_CAPABILITY_VERSION_3 = 0x2008_0522
LAST_CAPABILITY = 63


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def trim() -> None:
    """Give the memory that was freed back to the system, where the library of C keeps it and can be told not to."""
    give_back = getattr(_libc(), "malloc_trim", None)
    if give_back is not None:
        give_back(0)


def machine() -> str:
    """Return the architecture, which determines the system call numbers."""
    return platform.machine()


def _checked(result: int, what: str) -> int:
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(number: int, *arguments: object, what: str) -> int:
    """Call `number`; integers are passed as 64-bit values, anything else as ctypes takes it."""
    converted = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    return _checked(_libc().syscall(ctypes.c_long(number), *converted), what)


def prctl(option: int, second: int = 0, *, third: int = 0, what: str = "prctl") -> int:
    """Set or read an attribute of this process."""
    arguments = [ctypes.c_ulong(value) for value in (second, third, 0, 0)]
    return _checked(_libc().prctl(ctypes.c_int(option), *arguments), what)


def unshare(flags: int) -> None:
    """Leave the namespaces named by `flags` for new ones."""
    _checked(_libc().unshare(ctypes.c_int(flags)), "unshare")


def mount(source: str, target: str, kind: str | None, flags: int = 0, data: str = "") -> None:
    """Attach a file system."""
    _checked(
        _libc().mount(
            os.fsencode(source),
            os.fsencode(target),
            None if kind is None else kind.encode(),
            ctypes.c_ulong(flags),
            data.encode(),
        ),
        f"mount {kind or 'bind'} on {target}",
    )


def restrict_mount(target: str, flags: int, *, recursive: bool = True) -> None:
    """Add MS_RDONLY, MS_NOSUID, MS_NODEV or MS_NOEXEC to the mount at `target` and to every mount below it."""
    attributes = sum(attribute for flag, attribute in _MOUNT_ATTR.items() if flags & flag)
    request = (ctypes.c_uint64 * 4)(attributes, 0, 0, 0)
    try:
        syscall(
            _MOUNT_SETATTR,
            -100,
            ctypes.c_char_p(os.fsencode(target)),
            _AT_RECURSIVE if recursive else 0,
            request,
            ctypes.sizeof(request),
            what="mount_setattr",
        )
    except OSError:
        # Kernels before 5.12: a remount, which has to repeat the flags locked by an outer namespace.
        locked = os.statvfs(target).f_flag & (MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY)
        mount("none", target, None, MS_BIND | MS_REMOUNT | flags | locked)


def detach(target: str) -> None:
    """Unmount `target` and all below it."""
    _checked(_libc().umount2(os.fsencode(target), MNT_DETACH), f"umount {target}")


def pivot_root(new_root: str, put_old: str) -> None:
    """Make `new_root` the root of this mount namespace."""
    paths = [ctypes.c_char_p(os.fsencode(path)) for path in (new_root, put_old)]
    syscall(_PIVOT_ROOT[machine()], *paths, what="pivot_root")


def set_host_name(name: str) -> None:
    """Set the host name of this UTS namespace."""
    raw = name.encode()
    _checked(_libc().sethostname(raw, ctypes.c_size_t(len(raw))), "sethostname")


def permitted_capabilities() -> int:
    """Return this process's permitted capabilities as bits."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    sets = (ctypes.c_uint32 * 6)()
    syscall(_CAPGET[machine()], header, sets, what="capget")
    return int(sets[1]) | int(sets[4]) << 32


def keep_capabilities(kept: int = 0) -> None:
    """Reduce the effective, permitted and inheritable capabilities to the bits of `kept`."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    low, high = kept & 0xFFFF_FFFF, kept >> 32
    sets = (ctypes.c_uint32 * 6)(low, low, 0, high, high, 0)
    syscall(_CAPSET[machine()], header, sets, what="capset")


def drop_bounding_set() -> None:
    """Prevent gaining any capability by exec. Needs CAP_SETPCAP, otherwise does nothing."""
    for capability in range(LAST_CAPABILITY + 1):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            return
