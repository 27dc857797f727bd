"""The adapter: users' files opened in child processes."""

from __future__ import annotations

from pathlib import Path

from tablewright.data.base import FileProfile, FileWorker, OpenLimits
from tablewright.data.pool import WorkerPool
from tablewright.domain.codec import from_json
from tablewright.domain.table import Table

_PROFILE = "tablewright.data.files.profiling:profile"
_PREVIEW = "tablewright.data.files.previewing:preview"


class FileTables:
    """`TableFiles` over a `FileWorker`; of its own, a small pool that `start` warms and `stop` ends."""

    def __init__(self, limits: OpenLimits | None = None, worker: FileWorker | None = None) -> None:
        self._limits = limits or OpenLimits()
        self._pool = (
            None if worker is not None else WorkerPool(self._limits, warm=("tablewright.data.files.profiling",))
        )
        self._worker: FileWorker | WorkerPool | None = worker or self._pool

    async def start(self) -> None:
        """Start the children, so that the first file does not wait for them."""
        if self._pool is not None:
            await self._pool.start()

    async def stop(self) -> None:
        """End the children."""
        if self._pool is not None:
            await self._pool.stop()

    async def profile(self, path: Path, name: str, limits: OpenLimits | None = None) -> FileProfile:
        return from_json(FileProfile, await self._call(_PROFILE, path, {"name": name}, limits))

    async def preview(self, path: Path, name: str, *, sheet: str | int = 0, rows: int = 20) -> Table:
        return from_json(Table, await self._call(_PREVIEW, path, {"name": name, "sheet": sheet, "rows": rows}, None))

    async def _call(
        self, operation: str, path: Path, arguments: dict[str, str | int], limits: OpenLimits | None
    ) -> bytes:
        assert self._worker is not None
        return await self._worker.call(operation, path, arguments, limits or self._limits)
