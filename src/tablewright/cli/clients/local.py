"""The service within the command's own process, on the same data folder as `serve`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from tablewright.bootstrap.loader import load
from tablewright.bootstrap.processes import Preload, processes
from tablewright.settings.tree import Settings

if TYPE_CHECKING:
    from tablewright.cli.clients.base import Client

BUILD = "tablewright.bootstrap.build:build"
CLIENT = "tablewright.cli.clients.in_process:InProcessClient"


@asynccontextmanager
async def open_local(settings: Settings, *, ahead: bool = True) -> AsyncIterator[Client]:
    """Open the application for one command.

    With `ahead`, the minimum that most questions need is preloaded; otherwise nothing, for commands that do not ask.
    The processes beside the service start while the rest is imported.
    """
    preload: Preload = "least" if ahead else "nothing"
    async with processes(settings, preload=preload) as beside:
        build, client = [await asyncio.to_thread(load, name) for name in (BUILD, CLIENT)]
        async with build(settings, preload=preload, beside=beside) as app:
            yield client(app, address=address_of(settings))


def address_of(settings: Settings) -> str:
    """Return where a service with these settings is reached from this machine."""
    host, port = settings.server.host, settings.server.port
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
