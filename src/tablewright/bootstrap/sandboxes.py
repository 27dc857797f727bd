"""Creates the sandbox described by the settings."""

from __future__ import annotations

from typing import cast

from tablewright.bootstrap.loader import DOCKER_CONFIG, DOCKER_SANDBOX, EMBEDDED_CONFIG, EMBEDDED_SANDBOX, load
from tablewright.domain.ids import Clock, Ids
from tablewright.sandbox.base import Level, Limits, Sandbox
from tablewright.sandbox.import_policy import ImportPolicy
from tablewright.sandbox.pool import PoolSize
from tablewright.sandbox.process import PRELOADED_LEAST
from tablewright.sandbox.workers import affordable
from tablewright.settings.tree import SandboxSettings

ONE_QUESTION = PoolSize(minimum=1, maximum=2)


def sessions_at_once(settings: SandboxSettings) -> int:
    """Return the maximum number of concurrent sessions: the configured one, or fewer if memory does not suffice."""
    size = PoolSize(minimum=settings.pool.min_size, maximum=settings.pool.max_size)
    limits = Limits(memory_bytes=settings.worker.memory_limit)
    disk_bytes = 0 if settings.backend == "docker" else limits.disk_bytes
    return affordable(size, limits.memory_bytes + disk_bytes).maximum


def sandbox_of(settings: SandboxSettings, clock: Clock, ids: Ids, *, step_timeout_s: float, least: bool) -> Sandbox:
    """Return the sandbox, not yet started. `least` is for one question: fewer imports and a smaller pool."""
    limits = Limits(
        memory_bytes=settings.worker.memory_limit,
        cpus=settings.worker.cpu_limit,
        step_timeout_s=step_timeout_s,
        execution_timeout_s=settings.session.execution_timeout,
        idle_s=settings.session.idle_timeout,
        lifetime_s=settings.session.max_lifetime,
    )
    pool = settings.pool
    size = PoolSize(
        minimum=pool.min_size,
        maximum=pool.max_size,
        grow_above=pool.scale_up_threshold,
        shrink_below=pool.scale_down_threshold,
    )
    common = {
        "folder": settings.data.sessions_path,
        "size": ONE_QUESTION if least else size,
        "limits": limits,
        "preload": PRELOADED_LEAST if least else settings.preload_packages,
        "health_check_s": pool.health_check_interval,
        "imports": ImportPolicy(
            checked=settings.imports.checked, only=settings.imports.only, refused=settings.imports.refused
        ),
        "min_isolation": Level[settings.min_isolation],
    }
    if settings.backend == "docker":
        worker = settings.worker
        config = load(DOCKER_CONFIG)(
            socket=settings.docker.socket, image=worker.image, runtime=worker.runtime, network=worker.network, **common
        )
        return cast(Sandbox, load(DOCKER_SANDBOX)(config, ids=ids, clock=clock))
    config = load(EMBEDDED_CONFIG)(python=settings.python, **common)
    return cast(Sandbox, load(EMBEDDED_SANDBOX)(config, ids=ids, clock=clock))
