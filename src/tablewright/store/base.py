"""The ports to stored data: conversations, messages, files, blobs, and all of it together.

Every method takes the `Scope` first and sees only what belongs to it: an object of another owner is `NotFound`. The
reaper and the collector work across tenants and pass a `SystemScope`. Lists are ordered from newest to oldest unless
stated otherwise. Any method may raise `StoreUnavailable` or `StorageFull`, besides the errors that it names.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from pathlib import Path
from typing import Protocol

from tablewright.domain.artifact import BlobRef
from tablewright.domain.conversation import Conversation, ConversationMessage, ConversationState
from tablewright.domain.dataset import StoredFile
from tablewright.domain.page import Page
from tablewright.domain.scope import Scope, SystemScope
from tablewright.store.connection_store import ConnectionStore
from tablewright.store.correction_store import CorrectionStore
from tablewright.store.note_store import NoteStore
from tablewright.store.run_store import InstanceStore, RunLog, RunNotice, RunStore
from tablewright.store.schedule_store import ScheduleStore
from tablewright.store.share_store import ShareStore
from tablewright.store.vocabulary_store import VocabularyStore
from tablewright.store.workbook_store import FaceStore, WorkbookStore
from tablewright.store.workflow_store import WorkflowStore


class ConversationStore(Protocol):
    """The conversations of one owner."""

    async def add(self, scope: Scope, conversation: Conversation) -> None:
        """Store a new conversation."""
        ...

    async def get(self, scope: Scope, conversation_id: str) -> Conversation:
        """Return the conversation, or raise `NotFound`."""
        ...

    async def find(
        self, scope: Scope, *, query: str = "", limit: int = 50, cursor: str | None = None
    ) -> Page[Conversation]:
        """List conversations by latest activity. `query` is searched for in titles and messages, ignoring case."""
        ...

    async def rename(self, scope: Scope, conversation_id: str, title: str, *, at: datetime) -> Conversation:
        """Change the conversation's title."""
        ...

    async def remove(self, scope: Scope, conversation_id: str) -> tuple[str, ...]:
        """Remove a conversation with all but its files; return the hashes of blobs of its logs, which stay."""
        ...

    async def state(self, scope: Scope, conversation_id: str) -> ConversationState:
        """Return which workflow waits in the conversation, as it is stored.

        The log writes it: when a run of a workflow, or one below it, asks a person, and when that run ends.
        """
        ...

    async def set_state(
        self, scope: Scope, conversation_id: str, state: ConversationState, *, instead_of: ConversationState
    ) -> bool:
        """Replace the state if it is still `instead_of`; return whether it was."""
        ...

    async def messages(
        self, scope: Scope, conversation_id: str, *, limit: int = 100, cursor: str | None = None
    ) -> Page[ConversationMessage]:
        """List the conversation's messages, oldest first."""
        ...

    async def keyed(self, scope: Scope, face: str, key: str) -> Conversation | None:
        """Return the conversation that a client of `face` knows as `key`, or None."""
        ...

    async def add_keyed(self, scope: Scope, face: str, key: str, conversation: Conversation) -> Conversation:
        """Store a new conversation under the key of a client of `face`, or return the one stored there already."""
        ...

    async def latest_messages(self, scope: Scope, conversation_id: str, limit: int) -> tuple[ConversationMessage, ...]:
        """Return the last `limit` messages, oldest first."""
        ...

    async def questions(self, scope: Scope, conversation_id: str) -> tuple[ConversationMessage, ...]:
        """Return all messages written by the person, oldest first."""
        ...


