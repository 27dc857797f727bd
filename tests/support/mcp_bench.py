"""Real clients of the table tools, and what a call of theirs leaves behind on the machine."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.sse import sse_client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from tests.support.commands import STARTER
from tests.support.patience import PATIENCE_S

TOOLS = [
    "analyze_data",
    "table_operation",
    "get_preview_data",
    "run_python",
    "file_reader",
    "query_database",
    "web_search",
    "web_reader",
]


class Heard:
    """What a client was told during its calls: the text of log notifications, and progress."""

    def __init__(self) -> None:
        self.messages: list[str] = []
        self.progress: list[float] = []

    async def log(self, params: Any) -> None:
        self.messages.append(params.data["msg"])

    async def moved(self, progress: float, total: float | None, message: str | None) -> None:
        self.progress.append(progress)


def parameters(folder: Path, *words: str, **environ: str) -> StdioServerParameters:
    """Return how a client starts `tablewright mcp`."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-c", STARTER, "mcp", *words],
        cwd=folder,
        env={**os.environ, "TABLEWRIGHT_DATA_DIR": str(folder / "data"), **environ},
    )


@asynccontextmanager
async def over_stdio(server: StdioServerParameters, heard: Heard) -> AsyncIterator[ClientSession]:
    async with (
        stdio_client(server) as (read, write),
        ClientSession(read, write, logging_callback=heard.log) as session,
    ):
        await session.initialize()
        yield session


@asynccontextmanager
async def over_http(url: str, heard: Heard) -> AsyncIterator[ClientSession]:
    async with (
        streamable_http_client(f"{url}/mcp") as streams,
        ClientSession(streams[0], streams[1], logging_callback=heard.log) as session,
    ):
        await session.initialize()
        yield session


@asynccontextmanager
async def over_sse(url: str, heard: Heard) -> AsyncIterator[ClientSession]:
    async with (
        sse_client(f"{url}/sse") as (read, write),
        ClientSession(read, write, logging_callback=heard.log) as session,
    ):
        await session.initialize()
        yield session


async def until(condition: Callable[[], bool]) -> None:
    """Return when `condition` holds; processes that come and go give no sign to wait for."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110  # see above
            await asyncio.sleep(0.05)
