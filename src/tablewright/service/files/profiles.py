"""What is in a file: its tables with their facts, formulas with their values."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from tablewright.data.base import FileProfile, OpenLimits, TableFiles
from tablewright.domain.artifact import BlobRef
from tablewright.domain.scope import Scope
from tablewright.domain.table import Table
from tablewright.errors import CallerError
from tablewright.service.files.byte_pieces import pieces
from tablewright.store.base import BlobStore
from tablewright.workbook.base import WorkbookEditor


@dataclass(frozen=True, slots=True, kw_only=True)
class Profiled:
    """A file's profile; `computed` is a copy with the values of its formulas, where they had none."""

    profile: FileProfile
    computed: BlobRef | None = None


class Profiles:
    """Profiles files. Libraries that cannot compute write formulas without values, which would read as empty cells:
    such a workbook is computed in a copy, and the copy is what is profiled."""

    def __init__(self, tables: TableFiles, editor: WorkbookEditor, blobs: BlobStore, limits: OpenLimits) -> None:
        self._tables = tables
        self._editor = editor
        self._blobs = blobs
        self._limits = limits

    async def of(self, scope: Scope, path: Path, name: str) -> Profiled:
        """Profile the file at `path`. A workbook that cannot be computed is profiled as it is. Errors: those of
        `TableFiles.profile`, `StorageFull`."""
        profile = await self._tables.profile(path, name, self._limits)
        if not profile.uncomputed:
            return Profiled(profile=profile)
        with tempfile.TemporaryDirectory(prefix="tablewright-") as folder:
            copy = Path(folder) / "computed.xlsx"
            try:
                await self._editor.compute(path, copy, name=name)
                computed = await self._tables.profile(copy, name, self._limits)
            except CallerError:
                return Profiled(profile=profile)
            ref = await self._blobs.put(scope, pieces(copy))
        return Profiled(profile=computed, computed=ref)


class Previews:
    """Shows the first rows of files that are not kept, formulas without stored values computed as `Profiles` does."""

    def __init__(self, tables: TableFiles, editor: WorkbookEditor) -> None:
        self._tables = tables
        self._editor = editor

    async def of(self, path: Path, name: str, *, sheet: str | int = 0, rows: int = 20) -> Table:
        """Return the first rows of a sheet. A workbook that cannot be computed is shown as it is. Errors: those of
        `TableFiles.preview`."""
        shown = await self._tables.preview(path, name, sheet=sheet, rows=rows)
        if not _has_gaps(shown) or not await self._holds_uncomputed(path, name):
            return shown
        with tempfile.TemporaryDirectory(prefix="tablewright-") as folder:
            copy = Path(folder) / "computed.xlsx"
            try:
                await self._editor.compute(path, copy, name=name)
                return await self._tables.preview(copy, name, sheet=sheet, rows=rows)
            except CallerError:
                return shown

    async def _holds_uncomputed(self, path: Path, name: str) -> bool:
        """Whether there is something to compute, as far as the whole file can be searched within its limits."""
        try:
            return await self._tables.uncomputed(path, name)
        except CallerError:
            return False


def _has_gaps(shown: Table) -> bool:
    """Whether formulas without values may be in a table: where every cell has one, there are none to be seen."""
    return not shown.rows or any(cell is None or cell == "" for row in shown.rows for cell in row)
