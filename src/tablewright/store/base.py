"""The ports to what is kept: conversations, messages, files, runs with their logs, instances, blobs.

Every method takes the `Scope` first and sees only what belongs to it: a thing of another owner is `NotFound`.
The reaper and the collector work across tenants and take `SystemScope`. Lists come newest first unless said.
Errors: `StoreUnavailable`, `StorageFull`, and what the methods name.
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
    """The run belongs to a later attempt, or has ended: nothing was written. Params: `run_id`, `attempt`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """A process that executes runs. `host` names a machine and its process numbers, `boot_id` one start of it."""

    id: str
    host: str
    pid: int
    boot_id: str
    heartbeat_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamped:
    """An event before the store has given it its `seq`."""

    at: datetime
    body: EventBody


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnd:
    """What becomes of a run with its last event."""

    outcome: Outcome
    finished_at: datetime
    answer: Answer | None = None
    failure: RunFailure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What is written to a run's log in one transaction, together with what its events speak of.

    `messages` get their `ordinal` from the store. `requests` are new ones, answered already where policy
    answered; one whose id the run has asked under before stays as it is.
    """

    run_id: str
    attempt: int
    events: tuple[Stamped, ...] = ()
    transcript: tuple[TranscriptEntry, ...] = ()
    requests: tuple[OpenRequest, ...] = ()
    messages: tuple[ConversationMessage, ...] = ()
    end: RunEnd | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnedRun:
    """A run and whose it is."""

    scope: Scope
    run: Run


class ConversationStore(Protocol):
    """Threads of one owner."""

    async def add(self, scope: Scope, conversation: Conversation) -> None:
        """Keep a new conversation."""
        ...

    async def get(self, scope: Scope, conversation_id: str) -> Conversation:
        """Return it, or raise `NotFound`."""
        ...

    async def find(
        self, scope: Scope, *, query: str = "", limit: int = 50, cursor: str | None = None
    ) -> Page[Conversation]:
        """List by latest activity; `query` is looked for, without regard to case, in titles and messages."""
        ...

    async def rename(self, scope: Scope, conversation_id: str, title: str, *, at: datetime) -> Conversation:
        """Give it another title."""
        ...

    async def remove(self, scope: Scope, conversation_id: str) -> None:
        """Remove it with its messages, runs, logs, requests and links; files stay."""
        ...

    async def messages(
        self, scope: Scope, conversation_id: str, *, limit: int = 100, cursor: str | None = None
    ) -> Page[ConversationMessage]:
        """List its messages, the oldest first."""
        ...

    async def keyed(self, scope: Scope, face: str, key: str) -> Conversation | None:
        """Return the conversation that a client of `face` calls `key`."""
        ...

    async def add_keyed(self, scope: Scope, face: str, key: str, conversation: Conversation) -> Conversation:
        """Keep a new conversation under what a client of `face` calls it; where one has that name, return that."""
        ...

    async def latest_messages(self, scope: Scope, conversation_id: str, limit: int) -> tuple[ConversationMessage, ...]:
        """Return the last `limit` messages, the oldest first."""
        ...

    async def questions(self, scope: Scope, conversation_id: str) -> tuple[ConversationMessage, ...]:
        """Return what the person wrote, all of it, the oldest first."""
        ...


class FileStore(Protocol):
    """Files of one owner, and their links to conversations."""

    async def add(
        self, scope: Scope, file: StoredFile, *, refs: Sequence[BlobRef], conversation_id: str | None
    ) -> StoredFile:
        """Keep a new file that stands on the blobs `refs`, linked to the conversation.

        The name of a file made by a run becomes unique among its owner's files: `a.csv`, `a (2).csv`."""
        ...

    async def get(self, scope: Scope, file_id: str) -> StoredFile:
        """Return it, or raise `NotFound`."""
        ...

    async def find(
        self, scope: Scope, *, conversation_id: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> Page[StoredFile]:
        """List files, of one conversation where it is given."""
        ...

    async def replace(self, scope: Scope, file: StoredFile, *, refs: Sequence[BlobRef]) -> None:
        """Write what is known of a file anew; nothing where its content (`sha256`) is another meanwhile."""
        ...

    async def remove(self, scope: Scope, file_id: str) -> None:
        """Remove it with its links; its blobs are left to the collector."""
        ...

    async def linked(self, scope: Scope, conversation_id: str) -> tuple[StoredFile, ...]:
        """Return every file linked to the conversation, the oldest link first."""
        ...

    async def in_use(self, scope: Scope, file_id: str) -> bool:
        """Tell whether a conversation links to it."""
        ...

    async def conversations(self, scope: Scope, file_id: str) -> tuple[str, ...]:
        """Return the conversations that link to it, that of the latest activity first."""
        ...

    async def unreferenced(self, scope: SystemScope, tenant: str, hashes: Sequence[str]) -> frozenset[str]:
        """Return those of `hashes` that no row of `tenant` stands on."""
        ...


class RunStore(Protocol):
    """Runs as rows; ownership is a lease, and `attempt` fences those who lost it."""

    async def begin(self, scope: Scope, run: Run, first: Batch, *, title: str) -> None:
        """Keep a new run with its first events, link its files to the conversation and move that to the top;
        `title` is for a conversation that has none. `RunInProgress` while another run of it has not finished."""
        ...

    async def get(self, scope: Scope, run_id: str) -> Run:
        """Return it, or raise `NotFound`."""
        ...

    async def live(self, scope: Scope, conversation_id: str) -> Run | None:
        """Return the conversation's run that has not finished."""
        ...

    async def request_cancel(self, scope: Scope, run_id: str, *, at: datetime) -> Run:
        """Note that the run shall stop (the first time counts) and return it."""
        ...

    async def claim(
        self, scope: Scope, run_id: str, *, attempt: int, instance_id: str, lease_until: datetime
    ) -> Run | None:
        """Take a waiting run of this `attempt` to execute it as the next attempt; None when another was faster."""
        ...

    async def rest(self, scope: Scope, run_id: str, *, attempt: int) -> bool:
        """Let the run wait without an owner; False when an answer has come that was not taken yet."""
        ...


class RunLog(Protocol):
    """What runs wrote: events, transcripts, requests."""

    async def append(self, scope: Scope, batch: Batch) -> int:
        """Write `batch` in one transaction and return the run's last `seq`; `Fenced` when it may not write."""
        ...

    async def events(
        self, scope: Scope, run_id: str, *, after: int = 0, limit: int = 1000, types: Sequence[str] = ()
    ) -> tuple[Event, ...]:
        """Return the events with `seq > after` in order, of `types` where given; `NotFound` without such a run."""
        ...

    async def compact(self, scope: SystemScope, *, before: datetime, limit: int = 100) -> int:
        """Join neighbouring deltas of up to `limit` runs that finished before `before`, once each; return how many runs
        those were. What a log says stays the same, in fewer events."""
        ...

    async def transcript(self, scope: Scope, run_id: str, transcript_scope: str = "main") -> tuple[Message, ...]:
        """Return a transcript in order."""
        ...

    async def requests(self, scope: Scope, run_id: str) -> tuple[OpenRequest, ...]:
        """Return what was asked, answered or not, the oldest first."""
        ...

    async def answer(
        self, scope: Scope, run_id: str, request_id: str, answer: RequestAnswer, *, at: datetime
    ) -> OpenRequest:
        """Store the first answer, and `request.answered` with it; the same again changes nothing.

        `AlreadyAnswered` for another one, `Conflict` when the run has finished, `NotFound`."""
        ...

    async def take_answers(self, scope: Scope, run_id: str, *, attempt: int) -> tuple[OpenRequest, ...]:
        """Return the answered requests that no attempt has taken yet, and mark them taken."""
        ...


class InstanceStore(Protocol):
    """Processes and the leases on their runs; across tenants."""

    async def register(self, scope: SystemScope, instance: Instance) -> None:
        """Keep a new instance."""
        ...

    async def all(self, scope: SystemScope) -> tuple[Instance, ...]:
        """Return every instance known."""
        ...

    async def beat(self, scope: SystemScope, *, at: datetime, run_ids: Sequence[str], lease_until: datetime) -> None:
        """Say that the scope's instance lives, and extend its leases on `run_ids`."""
        ...

    async def remove(self, scope: SystemScope, instance_id: str) -> None:
        """Forget an instance."""
        ...

    async def unresumed(self, scope: SystemScope, *, before: datetime) -> tuple[OwnedRun, ...]:
        """Return the waiting runs with an answer from before `before` that no attempt has taken."""
        ...

    async def cancels(self, scope: SystemScope) -> frozenset[str]:
        """Return the runs of the scope's instance that shall stop."""
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
        """Take an orphan of this `attempt` as the next attempt; None when it is no longer one."""
        ...


class StagedBlob(Protocol):
    """Bytes that have arrived and are not kept yet."""

    @property
    def path(self) -> Path:
        """The file that holds them, to be read only."""
        ...

    @property
    def ref(self) -> BlobRef: ...

    async def keep(self) -> None:
        """Make them a blob; `StorageFull`."""
        ...


class BlobStore(Protocol):
    """Bytes that never change, by their hash within a tenant."""

    def stage(self, scope: Scope, content: AsyncIterator[bytes] | bytes) -> AbstractAsyncContextManager[StagedBlob]:
        """Receive `content`; whatever is not kept when the context ends is gone. `StorageFull`."""
        ...

    async def put(self, scope: Scope, content: AsyncIterator[bytes] | bytes) -> BlobRef:
        """Keep `content`; raises `StorageFull`, and whatever `content` raises, leaving nothing behind."""
        ...

    def open(self, scope: Scope, sha256: str) -> AsyncIterator[bytes]:
        """Yield the bytes in pieces; `NotFound`."""
        ...

    async def path(self, scope: Scope, sha256: str) -> Path:
        """Return the file that holds the bytes, to be read only; `NotFound`."""
        ...

    async def renew(self, scope: Scope, sha256: str) -> None:
        """Give a blob the time of now, as if it were put again: who reads it may go on for a while; `NotFound`."""
        ...

    async def older_than(self, scope: SystemScope, before: datetime) -> dict[str, tuple[str, ...]]:
        """Return, by tenant, the hashes of blobs that were last put before `before`."""
        ...

    async def remove(self, scope: SystemScope, tenant: str, sha256: str, *, before: datetime) -> bool:
        """Remove a blob unless it was put again since `before`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RunNotice:
    """Something became of a run: its log grew, or (`cancel`) it shall stop."""

    run_id: str
    cancel: bool


class Store(Protocol):
    """Everything that is kept, except the blobs."""

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
        """Yield what any process does to runs from now on, as a wake-up only: notices may be lost or come twice.

        Ends at once where the database does not tell; `StoreUnavailable` when it can no longer."""
        ...

    async def open(self) -> None:
        """Make it ready: connect, and bring an older database up to date."""
        ...

    async def close(self) -> None:
        """Give back what `open` took."""
        ...
