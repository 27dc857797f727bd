"""The adapter that opens users' files in child processes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tablewright.data.base import ContentOptions, FileContent, FileProfile, OpenLimits
from tablewright.data.pool import WorkerPool
from tablewright.domain.codec import from_json, to_python
from tablewright.domain.column_shape import ColumnShape
from tablewright.domain.dataset import DatasetFacts
from tablewright.domain.table import Table

WARM = ("tablewright.data.files.profiler", "tablewright.data.files.previewer", "tablewright.data.files.reader")
_PROFILE = f"{WARM[0]}:profile"
_PREVIEW = f"{WARM[1]}:preview"
_UNCOMPUTED = f"{WARM[1]}:uncomputed"
_SHAPES = "tablewright.data.files.shapes:shapes"
_READ = f"{WARM[2]}:read"


class FileTables:
    """`FileReaders` over a pool of child processes. Call `start` and `stop` once, not for every file."""

    def __init__(self, limits: OpenLimits | None = None, pool: WorkerPool | None = None) -> None:
        self._limits = limits or OpenLimits()
        self._pool = pool or WorkerPool(self._limits, warm=WARM)

    async def start(self) -> None:
        """Start the child processes, so that the first file does not have to wait for them."""
        await self._pool.start()

    async def stop(self) -> None:
        """End the child processes."""
        await self._pool.stop()

    async def profile(self, path: Path, name: str, limits: OpenLimits | None = None) -> FileProfile:
        return from_json(FileProfile, await self._call(_PROFILE, path, {"name": name}, limits))

    async def preview(self, path: Path, name: str, *, sheet: str | int = 0, rows: int = 20) -> Table:
        return from_json(Table, await self._call(_PREVIEW, path, {"name": name, "sheet": sheet, "rows": rows}, None))

    async def uncomputed(self, path: Path, name: str) -> bool:
        return from_json(bool, await self._call(_UNCOMPUTED, path, {"name": name}, None))

    async def read(self, path: Path, name: str, options: ContentOptions) -> FileContent:
        arguments = {"name": name, "options": to_python(ContentOptions, options)}
        return from_json(FileContent, await self._call(_READ, path, arguments, None))

    async def shapes(self, path: Path, dataset: DatasetFacts) -> tuple[ColumnShape, ...]:
        arguments = {"name": dataset.file_name, "dataset": to_python(DatasetFacts, dataset)}
        return from_json(tuple[ColumnShape, ...], await self._call(_SHAPES, path, arguments, None))

    async def _call(self, operation: str, path: Path, arguments: Mapping[str, Any], limits: OpenLimits | None) -> bytes:
        return await self._pool.call(operation, path, arguments, limits or self._limits)
