"""The ports to stored data: conversations, messages, files, runs with their logs, instances, blobs.

Every method takes the `Scope` first and sees only what belongs to it: an object of another owner is `NotFound`. The
reaper and the collector work across tenants and pass a `SystemScope`. Lists are ordered from newest to oldest unless
stated otherwise. Any method may raise `StoreUnavailable` or `StorageFull`, besides the errors that it names.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from tablewright.domain.answer import Answer, Outcome
from tablewright.domain.artifact import BlobRef
from tablewright.domain.conversation import Conversation, ConversationMessage
from tablewright.domain.dataset import StoredFile
from tablewright.domain.events import Event, EventBody
from tablewright.domain.message import Message, TranscriptEntry
from tablewright.domain.page import Page
from tablewright.domain.run import OpenRequest, RequestAnswer, Run, RunFailure
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import Conflict
from tablewright.store.workbook_store import FaceStore, WorkbookStore


class Fenced(Conflict):
    """The run belongs to a later attempt, or has ended; nothing was written. Params: `run_id`, `attempt`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """A process that executes runs.

    `host` identifies the machine and thereby its process ids, `boot_id` one boot of it.
    """

    id: str
    host: str
    pid: int
    boot_id: str
    heartbeat_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamped:
    """An event to which the store has not yet assigned a `seq`."""

    at: datetime
    body: EventBody


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnd:
    """The changes to a run's row that come with its last event."""

    outcome: Outcome
    finished_at: datetime
    answer: Answer | None = None
    failure: RunFailure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Everything written to a run's log in one transaction: events, and the data that they refer to.

    The store numbers `messages`. `requests` are new, already answered if policy answered them; one with a known id is
    kept as it is. `file_ids`, if any, become those of the run and its question, and join its conversation."""

    run_id: str
    attempt: int
    file_ids: tuple[str, ...] = ()
    events: tuple[Stamped, ...] = ()
    transcript: tuple[TranscriptEntry, ...] = ()
    requests: tuple[OpenRequest, ...] = ()
    messages: tuple[ConversationMessage, ...] = ()
    end: RunEnd | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnedRun:
    """A run and its owner."""

    scope: Scope
    run: Run


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
        self, scope: Scope, *, conversation_id: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> Page[StoredFile]:
        """List files, only those of a conversation if one is given."""
        ...

    async def replace(self, scope: Scope, file: StoredFile, *, refs: Sequence[BlobRef]) -> None:
        """Replace a file's metadata; has no effect if its content (`sha256`) has changed meanwhile."""
        ...

    async def remove(self, scope: Scope, file_id: str) -> tuple[str, ...]:
        """Remove a file and its links; return the hashes of the blobs that it referred to, which stay."""
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


class RunStore(Protocol):
    """The rows of runs. Ownership is a lease; `attempt` fences off owners that lost it."""

    async def begin(self, scope: Scope, run: Run, first: Batch, *, title: str) -> None:
        """Store a new run with its first events.

        Links the run's files to the conversation and moves the conversation to the top; `title` is used if the
        conversation has none. Raises `RunInProgress` while another run of the conversation has not finished.
        """
        ...

    async def get(self, scope: Scope, run_id: str) -> Run:
        """Return the run, or raise `NotFound`."""
        ...

    async def live(self, scope: Scope, conversation_id: str) -> Run | None:
        """Return the conversation's unfinished run, or None."""
        ...

    async def request_cancel(self, scope: Scope, run_id: str, *, at: datetime) -> Run:
        """Record that the run should stop (the first request counts), and return the run."""
        ...

    async def claim(
        self, scope: Scope, run_id: str, *, attempt: int, instance_id: str, lease_until: datetime
    ) -> Run | None:
        """Take over a waiting run of this `attempt` as the next attempt. Returns None if someone else was faster."""
        ...

    async def rest(self, scope: Scope, run_id: str, *, attempt: int) -> bool:
        """Let the run wait without an owner. Returns False if there is an answer that no attempt has taken yet."""
        ...


class RunLog(Protocol):
    """What runs wrote: events, transcripts, requests."""

    async def append(self, scope: Scope, batch: Batch) -> int:
        """Write `batch` in one transaction and return the run's last `seq`.

        Raises `Fenced` if it may not be written.
        """
        ...

    async def events(
        self, scope: Scope, run_id: str, *, after: int = 0, limit: int = 1000, types: Sequence[str] = ()
    ) -> tuple[Event, ...]:
        """Return the events with `seq > after` in order, restricted to `types` if given.

        Raises `NotFound` for an unknown run.
        """
        ...

    async def compact(self, scope: SystemScope, *, before: datetime, limit: int = 100) -> int:
        """Merge adjacent deltas of up to `limit` runs that finished before `before`, once per run.

        Returns the number of these runs. The content of a log stays the same, in fewer events.
        """
        ...

    async def transcript(self, scope: Scope, run_id: str, transcript_scope: str = "main") -> tuple[Message, ...]:
        """Return the messages of a transcript in order."""
        ...

    async def requests(self, scope: Scope, run_id: str) -> tuple[OpenRequest, ...]:
        """Return all requests, answered or not, oldest first."""
        ...

    async def answer(
        self, scope: Scope, run_id: str, request_id: str, answer: RequestAnswer, *, at: datetime
    ) -> OpenRequest:
        """Store the first answer together with `request.answered`; repeating the same answer has no effect.

        Raises `AlreadyAnswered` for a different answer, `Conflict` if the run has finished, or `NotFound`.
        """
        ...

    async def take_answers(self, scope: Scope, run_id: str, *, attempt: int) -> tuple[OpenRequest, ...]:
        """Return the answered requests that no attempt has taken yet, and mark them as taken."""
        ...


class InstanceStore(Protocol):
    """Processes that execute runs, and the leases on their runs; across tenants."""

    async def register(self, scope: SystemScope, instance: Instance) -> None:
        """Store a new instance."""
        ...

    async def all(self, scope: SystemScope) -> tuple[Instance, ...]:
        """Return all known instances."""
        ...

    async def beat(self, scope: SystemScope, *, at: datetime, run_ids: Sequence[str], lease_until: datetime) -> None:
        """Record that the scope's instance is alive, and extend its leases on `run_ids`."""
        ...

    async def remove(self, scope: SystemScope, instance_id: str) -> None:
        """Remove an instance."""
        ...

    async def unresumed(self, scope: SystemScope, *, before: datetime) -> tuple[OwnedRun, ...]:
        """Return the waiting runs with an answer given before `before` that no attempt has taken."""
        ...

    async def cancels(self, scope: SystemScope) -> frozenset[str]:
        """Return the ids of the runs of the scope's instance that should stop."""
        ...

    async def orphans(self, scope: SystemScope, *, now: datetime, dead: Sequence[str]) -> tuple[OwnedRun, ...]:
        """Return the runs whose lease has expired, or whose owner is one of the `dead` instances."""
        ...

    async def seize(
        self,
        scope: SystemScope,
        run_id: str,
        *,
        attempt: int,
        now: datetime,
        lease_until: datetime,
        dead: Sequence[str],
    ) -> Run | None:
        """Take over an orphaned run of this `attempt` as the next attempt. Returns None if it is no longer orphaned."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class RunNotice:
    """A change to a run: its log grew, or (`cancel`) it should stop."""

    run_id: str
    cancel: bool


class Store(Protocol):
    """All stored data except the blobs."""

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
