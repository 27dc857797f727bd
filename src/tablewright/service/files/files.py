"""Files of an owner: uploaded or made by runs, kept as blobs, known by their profiles."""

from __future__ import annotations

import asyncio
import mimetypes
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Collection
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePath
from typing import Literal
from zipfile import is_zipfile

from tablewright.data.base import FileProfile, OpenLimits, TableFiles
from tablewright.domain.artifact import ArtifactRef, BlobRef
from tablewright.domain.codec import from_json, to_json
from tablewright.domain.dataset import DatasetFacts, DistinctValues, FileKind, StoredFile
from tablewright.domain.ids import Clock, Ids
from tablewright.domain.page import Page
from tablewright.domain.scope import Scope
from tablewright.domain.table import Table
from tablewright.errors import FileEmpty, FileTooLarge, FileUnreadable, InvalidInput, NotFound
from tablewright.service.files.profiles import Profiled, Profiles
from tablewright.service.files.texts import is_text
from tablewright.service.labels import file_name
from tablewright.service.space import DiskSpace
from tablewright.store.base import BlobStore, StagedBlob, Store
from tablewright.workbook.base import WorkbookEditor

KINDS: dict[str, FileKind] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".xls": "xls",
    ".ods": "ods",
    ".json": "json",
    ".jsonl": "json",
    ".parquet": "parquet",
}
PROFILES_KEPT = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLimits:
    """What an upload may weigh, and what opening it may use."""

    upload_bytes: int = 512 * 1024**2
    open: OpenLimits = field(default_factory=OpenLimits)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedFile:
    """A file and its bytes, in pieces."""

    file: StoredFile
    content: AsyncIterator[bytes]


