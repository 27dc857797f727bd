"""How the columns of stored files are distributed."""

from __future__ import annotations

from tablewright.data.base import TableShapes
from tablewright.domain.column_shape import ColumnShape
from tablewright.domain.scope import Scope
from tablewright.errors import FileTooLarge, NotFound
from tablewright.service.files.files import Files
from tablewright.store.base import BlobStore


class FileShapes:
    """Looks at the tables of stored files."""

    def __init__(self, files: Files, blobs: BlobStore, shapes: TableShapes) -> None:
        self._files = files
        self._blobs = blobs
        self._shapes = shapes

    async def of(self, scope: Scope, file_id: str, table_id: str | None = None) -> tuple[ColumnShape, ...]:
        """Return the shape of each column of a table, of the largest unless one is named; none for a table too large
        to be looked at while somebody waits. Errors: `NotFound`, `FileUnreadable` and its kinds."""
        file = await self._files.profiled(scope, file_id)
        named = [facts for facts in file.datasets if table_id in {None, facts.id}]
        found = max(named, key=lambda facts: facts.rows, default=None)
        if found is None:
            raise NotFound(kind="table", id=table_id or "")
        path = await self._blobs.path(scope, file.read_from)
        try:
            return await self._shapes.shapes(path, found)
        except FileTooLarge:
            return ()
