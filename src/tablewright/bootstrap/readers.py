"""The readers of users' files, started in the background."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from tablewright.bootstrap.loading import FILE_TABLES, READING_MODULE, WORKER_POOL, load
from tablewright.data.base import FileProfile, OpenLimits, TableFiles
from tablewright.domain.table import Table


class StartingTables:
    """Implements `TableFiles` over a pool of `children` that start while other work goes on."""

    def __init__(self, limits: OpenLimits, *, children: int) -> None:
        self._pool: Any = load(WORKER_POOL)(limits, size=children, warm=(READING_MODULE,))
        self._tables: TableFiles = load(FILE_TABLES)(limits, self._pool)
        self._starting: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to start; returns at once. A child that does not start is tried again by the first file."""
        self._starting = asyncio.create_task(self._pool.start(), name="readers start")

    async def stop(self) -> None:
        """End the children."""
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.gather(self._starting, return_exceptions=True)
        await self._pool.stop()

    async def profile(self, path: Path, name: str, limits: OpenLimits | None = None) -> FileProfile:
        await self._started()
        return await self._tables.profile(path, name, limits)

    async def preview(self, path: Path, name: str, *, sheet: str | int = 0, rows: int = 20) -> Table:
        await self._started()
        return await self._tables.preview(path, name, sheet=sheet, rows=rows)

    async def _started(self) -> None:
        if self._starting is not None:
            await asyncio.gather(self._starting, return_exceptions=True)