class Files:
    """The use cases of a file; another owner's is `NotFound`."""

    def __init__(
        self,
        store: Store,
        blobs: BlobStore,
        *,
        tables: TableFiles,
        editor: WorkbookEditor,
        clock: Clock,
        ids: Ids,
        limits: FileLimits | None = None,
        space: DiskSpace | None = None,
    ) -> None:
        self._store = store
        self._space = space
        self._blobs = blobs
        self._tables = tables
        self._clock = clock
        self._ids = ids
        self._limits = limits or FileLimits()
        self._profiles = Profiles(tables, editor, blobs, self._limits.open)

    async def upload(
        self,
        scope: Scope,
        *,
        name: str,
        content: AsyncIterator[bytes],
        conversation_id: str | None = None,
        tables_needed: bool = True,
        texts: bool = False,
        downloaded: bool = False,
        known: Callable[[FileProfile], FileProfile] | None = None,
    ) -> StoredFile:
        """Keep a file, profile every table in it and link it to the conversation. Where no tables are needed, a
        workbook without any is taken too: it can be edited. With `texts`, so are code and statements, which tools read.
        `downloaded`: it was fetched from a web address. `known` adds to its profile what is known from elsewhere.

        `FileTooLarge`, `FileUnreadable` and its kinds, `StorageFull`: nothing is left behind."""
        name = file_name(name)
        if not name:
            raise InvalidInput("file_name_missing", field="name")
        if conversation_id is not None:
            await self._store.conversations.get(scope, conversation_id)
        async with self._blobs.stage(scope, self.bounded(name, content)) as staged:
            if texts and await asyncio.to_thread(is_text, staged.path, name):
                return await self._text(scope, staged, name, conversation_id)
            profiled = await self._profile(scope, staged.path, name, tables_needed=tables_needed)
            await staged.keep()
            if known is not None:
                profiled = replace(profiled, profile=known(profiled.profile))
            datasets, refs = await self._kept(scope, profiled)
            file = StoredFile(
                id=self._ids.new(),
                name=name,
                mime=mime_of(name),
                kind=profiled.profile.kind,
                size_bytes=staged.ref.size_bytes,
                sha256=staged.ref.sha256,
                datasets=datasets,
                downloaded=downloaded,
                computed=profiled.computed.sha256 if profiled.computed else None,
            )
            return await self._store.files.add(scope, file, refs=(staged.ref, *refs), conversation_id=conversation_id)

    async def _text(self, scope: Scope, staged: StagedBlob, name: str, conversation_id: str | None) -> StoredFile:
        await staged.keep()
        file = StoredFile(
            id=self._ids.new(),
            name=name,
            mime=mime_of(name),
            kind="other",
            size_bytes=staged.ref.size_bytes,
            sha256=staged.ref.sha256,
        )
        return await self._store.files.add(scope, file, refs=(staged.ref,), conversation_id=conversation_id)

    async def get(self, scope: Scope, file_id: str) -> StoredFile:
        """Return it, or raise `NotFound`."""
        return await self._store.files.get(scope, file_id)

    async def list(
        self, scope: Scope, *, conversation_id: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> Page[StoredFile]:
        """List files, the newest first; those of one conversation where it is given."""
        return await self._store.files.find(scope, conversation_id=conversation_id, limit=limit, cursor=cursor)

    async def named(self, scope: Scope, name: str, *, conversation_id: str | None = None) -> StoredFile:
        """Return the newest file called `name`, of the conversation if one is given, or raise `NotFound`."""
        found = await self._store.files.find(scope, conversation_id=conversation_id, name=name, limit=1)
        if not found.items:
            raise NotFound(kind="file", id=name)
        return found.items[0]

    async def delete(self, scope: Scope, file_id: str) -> None:
        """Remove it from its owner's files and conversations, on a full disk too."""
        remove = partial(self._store.files.remove, scope, file_id)
        await (remove() if self._space is None else self._space.free(scope, remove))

    async def open(self, scope: Scope, file_id: str) -> OpenedFile:
        """Return the file with its bytes."""
        file = await self._store.files.get(scope, file_id)
        return OpenedFile(file=file, content=self._blobs.open(scope, file.sha256))

    async def preview(self, scope: Scope, file_id: str, *, sheet: str | int = 0, rows: int = 20) -> Table:
        """Return the first rows of one sheet, as a person would see them."""
        file = await self._store.files.get(scope, file_id)
        path = await self._blobs.path(scope, file.read_from)
        return await self._tables.preview(path, file.name, sheet=sheet, rows=rows)

    async def profile(self, scope: Scope, file_id: str) -> tuple[DatasetFacts, ...]:
        """Return the facts of every table of the file."""
        return (await self.profiled(scope, file_id)).datasets

    async def profiled(self, scope: Scope, file_id: str) -> StoredFile:
        """Return the file with its facts; a file made by a run is profiled when that is first asked for, one that was
        edited anew. A workbook may be left without any table by an edit."""
        file = await self._store.files.get(scope, file_id)
        if file.datasets or file.kind == "other":
            return file
        path = await self._blobs.path(scope, file.sha256)
        try:
            profiled = await self._profiles.of(scope, path, file.name)
        except FileEmpty:
            if file.run_id is not None:
                raise
            return file
        datasets, refs = await self._kept(scope, profiled)
        file = replace(file, datasets=datasets, computed=profiled.computed.sha256 if profiled.computed else None)
        content = BlobRef(sha256=file.sha256, size_bytes=file.size_bytes)
        await self._store.files.replace(scope, file, refs=(content, *refs))
        return file

    async def profile_linked(
        self, scope: Scope, conversation_id: str, named: Collection[str] = (), *, needed: bool = False
    ) -> tuple[StoredFile, ...]:
        """Return the files of a conversation, those profiled whose tables were not known, as after an edit: the
        uploads, and the files `named`. One that cannot be read is left as it is; where the named ones are `needed`,
        that is raised."""
        files: list[StoredFile] = []
        for file in await self._store.files.linked(scope, conversation_id):
            files.append(file)
            if file.datasets or (file.run_id is not None and file.id not in named):
                continue
            try:  # as it is by now: to read those before it may have taken long
                files[-1] = await self.profiled(scope, file.id)
            except FileUnreadable:
                if needed and file.id in named:
                    raise
        return tuple(files)

    async def _profile(self, scope: Scope, path: Path, name: str, *, tables_needed: bool) -> Profiled:
        try:
            return await self._profiles.of(scope, path, name)
        except FileEmpty:
            if tables_needed or kind_of(name) != "xlsx" or not await asyncio.to_thread(is_zipfile, path):
                raise
            return Profiled(profile=FileProfile(kind="xlsx", datasets=()))

    async def bounded(self, name: str, content: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """Yield `content` as long as a file may be; raises `FileTooLarge`."""
        limit, seen = self._limits.upload_bytes, 0
        async for piece in content:
            seen += len(piece)
            if seen > limit:
                raise FileTooLarge(name=name, limit_bytes=limit, field="file")
            yield piece

    async def _kept(self, scope: Scope, profiled: Profiled) -> tuple[tuple[DatasetFacts, ...], tuple[BlobRef, ...]]:
        """Store the distinct values of each table as a blob, whose hash becomes the table's `profile_ref`; returns the
        facts, and all that the file stands on beside its content."""
        facts: list[DatasetFacts] = []
        refs = [] if profiled.computed is None else [profiled.computed]
        for dataset in profiled.profile.datasets:
            ref = await self._blobs.put(scope, to_json(dict[str, DistinctValues], dataset.values))
            facts.append(replace(dataset.facts, profile_ref=ref.sha256))
            refs.append(ref)
        return tuple(facts), tuple(refs)


class RunArtifacts:
    """Where one run puts the files it makes; they belong to its owner and its conversation."""

    def __init__(
        self, store: Store, blobs: BlobStore, ids: Ids, scope: Scope, *, run_id: str, conversation_id: str
    ) -> None:
        self._store = store
        self._blobs = blobs
        self._ids = ids
        self._scope = scope
        self._run_id = run_id
        self._conversation_id = conversation_id

    async def put(self, name: str, mime: str, content: bytes | AsyncIterator[bytes]) -> ArtifactRef:
        """Store `content`; a name already taken by the owner gets a number."""
        name = file_name(name) or "artifact"
        ref = await self._blobs.put(self._scope, content)
        file = await self._store.files.add(
            self._scope,
            StoredFile(
                id=self._ids.new(),
                name=name,
                mime=mime,
                kind=kind_of(name),
                size_bytes=ref.size_bytes,
                sha256=ref.sha256,
                run_id=self._run_id,
            ),
            refs=(ref,),
            conversation_id=self._conversation_id,
        )
        return ArtifactRef(id=file.id, name=file.name, mime=mime, size_bytes=ref.size_bytes)


class StoredValues:
    """The distinct values that `Files` stored, by `profile_ref`; the last few profiles are kept in memory."""

    def __init__(self, blobs: BlobStore, scope: Scope) -> None:
        self._blobs = blobs
        self._scope = scope
        self._profiles: OrderedDict[str, dict[str, DistinctValues]] = OrderedDict()

    async def values(self, profile_ref: str, column: str) -> DistinctValues | None:
        """Return the distinct values of `column` in the profile stored under `profile_ref`; None if unknown."""
        if profile_ref not in self._profiles:
            try:
                stored = b"".join([piece async for piece in self._blobs.open(self._scope, profile_ref)])
            except NotFound:
                return None
            self._profiles[profile_ref] = from_json(dict[str, DistinctValues], stored)
            while len(self._profiles) > PROFILES_KEPT:
                self._profiles.popitem(last=False)
        self._profiles.move_to_end(profile_ref)
        return self._profiles[profile_ref].get(column)


def kind_of(name: str) -> FileKind | Literal["other"]:
    """Return the kind of file that a name promises."""
    return KINDS.get(PurePath(name).suffix.lower(), "other")


def mime_of(name: str) -> str:
    """Return the media type that a name promises."""
    return mimetypes.guess_type(name)[0] or "application/octet-stream"
