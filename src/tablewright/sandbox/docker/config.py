"""Configuration of the Docker backend."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tablewright.sandbox.base import Level, Limits
from tablewright.sandbox.import_policy import ImportPolicy
from tablewright.sandbox.pool import PoolSize
from tablewright.sandbox.process import PRELOADED

SOCKET = Path("/var/run/docker.sock")
IMAGE = "tablewright-sandbox"
RUNTIME = "runsc"
NO_NETWORK = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class DockerConfig:
    """Settings of the Docker backend.

    `socket`: the daemon's. `network`: `none`, or the name of a network that the daemon reports as internal. `folder`:
    where session folders are created, which must be the same path for the daemon and for this process; the system's
    temporary folder if None. `limits.memory_bytes` and `limits.cpus` apply to a container: a lease may have less, never
    more.
    """

    socket: Path = SOCKET
    image: str = IMAGE
    runtime: str = RUNTIME
    network: str = NO_NETWORK
    folder: Path | None = None
    size: PoolSize = field(default_factory=PoolSize)
    limits: Limits = field(default_factory=Limits)
    preload: tuple[str, ...] = PRELOADED
    min_isolation: Level = Level.L1
    imports: ImportPolicy = field(default_factory=ImportPolicy)
    tmp_bytes: int = 64 * 1024**2
    tmp_files: int = 5_000
    shm_bytes: int = 16 * 1024**2
    pids: int = 512
    """Threads of a container. gVisor needs two of the host for each of the 128 that a session may have, and its own."""
    health_check_s: float = 30.0
