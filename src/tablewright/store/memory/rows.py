"""The contents of the in-memory store. Values are converted to and from JSON, as in a database."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime

from tablewright.domain.conversation import NOTHING_WAITS, WAITING, Conversation, ConversationMessage, ConversationState
from tablewright.domain.dataset import StoredFile
from tablewright.domain.inbox import InboxItem
from tablewright.domain.rounds.round import Round
from tablewright.domain.run import OpenRequest, Run
from tablewright.domain.scope import Scope
from tablewright.domain.share import Share
from tablewright.domain.workbook import Version
from tablewright.errors import NotFound
from tablewright.store.rules import asks_somebody
from tablewright.store.run_store import Batch, Fenced, Instance


@dataclass(slots=True, kw_only=True)
class ConversationRow:
    """A conversation with everything that belongs to it."""

    scope: Scope
    value: Conversation
    state: ConversationState = NOTHING_WAITS
    messages: list[ConversationMessage] = field(default_factory=list[ConversationMessage])
    file_ids: dict[str, None] = field(default_factory=dict[str, None])
    shares: dict[str, Share] = field(default_factory=dict[str, Share])


@dataclass(slots=True, kw_only=True)
class WorkbookRow:
    """The versions and rounds of a workbook's file, and the hashes that they refer to."""

    head: int
    versions: list[Version]
    rounds: list[Round] = field(default_factory=list[Round])
    hashes: set[str] = field(default_factory=set[str])


@dataclass(slots=True, kw_only=True)
class FileRow:
    """A file and the hashes that it refers to."""

    scope: Scope
    value: StoredFile
    hashes: frozenset[str]
    workbook: WorkbookRow | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    """A stored event."""

    seq: int
    at: int
    type: str
    body: str
    from_seq: int | None = None
    top_seq: int | None = None


@dataclass(slots=True, kw_only=True)
class InboxRow:
    """An item that was sent to a run."""

    place: int
    at: int
    item: InboxItem
    taken: bool = False


@dataclass(slots=True, kw_only=True)
class RunRow:
    """A run with its log, the hashes that this refers to, and its inbox. `compact` once its deltas were merged."""

    scope: Scope
    value: Run
    events: list[EventRow] = field(default_factory=list[EventRow])
    transcript: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    requests: dict[str, OpenRequest] = field(default_factory=dict[str, OpenRequest])
    inbox: list[InboxRow] = field(default_factory=list[InboxRow])
    hashes: set[str] = field(default_factory=set[str])
    working_since: datetime | None = None
    compact: bool = False

    @property
    def untaken(self) -> list[InboxRow]:
        """What no attempt has taken from the inbox yet."""
        return [row for row in self.inbox if not row.taken]

    def count_work(self, at: datetime, *, on: bool = False) -> None:
        """Count the work of the present attempt up to `at`; `on` if it goes on."""
        since = self.working_since or at
        worked = max((at - since).total_seconds(), 0.0)
        self.value = replace(self.value, worked_s=round(self.value.worked_s + worked, 6))
        self.working_since = at if on else None


@dataclass(slots=True, kw_only=True)
class MemoryRows:
    """All rows."""

    conversations: dict[str, ConversationRow] = field(default_factory=dict[str, ConversationRow])
    keys: dict[tuple[str, str, str, str], str] = field(default_factory=dict[tuple[str, str, str, str], str])
    files: dict[str, FileRow] = field(default_factory=dict[str, FileRow])
    runs: dict[str, RunRow] = field(default_factory=dict[str, RunRow])
    instances: dict[str, Instance] = field(default_factory=dict[str, Instance])

    def conversation(self, scope: Scope, conversation_id: str) -> ConversationRow:
        """Return the caller's conversation, or raise `NotFound`."""
        row = self.conversations.get(conversation_id)
        if row is None or not same_owner(row.scope, scope):
            raise NotFound(kind="conversation", id=conversation_id)
        return row

    def file(self, scope: Scope, file_id: str) -> FileRow:
        """Return the caller's file, or raise `NotFound`."""
        row = self.files.get(file_id)
        if row is None or not same_owner(row.scope, scope):
            raise NotFound(kind="file", id=file_id)
        return row

    def file_names(self, scope: Scope, *, besides: str | None = None) -> set[str]:
        """Return the names of the owner's files, except that of the file with the id `besides`."""
        mine = (row.value for row in self.files.values() if same_owner(row.scope, scope))
        return {file.name for file in mine if file.id != besides}

    def workbook(self, scope: Scope, workbook_id: str) -> WorkbookRow:
        """Return the caller's file as a workbook, or raise `NotFound`."""
        row = self.files.get(workbook_id)
        if row is None or row.workbook is None or not same_owner(row.scope, scope):
            raise NotFound(kind="workbook", id=workbook_id)
        return row.workbook

    def run(self, scope: Scope, run_id: str) -> RunRow:
        """Return the caller's run, or raise `NotFound`."""
        row = self.runs.get(run_id)
        if row is None or not same_owner(row.scope, scope):
            raise NotFound(kind="run", id=run_id)
        return row

    def writable(self, scope: Scope, run_id: str, attempt: int) -> RunRow:
        """Return the run that this attempt may write to, or raise `Fenced`."""
        row = self.run(scope, run_id)
        if row.value.attempt != attempt or row.value.state == "finished":
            raise Fenced(run_id=run_id, attempt=attempt)
        return row

    def add_messages(self, row: ConversationRow, batch: Batch) -> None:
        """Append the messages of `batch`, which also moves their conversation to the top."""
        for message in batch.messages:
            row.messages.append(replace(message, ordinal=len(row.messages) + 1))
            row.value = replace(row.value, updated_at=max(row.value.updated_at, message.created_at))

    def move(self, row: RunRow, batch: Batch) -> None:
        """Change the state of the conversation as `batch` of a run demands."""
        top = row if row.value.top_id is None else self.runs[row.value.top_id]
        conversation = self.conversations[row.value.conversation_id]
        if asks_somebody(batch) and top.value.workflow_id is not None:
            conversation.state = ConversationState(
                stage=WAITING, workflow_id=top.value.workflow_id, run_id=top.value.id
            )
        if batch.end is not None and conversation.state.run_id == batch.run_id:
            conversation.state = NOTHING_WAITS

    def name_files(self, row: RunRow, file_ids: tuple[str, ...]) -> None:
        """Make the files those of a run and of its question, and link them to its conversation."""
        for file_id in file_ids:
            self.file(row.scope, file_id)
        conversation = self.conversations[row.value.conversation_id]
        conversation.file_ids.update(dict.fromkeys(file_ids))
        conversation.messages[:] = [
            replace(message, file_ids=file_ids) if _asks(message, row.value.id) else message
            for message in conversation.messages
        ]
        row.value = replace(row.value, file_ids=file_ids)


def _asks(message: ConversationMessage, run_id: str) -> bool:
    return message.run_id == run_id and message.author == "user"


def same_owner(one: Scope, other: Scope) -> bool:
    """Return whether two scopes have the same owner."""
    return (one.tenant, one.owner) == (other.tenant, other.owner)
