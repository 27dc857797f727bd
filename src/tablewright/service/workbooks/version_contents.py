"""The content of versions, stored as parts that versions share and reassembled exactly.

The head of a workbook is also stored whole, because it is what everybody reads; its file refers to that blob.
"""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tablewright.domain.artifact import BlobRef
from tablewright.domain.codec import from_json, to_json
from tablewright.domain.scope import Scope
from tablewright.domain.workbook import Version
from tablewright.errors import VersionDamaged
from tablewright.service.files.byte_pieces import PIECE_BYTES, pieces
from tablewright.service.labels import file_name
from tablewright.store.base import BlobStore
from tablewright.workbook.base import WorkbookEditor

MOST_PARTS = 400
"""Files with more members are cut more coarsely, because every part is stored as a separate file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredContent:
    """How the content of a version is stored: as parts listed in a manifest, or whole if `manifest` is None.

    `refs` lists all its blobs.
    """

    manifest: BlobRef | None
    refs: tuple[BlobRef, ...]


class VersionContents:
    """Stores and returns the content of versions."""

    def __init__(self, blobs: BlobStore, editor: WorkbookEditor) -> None:
        self._blobs = blobs
        self._editor = editor

    async def keep(self, scope: Scope, path: Path, *, name: str, earlier: Version | None = None) -> StoredContent:
        """Store the file at `path` in parts, reusing those of the version `earlier`."""
        size = (await asyncio.to_thread(path.stat)).st_size
        cuts = _spaced(await self._editor.cuts(path, name=name), size)
        if not cuts:
            whole = await self._blobs.put(scope, pieces(path))
            return StoredContent(manifest=None, refs=(whole,))
        known = {part.sha256: part for part in await self._parts(scope, earlier)}
        parts: list[BlobRef] = []
        for start, end in pairwise((0, *cuts, size)):
            same = known.get(await asyncio.to_thread(_hash, path, start, end)) if known else None
            parts.append(same or await self._blobs.put(scope, pieces(path, start, end)))
        manifest = await self._blobs.put(scope, to_json(tuple[BlobRef, ...], tuple(parts)))
        return StoredContent(manifest=manifest, refs=(manifest, *parts))

    async def keep_whole(self, scope: Scope, path: Path) -> BlobRef:
        """Store the file at `path` as one blob."""
        return await self._blobs.put(scope, pieces(path))

    async def stream(self, scope: Scope, version: Version) -> AsyncIterator[bytes]:
        """Yield the bytes of a version, in pieces."""
        for part in await self._parts(scope, version) or (version.blob,):
            async for piece in self._blobs.open(scope, part.sha256):
                yield piece

    async def restore(self, scope: Scope, version: Version) -> None:
        """Reassemble the content of a version into one blob.

        Raises `VersionDamaged` if it is not identical to the original.
        """
        async with self._blobs.stage(scope, self.stream(scope, version)) as staged:
            if staged.ref != version.blob:
                raise VersionDamaged(name=version.name, version=version.number)
            await staged.keep()

    @asynccontextmanager
    async def opened(self, scope: Scope, version: Version, *, head: bool) -> AsyncIterator[Path]:
        """Provide a file with the content and name of a version, which must only be read."""
        with tempfile.TemporaryDirectory(prefix="tablewright-") as folder:
            path = Path(folder) / (file_name(version.name) or "workbook")
            if head:
                path.symlink_to(await self._blobs.path(scope, version.blob.sha256))
            else:
                await self._write(scope, version, path)
            yield path

    async def _write(self, scope: Scope, version: Version, path: Path) -> None:
        with await asyncio.to_thread(path.open, "wb") as file:
            async for piece in self.stream(scope, version):
                await asyncio.to_thread(file.write, piece)

    async def _parts(self, scope: Scope, version: Version | None) -> tuple[BlobRef, ...]:
        if version is None or version.manifest is None:
            return ()
        stored = b"".join([piece async for piece in self._blobs.open(scope, version.manifest.sha256)])
        return from_json(tuple[BlobRef, ...], stored)


def _spaced(cuts: Sequence[int], size: int) -> tuple[int, ...]:
    """Drop cuts that are close to the one before if there are too many."""
    least = size // MOST_PARTS if len(cuts) >= MOST_PARTS else 0
    kept: list[int] = []
    for cut in cuts:
        if cut - (kept[-1] if kept else 0) > least:
            kept.append(cut)
    return tuple(kept)


def _hash(path: Path, start: int, end: int) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        file.seek(start)
        while start < end and (piece := file.read(min(PIECE_BYTES, end - start))):
            start += len(piece)
            digest.update(piece)
    return digest.hexdigest()
