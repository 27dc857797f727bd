"""The readers of users' files, started in the background."""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from tablewright.bootstrap.loader import EVALUATING_MODULE, FILE_TABLES, READING_MODULES, WORKER_POOL, load
from tablewright.data.base import ContentOptions, FileContent, FileProfile, OpenLimits
from tablewright.domain.column_shape import ColumnShape
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.table import Table

if TYPE_CHECKING:
    from tablewright.data.files.tables import FileTables
    from tablewright.data.pool import WorkerPool
    from tablewright.metrics import Metrics


class LazyTables:
    """Implements `FileReaders` over a pool of `children` processes that start in the background."""

    def __init__(self, limits: OpenLimits, *, children: int, metrics: Metrics | None = None) -> None:
        self._metrics = metrics
        warm = (*load(READING_MODULES), EVALUATING_MODULE)
        self.pool: WorkerPool = load(WORKER_POOL)(limits, size=children, warm=warm)
        self._tables: FileTables = load(FILE_TABLES)(limits, self.pool)
        self._starting: asyncio.Task[None] | None = None
        self.asked = asyncio.Event()
        """Whether a file has been given to them."""

    async def start(self) -> None:
        """Start the children in the background and return at once.

        A child that fails to start is started again with the first file.
        """
        self._starting = asyncio.create_task(self._tables.start(), name="readers start")

    async def stop(self) -> None:
        """End the children."""
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.gather(self._starting, return_exceptions=True)
        await self._tables.stop()

    async def profile(self, path: Path, name: str, limits: OpenLimits | None = None) -> FileProfile:
        await self._started()
        self.asked.set()
        with self._counted("profile"):
            return await self._tables.profile(path, name, limits)

    async def preview(self, path: Path, name: str, *, sheet: str | int = 0, rows: int = 20) -> Table:
        await self._started()
        with self._counted("preview"):
            return await self._tables.preview(path, name, sheet=sheet, rows=rows)

    async def uncomputed(self, path: Path, name: str) -> bool:
        await self._started()
        with self._counted("uncomputed"):
            return await self._tables.uncomputed(path, name)

    async def shapes(self, path: Path, dataset: DatasetFacts) -> tuple[ColumnShape, ...]:
        await self._started()
        with self._counted("shapes"):
            return await self._tables.shapes(path, dataset)

    async def read(self, path: Path, name: str, options: ContentOptions) -> FileContent:
        await self._started()
        with self._counted("read"):
            return await self._tables.read(path, name, options)

    def _counted(self, operation: str) -> AbstractContextManager[None]:
        return nullcontext() if self._metrics is None else self._metrics.reading(operation)

    async def _started(self) -> None:
        if self._starting is not None:
            await asyncio.gather(self._starting, return_exceptions=True)
