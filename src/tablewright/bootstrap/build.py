"""From the settings to an application."""

from __future__ import annotations

import errno
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Literal

from tablewright.bootstrap.agents import code_analyst, code_tags
from tablewright.bootstrap.app import Adapters, App, open_app, system_parts
from tablewright.bootstrap.loading import BLOBS, FILE_TABLES, load
from tablewright.bootstrap.model_catalogue import model_catalogue
from tablewright.bootstrap.sandboxes import sandbox_of
from tablewright.bootstrap.stores import store_of
from tablewright.data.base import OpenLimits
from tablewright.domain.run import RunLimits
from tablewright.domain.scope import Scope
from tablewright.errors import StorageFull, StoreUnavailable
from tablewright.service.files import FileLimits, StoredValues
from tablewright.service.runs import RunDefaults
from tablewright.settings.folders import default_data_dir
from tablewright.settings.tree import Settings

Preload = Literal["least", "all"]
"""What the sandbox imports ahead: `least` for one question, `all` for a service."""


@asynccontextmanager
async def build(settings: Settings, *, preload: Preload = "all") -> AsyncIterator[App]:
    """Open the application that `settings` describe; the sandbox and the readers start in the background.

    `StoreUnavailable`, `StorageFull`. A sandbox that does not start is told to whoever needs it, not here."""
    data_dir = prepare(settings)
    least = preload == "least"
    clock, ids = system_parts()
    blobs = load(BLOBS)(data_dir / "blobs", clock)
    open_limits = OpenLimits(
        memory_bytes=settings.files.open_memory,
        timeout_s=settings.files.open_timeout,
        size_bytes=settings.files.max_size,
    )
    async with AsyncExitStack() as stack:
        tables = load(FILE_TABLES)(open_limits)
        stack.push_async_callback(tables.stop)
        adapters = Adapters(
            store=store_of(settings, data_dir),
            blobs=blobs,
            tables=tables,
            sandbox=sandbox_of(settings.sandbox, clock, ids, step_timeout_s=settings.react.step_timeout, least=least),
            models=model_catalogue(settings.providers, StoredValues(blobs, Scope()), clock, code_tags(settings.react)),
            agents=code_analyst(settings.react),
            clock=clock,
            ids=ids,
        )
        defaults = RunDefaults(
            model=settings.model,
            limits=RunLimits(
                steps=settings.react.max_steps, tokens=settings.runs.tokens, wall_clock_s=settings.runs.wall_clock
            ),
        )
        file_limits = FileLimits(upload_bytes=settings.files.max_size, open=open_limits)
        yield await stack.enter_async_context(
            open_app(adapters, data_dir=data_dir, defaults=defaults, file_limits=file_limits)
        )


def data_dir_of(settings: Settings) -> Path:
    """Return the folder of the database and the files."""
    return (settings.data_dir or default_data_dir()).expanduser().absolute()


def prepare(settings: Settings) -> Path:
    """Make the data folder and return it; `StorageFull`, `StoreUnavailable`."""
    folder = data_dir_of(settings)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise StorageFull(path=str(folder)) from error
        raise StoreUnavailable(str(error), url=str(folder)) from error
    return folder
