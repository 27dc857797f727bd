"""The specification of a session's container: its mounts, limits and labels."""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from tablewright.sandbox.base import SESSIONS_FOLDER, SHARED_FOLDER
from tablewright.sandbox.docker.config import NO_NETWORK, DockerConfig
from tablewright.sandbox.process import SessionPaths

PLACE_LABEL = "tablewright.place"
INSTANCE_LABEL = "tablewright.instance"
_PLACE = "place"
_TMP = Path("/", "tmp")


def room(root: Path, name: str) -> SessionPaths:
    """Return the folders of the session `name`."""
    work = f"{SESSIONS_FOLDER}/{name}"
    return SessionPaths(host=root / "sessions" / name, name=name, shared=SHARED_FOLDER, work=work, tmp=os.fspath(_TMP))


def place(parent: Path) -> str:
    """Return the permanent name of a state folder, created on first use.

    Services that share the folder, and no others, clean up after each other.
    """
    path = parent / _PLACE
    draft = parent / f".{_PLACE}-{secrets.token_hex(4)}"
    if not path.exists():
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_hex(8))
        with suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text()


def is_held(folder: Path) -> bool:
    """Return whether the service with this state folder is alive."""
    try:
        handle = os.open(folder / "lock", os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    else:
        return False
    finally:
        os.close(handle)


def specification(
    config: DockerConfig, room: SessionPaths, *, user: int | None, labels: Mapping[str, str]
) -> dict[str, object]:
    """Return the request body for creating the container of the session `room`."""
    owner = user if user is not None else os.geteuid()
    group = user if user is not None else os.getegid()
    mounts = [
        _bind(room.host / "shared", room.shared, writable=False),
        _bind(room.host / "work", room.work, writable=True),
        _memory(room.tmp, config, labels),
    ]
    return {
        "Image": config.image,
        "User": f"{owner}:{group}",
        "Labels": dict(labels),
        "Hostname": "sandbox",
        "AttachStdin": True,
        "AttachStdout": True,
        "AttachStderr": True,
        "OpenStdin": True,
        # A container whose service is gone reaches the end of its input and exits.
        "StdinOnce": True,
        "Tty": False,
        "NetworkDisabled": config.network == NO_NETWORK,
        "HostConfig": _limits(config) | {"Mounts": mounts},
    }


def _limits(config: DockerConfig) -> dict[str, object]:
    return {
        "Runtime": config.runtime,
        "NetworkMode": config.network,
        "ReadonlyRootfs": True,
        "CapDrop": ["ALL"],
        "SecurityOpt": ["no-new-privileges"],
        "PidsLimit": config.pids,
        "Memory": config.limits.memory_bytes,
        "MemorySwap": config.limits.memory_bytes,
        "NanoCpus": int(config.limits.cpus * 1e9),
        "ShmSize": config.shm_bytes,
        "IpcMode": "private",
        "LogConfig": {"Type": "none"},
        "RestartPolicy": {"Name": "no"},
        "Ulimits": [{"Name": "core", "Soft": 0, "Hard": 0}],
    }


def _bind(source: Path, target: str, *, writable: bool) -> dict[str, object]:
    return {"Type": "bind", "Source": str(source), "Target": target, "ReadOnly": not writable}


def _memory(target: str, config: DockerConfig, labels: Mapping[str, str]) -> dict[str, object]:
    """Mount an in-memory file system of the host: gVisor's own does not limit the number of files."""
    options = f"nosuid,nodev,noexec,mode=1777,size={config.tmp_bytes},nr_inodes={config.tmp_files}"
    driver = {"Name": "local", "Options": {"type": "tmpfs", "device": "tmpfs", "o": options}}
    volume = {"NoCopy": True, "DriverConfig": driver, "Labels": dict(labels)}
    return {"Type": "volume", "Target": target, "VolumeOptions": volume}
