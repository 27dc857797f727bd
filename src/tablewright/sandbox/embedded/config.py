"""Configuration of the embedded backend."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tablewright.sandbox.base import Level, Limits
from tablewright.sandbox.environment import Progress, silent
from tablewright.sandbox.import_policy import ImportPolicy
from tablewright.sandbox.pool import PoolSize
from tablewright.sandbox.process import PRELOADED


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedConfig:
    """Settings of the embedded backend.

    `python`: the interpreter of the sandbox environment; if None, it is searched for, or created below `cache` and
    reported to `progress`. `folder`: where session folders are created; the system's temporary folder if None.
    `strongest` caps the isolation level, for tests and for machines whose namespaces misbehave; `landlock` caps the
    version of Landlock, for tests.
    """

    python: Path | None = None
    cache: Path | None = None
    progress: Progress = silent
    folder: Path | None = None
    size: PoolSize = field(default_factory=PoolSize)
    limits: Limits = field(default_factory=Limits)
    preload: tuple[str, ...] = PRELOADED
    min_isolation: Level = Level.L1
    strongest: Level = Level.L3
    landlock: int | None = None
    imports: ImportPolicy = field(default_factory=ImportPolicy)
    tmp_bytes: int = 64 * 1024**2
    shm_bytes: int = 16 * 1024**2
    health_check_s: float = 30.0
