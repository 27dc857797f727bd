"""`primary`: the files of a conversation as an embedded database, built once, then opened without files or network."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tablewright.data.sql.base import (
    DEFAULT_ROWS,
    TIMEOUT_S,
    DatabaseSchema,
    Dialect,
    ExploreLimits,
    Parameter,
    QueryRows,
    SourceFile,
)
from tablewright.data.sql.children import QueryChildren
from tablewright.data.sql.files import FileEngine
from tablewright.data.sql.guarded import GuardedDatabase

BUILD = "tablewright.data.sql.loading:build"
BUILD_S = 60.0
"""How long building may take, in seconds."""


class PrimaryDatabase:
    """Implements `Database` over files; they are read with the first question."""

    def __init__(self, files: Sequence[SourceFile], children: QueryChildren) -> None:
        self._files = tuple(files)
        self._children = children
        self._folder: Path | None = None
        self._built: GuardedDatabase | None = None
        self._lock = asyncio.Lock()

    @property
    def dialect(self) -> Dialect:
        return "duckdb"

    async def explore(self, limits: ExploreLimits | None = None) -> DatabaseSchema:
        return await (await self._database()).explore(limits)

    async def query(
        self,
        sql: str,
        params: Mapping[str, Parameter] | None = None,
        *,
        max_rows: int = DEFAULT_ROWS,
        timeout_s: float = TIMEOUT_S,
    ) -> QueryRows:
        return await (await self._database()).query(sql, params, max_rows=max_rows, timeout_s=timeout_s)

    async def close(self) -> None:
        """Remove what was built."""
        if self._folder is not None:
            await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)
            self._folder = self._built = None

    async def _database(self) -> GuardedDatabase:
        async with self._lock:
            if self._built is None:
                self._built = await self._build()
            return self._built

    async def _build(self) -> GuardedDatabase:
        folder = self._folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="tablewright-primary-"))
        path = folder / "primary.duckdb"
        files = [{"path": str(file.path), "name": file.name} for file in self._files]
        try:
            await self._children.call(BUILD, path, {"name": "primary", "files": files}, limit_s=BUILD_S)
        except BaseException:
            await self.close()
            raise
        return GuardedDatabase(FileEngine(path, "duckdb", self._children, name="primary"))