class FileStore(Protocol):
    """The files of one owner, and their links to conversations."""

    async def add(
        self, scope: Scope, file: StoredFile, *, refs: Sequence[BlobRef], conversation_id: str | None
    ) -> StoredFile:
        """Store a new file that refers to the blobs `refs`, and link it to the conversation.

        The name of a file made by a run is made unique among its owner's files: `a.csv`, `a (2).csv`.
        """
        ...

    async def get(self, scope: Scope, file_id: str) -> StoredFile:
        """Return the file, or raise `NotFound`."""
        ...

    async def find(
        self,
        scope: Scope,
        *,
        conversation_id: str | None = None,
        name: str | None = None,
        prefix: str = "",
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[StoredFile]:
        """List files, the newest first: those of a conversation if one is given, called `name` if that is given, and
        whose names begin with `prefix`, in which case matters."""
        ...

    async def replace(self, scope: Scope, file: StoredFile, *, refs: Sequence[BlobRef]) -> None:
        """Replace a file's metadata; has no effect if its content (`sha256`) has changed meanwhile."""
        ...

    async def remove(self, scope: Scope, file_id: str) -> tuple[str, ...]:
        """Remove a file and its links; return the hashes of the blobs that it referred to, which stay."""
        ...

    async def link(self, scope: Scope, conversation_id: str, file_ids: Sequence[str]) -> None:
        """Link files of the owner to the conversation, each once. Raises `NotFound` if one of all these is not there,
        and links none then."""
        ...

    async def linked(self, scope: Scope, conversation_id: str) -> tuple[StoredFile, ...]:
        """Return every file linked to the conversation, oldest link first."""
        ...

    async def in_use(self, scope: Scope, file_id: str) -> bool:
        """Return whether any conversation links to the file."""
        ...

    async def conversations(self, scope: Scope, file_id: str) -> tuple[str, ...]:
        """Return the ids of the conversations that link to the file, by latest activity."""
        ...

    async def referenced(self, scope: SystemScope, limit: int) -> tuple[tuple[str, str], ...]:
        """Return tenant and hash of up to `limit` blobs that rows refer to, those of the newest rows first."""
        ...

    async def unreferenced(self, scope: SystemScope, tenant: str, hashes: Sequence[str]) -> frozenset[str]:
        """Return those of `hashes` that no row of `tenant` refers to."""
        ...


class StagedBlob(Protocol):
    """Received bytes that are not stored yet."""

    @property
    def path(self) -> Path:
        """The file that contains them; read only."""
        ...

    @property
    def ref(self) -> BlobRef: ...

    async def keep(self) -> None:
        """Store them as a blob. Raises `StorageFull`."""
        ...


class BlobStore(Protocol):
    """Immutable bytes, identified by their hash within a tenant."""

    def stage(self, scope: Scope, content: AsyncIterator[bytes] | bytes) -> AbstractAsyncContextManager[StagedBlob]:
        """Receive `content`, which is discarded unless it is kept before the context ends. Raises `StorageFull`."""
        ...

    async def put(self, scope: Scope, content: AsyncIterator[bytes] | bytes) -> BlobRef:
        """Store `content`. Raises `StorageFull` and whatever `content` raises, in which case nothing is stored."""
        ...

    def open(self, scope: Scope, sha256: str) -> AsyncIterator[bytes]:
        """Yield the bytes in pieces. Raises `NotFound`."""
        ...

    async def path(self, scope: Scope, sha256: str) -> Path:
        """Return the file that contains the bytes; read only. Raises `NotFound`."""
        ...

    async def renew(self, scope: Scope, sha256: str) -> None:
        """Reset a blob's time to now, as if stored again, so that it can be read for a while. Raises `NotFound`."""
        ...

    async def older_than(self, scope: SystemScope, before: datetime) -> dict[str, tuple[str, ...]]:
        """Return, by tenant, the hashes of blobs last stored before `before`."""
        ...

    async def remove(self, scope: SystemScope, tenant: str, sha256: str, *, before: datetime) -> bool:
        """Remove a blob unless it was stored again since `before`; return whether it was removed."""
        ...


class Store(Protocol):
    """All stored data except the blobs."""

    vocabulary: VocabularyStore
    notes: NoteStore
    shares: ShareStore

    @property
    def conversations(self) -> ConversationStore: ...

    @property
    def files(self) -> FileStore: ...

    @property
    def runs(self) -> RunStore: ...

    @property
    def log(self) -> RunLog: ...

    @property
    def instances(self) -> InstanceStore: ...

    @property
    def workbooks(self) -> WorkbookStore: ...

    @property
    def faces(self) -> FaceStore: ...

    @property
    def connections(self) -> ConnectionStore: ...

    @property
    def schedules(self) -> ScheduleStore: ...

    @property
    def workflows(self) -> WorkflowStore: ...

    @property
    def corrections(self) -> CorrectionStore: ...

    def notices(self, scope: SystemScope) -> AsyncIterator[RunNotice]:
        """Yield what any process does to runs from now on.

        Wake-ups only: some may be lost or doubled. Ends at once where there are none; raises `StoreUnavailable` later.
        """
        ...

    async def open(self) -> None:
        """Connect, and upgrade an older database."""
        ...

    async def close(self) -> None:
        """Release what `open` acquired."""
        ...
