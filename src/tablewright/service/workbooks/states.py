"""The current states of workbooks: finding them, creating them from files, moving them between versions.

This is mechanism only; callers decide what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from tablewright.domain.artifact import BlobRef
from tablewright.domain.cells import SheetChanges
from tablewright.domain.codec import to_json
from tablewright.domain.conversation import Conversation
from tablewright.domain.dataset import StoredFile
from tablewright.domain.ids import Clock
from tablewright.domain.rounds.round import Round
from tablewright.domain.scope import Scope
from tablewright.domain.workbook import Author, Version, Workbook
from tablewright.errors import FormatUnsupported, NotFound
from tablewright.service.files.files import kind_of, mime_of
from tablewright.service.workbooks.version_contents import VersionContents
from tablewright.store.base import BlobStore, Store
from tablewright.workbook.base import WorkbookEditor

FACE = "excel"
"""The face whose channels identify workbooks."""
KINDS = frozenset({"xlsx", "csv", "xls", "ods"})
"""Kinds of files that can be edited; all but xlsx are converted by their first edit."""
EDITED_SUFFIXES = frozenset({".xlsx", ".xlsm"})
SUPPORTED = "xlsx, xlsm, csv, xls, ods"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkbookState:
    """The current state of a workbook: its file and its head version.

    A workbook that was never edited has a single version, which is not `stored` yet.
    """

    file: StoredFile
    workbook: Workbook
    head: Version
    stored: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """What a new version records: its author, the request that made it, the changed cells, and the round."""

    author: Author
    request_id: str
    summary: str = ""
    changes: tuple[SheetChanges, ...] = ()
    round_: Round | None = None


class WorkbookStates:
    """Heads and versions of workbooks. A workbook of another owner raises `NotFound`."""

    def __init__(self, store: Store, blobs: BlobStore, editor: WorkbookEditor, clock: Clock) -> None:
        self._store = store
        self._blobs = blobs
        self._clock = clock
        self.contents = VersionContents(blobs, editor)

    async def state(self, scope: Scope, workbook_id: str) -> WorkbookState:
        """Return the current state of the workbook. Raises `NotFound` or `FormatUnsupported`."""
        file = await self._file(scope, workbook_id)
        try:
            workbook = await self._store.workbooks.get(scope, file.id)
        except NotFound:
            return WorkbookState(
                file=file, workbook=Workbook(id=file.id, head=1, latest=1), head=self._first(file), stored=False
            )
        head = await self._store.workbooks.version(scope, file.id, workbook.head)
        return WorkbookState(file=file, workbook=workbook, head=head, stored=True)

    async def path(self, scope: Scope, state: WorkbookState) -> Path:
        """Return the path of the head's file, which must only be read."""
        return await self._blobs.path(scope, state.head.blob.sha256)

    async def begin(self, scope: Scope, file: StoredFile, *, author: Author = "upload") -> Workbook:
        """Make the file a workbook; if it already is one, return that unchanged."""
        try:
            return await self._store.workbooks.get(scope, file.id)
        except NotFound:
            path = await self._blobs.path(scope, file.sha256)
            kept = await self.contents.keep(scope, path, name=file.name)
            first = replace(self._first(file), author=author, manifest=kept.manifest)
            return await self._store.workbooks.add(scope, first, refs=kept.refs)

    async def commit(self, scope: Scope, state: WorkbookState, path: Path, edition: Edition) -> Version:
        """Make the file at `path` the next version after `state`.

        Raises `WorkbookChanged` if that is no longer the head.
        """
        await self.begin(scope, state.file)
        parent = await self._store.workbooks.version(scope, state.file.id, state.head.number)
        name = edited_name(state.file.name)
        kept = await self.contents.keep(scope, path, name=name, earlier=parent)
        content = await self.contents.keep_whole(scope, path)
        changes = await self._blobs.put(scope, to_json(tuple[SheetChanges, ...], edition.changes))
        version = Version(
            workbook_id=state.file.id,
            number=0,
            parent=parent.number,
            blob=content,
            name=name,
            author=edition.author,
            request_id=edition.request_id,
            created_at=self._clock.now(),
            summary=edition.summary,
            changes=changes,
            manifest=kept.manifest,
        )
        file = file_at(state.file, name, content)
        refs = (*kept.refs, changes)
        await self._let_read(scope, state)
        return await self._store.workbooks.commit(scope, version, file=file, refs=refs, round_=edition.round_)

    async def move(self, scope: Scope, state: WorkbookState, number: int) -> Version:
        """Make another version the head, byte for byte. Raises `WorkbookChanged` if `state` is no longer the head."""
        version = await self._store.workbooks.version(scope, state.file.id, number)
        await self.contents.restore(scope, version)
        file = file_at(state.file, version.name, version.blob)
        await self._let_read(scope, state)
        await self._store.workbooks.move_head(
            scope, state.file.id, expected=state.head.number, number=number, file=file
        )
        return version

    async def of_conversation(
        self, scope: Scope, conversation_id: str, *, before: str | None = None
    ) -> StoredFile | None:
        """Return the newest workbook that was put into a conversation, ignoring files that runs made.

        With `before`, only files whose id precedes it count.
        """
        linked = await self._store.files.linked(scope, conversation_id)
        known = (file for file in linked if before is None or file.id < before)
        return newest(file for file in known if file.run_id is None)

    def opened(self, scope: Scope, state: WorkbookState, version: Version) -> AbstractAsyncContextManager[Path]:
        """Provide a file with the content of a version, which must only be read."""
        return self.contents.opened(scope, version, head=version.number == state.head.number)

    async def _file(self, scope: Scope, workbook_id: str) -> StoredFile:
        try:
            file = await self._store.files.get(scope, workbook_id)
        except NotFound:
            return await self._of_client(scope, workbook_id)
        if file.kind not in KINDS:
            raise FormatUnsupported(name=file.name, supported=SUPPORTED)
        return file

    async def _of_client(self, scope: Scope, given: str) -> StoredFile:
        conversation: Conversation | None
        try:
            conversation = await self._store.conversations.get(scope, given)
        except NotFound:
            conversation = await self._store.conversations.keyed(scope, FACE, given)
        file = None if conversation is None else await self.of_conversation(scope, conversation.id)
        if file is None:
            raise NotFound(kind="workbook", id=given)
        return file

    async def _let_read(self, scope: Scope, state: WorkbookState) -> None:
        """Keep the head readable, when it is no longer the head, for runs that were given it."""
        with suppress(NotFound):
            await self._blobs.renew(scope, state.head.blob.sha256)

    def _first(self, file: StoredFile) -> Version:
        content = BlobRef(sha256=file.sha256, size_bytes=file.size_bytes)
        return Version(
            workbook_id=file.id,
            number=1,
            parent=None,
            blob=content,
            name=file.name,
            author="upload",
            request_id=file.id,
            created_at=self._clock.now(),
        )


def newest(files: Iterable[StoredFile]) -> StoredFile | None:
    """Return the last of `files` that can be edited, or None."""
    return next((file for file in reversed(tuple(files)) if file.kind in KINDS), None)


def edited_name(name: str) -> str:
    """Return the name of a file after an edit: kinds other than xlsx and xlsm become xlsx."""
    path = PurePath(name)
    return name if path.suffix.lower() in EDITED_SUFFIXES else f"{path.stem}.xlsx"


def file_at(file: StoredFile, name: str, content: BlobRef) -> StoredFile:
    """Return the file as it is at a version; its tables and computed copy have to be made again."""
    return replace(
        file,
        name=name,
        mime=mime_of(name),
        kind=kind_of(name),
        size_bytes=content.size_bytes,
        sha256=content.sha256,
        datasets=(),
        computed=None,
    )
