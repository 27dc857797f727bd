"""Tables by where they are: a path, a web address, a file of the owner. How far a caller reaches is the caller's kind.

A caller on this machine (stdio) names any path that this process can read; one over a network names files of its own,
the shared folder and web addresses.
"""

from __future__ import annotations

import asyncio
import stat
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from urllib.parse import unquote, urlsplit

from tablewright.data.base import Downloads
from tablewright.domain.dataset import StoredFile
from tablewright.domain.scope import Scope
from tablewright.domain.table import Table
from tablewright.errors import FileUnreadable, NotFound, PlaceNotFound
from tablewright.service.files.byte_pieces import pieces
from tablewright.service.files.files import Files
from tablewright.service.files.profiles import Previews
from tablewright.store.base import BlobStore

DOWNLOAD_PATH = "/api/v1/files/{id}/download"
"""Where a file of an owner is fetched; it also names the file."""
SHARED_NAME = PurePath("/data/shared")
"""What the shared folder is called in sandbox sessions; a caller may use that name for it too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """On whose behalf a place is read; `local`: by a program of this machine that may name its files."""

    scope: Scope
    local: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSource:
    """A file of the caller; `brought` where it was made for this conversation."""

    file: StoredFile
    brought: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedPlace:
    """What a place names: a path of this machine and what its owner calls the file; both None for a web address."""

    path: Path | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadablePlace:
    """A file to read, by its path on this machine and the name that its owner calls it."""

    path: Path
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    """A readable place: a path of this machine and the name that its owner calls it; `kept` where it is a file of
    ours."""

    path: Path
    name: str
    kept: StoredFile | None = None


class Sources:
    """The use cases of a place. Errors: `NotFound`, `FileUnreadable`, `DownloadRefused`, `DownloadFailed`, and those of
    `Files`."""

    def __init__(
        self, files: Files, previews: Previews, blobs: BlobStore, downloads: Downloads, *, shared: Path | None = None
    ) -> None:
        self._files = files
        self._previews = previews
        self._blobs = blobs
        self._downloads = downloads
        self._shared = shared

    async def keep(self, caller: Caller, place: str, conversation_id: str, *, copied: bool = False) -> StoredSource:
        """Return what is at `place` as a file of the caller, in the conversation. The original is only read.

        A file that the caller has here already is returned itself, or as a copy."""
        if is_address(place):
            async with self._downloads.open(place) as download:
                return await self._upload(caller, download.name, download.content, conversation_id, downloaded=True)
        opened = await self._open(caller, place)
        if opened.kept is not None and not copied:
            return StoredSource(file=opened.kept, brought=False)
        return await self._upload(caller, opened.name, pieces(opened.path), conversation_id)

    async def preview(self, caller: Caller, place: str, *, sheet: str | int = 0, rows: int = 20) -> Table:
        """Return the first rows of a sheet at `place`; nothing is kept."""
        async with self._readable(caller, place) as opened:
            if opened.kept is not None:
                return await self._files.preview(caller.scope, opened.kept.id, sheet=sheet, rows=rows)
            return await self._previews.of(opened.path, opened.name, sheet=sheet, rows=rows)

    @asynccontextmanager
    async def opened(self, caller: Caller, place: str) -> AsyncIterator[ReadablePlace]:
        """Provide what is at `place` as a file to read, and the name that its owner calls it; nothing is kept."""
        async with self._readable(caller, place) as opened:
            yield ReadablePlace(path=opened.path, name=opened.name)

    async def check(self, caller: Caller, place: str) -> ResolvedPlace:
        """Return what `place` names; raises where it may not be read."""
        if is_address(place):
            return ResolvedPlace()
        opened = await self._open(caller, place)
        return ResolvedPlace(path=opened.path, name=opened.name)

    async def _upload(
        self,
        caller: Caller,
        name: str,
        content: AsyncIterator[bytes],
        conversation_id: str,
        *,
        downloaded: bool = False,
    ) -> StoredSource:
        file = await self._files.upload(
            caller.scope, name=name, content=content, conversation_id=conversation_id, downloaded=downloaded
        )
        return StoredSource(file=file, brought=True)

    @asynccontextmanager
    async def _readable(self, caller: Caller, place: str) -> AsyncIterator[_Opened]:
        if not is_address(place):
            yield await self._open(caller, place)
            return
        with tempfile.TemporaryDirectory(prefix="tablewright-") as folder:
            path = Path(folder) / "download"
            async with self._downloads.open(place) as download:
                with await asyncio.to_thread(path.open, "wb") as file:
                    async for piece in download.content:
                        await asyncio.to_thread(file.write, piece)
                name = download.name
            yield _Opened(path=path, name=name)

    async def _open(self, caller: Caller, place: str) -> _Opened:
        try:
            return await self._found(caller, place)
        except NotFound as error:
            if caller.local:
                raise PlaceNotFound("place_local", kind="file", id=place, folder=str(Path.cwd())) from error
            raise PlaceNotFound("place_far", kind="file", id=place) from error

    async def _found(self, caller: Caller, place: str) -> _Opened:
        path = _path_of(place)
        if caller.local and path is not None and not await asyncio.to_thread(_as_sessions_say, path):
            return await asyncio.to_thread(_regular, path.expanduser(), place)
        shared = None if path is None else await asyncio.to_thread(self._in_shared, path, place)
        return shared or await self._owned(caller.scope, place)

    def _in_shared(self, path: Path, place: str) -> _Opened | None:
        """Find `path`, absolute or as seen from the shared folder, in that folder; None where it is not there."""
        if self._shared is None:
            return None
        root = self._shared.resolve()
        if path.is_relative_to(SHARED_NAME):
            path = path.relative_to(SHARED_NAME)
        try:
            target = (root / path).resolve(strict=True)
        except (OSError, RuntimeError):
            return None
        return _regular(target, place) if target.is_relative_to(root) else None

    async def _owned(self, scope: Scope, place: str) -> _Opened:
        """Find a file of the owner by its id, by its address here, or by its name, also as sessions have it."""
        head, _, tail = DOWNLOAD_PATH.partition("{id}")
        wanted = place.removeprefix(head).removesuffix(tail)
        try:
            file = await self._files.get(scope, wanted)
        except NotFound:
            path = PurePath(place)
            file = await self._named(scope, path.name if path.is_relative_to(SHARED_NAME) else place)
        return _Opened(path=await self._blobs.path(scope, file.sha256), name=file.name, kept=file)

    async def _named(self, scope: Scope, name: str) -> StoredFile:
        cursor: str | None = None
        while True:
            page = await self._files.list(scope, limit=200, cursor=cursor)
            if (found := next((file for file in page.items if file.name == name), None)) is not None:
                return found
            if (cursor := page.next_cursor) is None:
                raise NotFound(kind="file", id=name)


def is_address(place: str) -> bool:
    """Whether `place` is a web address: has a scheme other than that of files."""
    scheme, colon, _ = place.partition("://")
    return bool(colon) and scheme.isidentifier() and scheme.lower() != "file"


def _path_of(place: str) -> Path | None:
    if "\0" in place or not place.strip():
        return None
    if place.lower().startswith("file://"):
        return Path(unquote(urlsplit(place).path))
    return Path(place)


def _as_sessions_say(path: Path) -> bool:
    """Whether `path` is one that code in a session reads, and that this machine does not have."""
    return path.is_relative_to(SHARED_NAME) and not path.exists()


def _regular(path: Path, place: str) -> _Opened:
    """Take a regular file that can be read: pipes and devices may never end."""
    try:
        path = path.resolve(strict=True)
        if not stat.S_ISREG(path.stat().st_mode):
            raise FileUnreadable("file_not_regular", name=place)
        with path.open("rb"):
            return _Opened(path=path, name=path.name)
    except (FileNotFoundError, NotADirectoryError, RuntimeError) as error:
        raise NotFound(kind="file", id=place) from error
    except OSError as error:
        raise FileUnreadable("file_no_access", name=place) from error
