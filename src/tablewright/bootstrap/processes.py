"""The processes beside the service: the sandbox and the readers of files. Importing this imports little else."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tablewright.bootstrap.readers import LazyTables
from tablewright.bootstrap.sandboxes import sandbox_of
from tablewright.data.base import OpenLimits
from tablewright.domain.ids import SystemClock, Uuid7Ids
from tablewright.sandbox.lazy import LazySandbox
from tablewright.settings.tree import Settings

if TYPE_CHECKING:
    from tablewright.metrics import Metrics

Preload = Literal["nothing", "least", "all"]
"""What is prepared in advance: `nothing` for reading stored data, `least` for one question, `all` for a service."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Processes:
    """The sandbox and the readers, which are starting, or start with the first use."""

    sandbox: LazySandbox
    tables: LazyTables


def open_limits(settings: Settings) -> OpenLimits:
    """Return the limits of opening a file."""
    files = settings.files
    return OpenLimits(memory_bytes=files.open_memory, timeout_s=files.open_timeout, size_bytes=files.max_size)


@asynccontextmanager
async def processes(
    settings: Settings, *, preload: Preload, metrics: Metrics | None = None
) -> AsyncIterator[Processes]:
    """Start the sandbox and the readers in the background, and end them in the end.

    A sandbox that fails to start raises where it is needed.
    """
    least = preload != "all"
    made = sandbox_of(
        settings.sandbox, SystemClock(), Uuid7Ids(), step_timeout_s=settings.react.step_timeout, least=least
    )
    sandbox = LazySandbox(made, metrics)
    tables = LazyTables(open_limits(settings), children=1 if least else 2, metrics=metrics)
    try:
        if preload != "nothing":
            await sandbox.start()
            await tables.start()
        yield Processes(sandbox=sandbox, tables=tables)
    finally:
        await _stop(sandbox, tables)


async def _stop(sandbox: LazySandbox, tables: LazyTables) -> None:
    """End both at the same time: each waits for its processes to be gone. A failure of one is raised when both are."""
    for ended in await asyncio.gather(sandbox.stop(), tables.stop(), return_exceptions=True):
        if ended is not None:
            raise ended
