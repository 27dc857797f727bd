"""The ports to runs: their rows, their logs, and the processes that execute them.

The rules of `store/base.py` hold: the `Scope` comes first, and an object of another owner is `NotFound`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from tablewright.domain.answer import Answer, Outcome
from tablewright.domain.artifact import BlobRef
from tablewright.domain.conversation import ConversationMessage
from tablewright.domain.events import Event, EventBody
from tablewright.domain.inbox import InboxEntry, InboxItem
from tablewright.domain.message import Message, TranscriptEntry
from tablewright.domain.page import Page
from tablewright.domain.run import OpenRequest, RequestAnswer, Run, RunFailure
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import Conflict


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

    The store assigns each of `messages` its `ordinal`. `requests` are new ones, already answered if policy answered
    them; a request whose id the run has used before is kept as it is. `refs` are blobs that the log refers to from now
    on. `agent` names the agent that was chosen for the run. `file_ids`, if any, become those of the run and its
    question, and join its conversation. The `end` of a run also ends, as cancelled, its children
    that have not finished. `top_id` is that of the run.
    """

    run_id: str
    attempt: int
    top_id: str | None = None
    file_ids: tuple[str, ...] = ()
    events: tuple[Stamped, ...] = ()
    transcript: tuple[TranscriptEntry, ...] = ()
    requests: tuple[OpenRequest, ...] = ()
    messages: tuple[ConversationMessage, ...] = ()
    refs: tuple[BlobRef, ...] = ()
    agent: str | None = None
    end: RunEnd | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnedRun:
    """A run and its owner."""

    scope: Scope
    run: Run


@dataclass(frozen=True, slots=True, kw_only=True)
class RunNotice:
    """A change to a run: its log grew, or (`cancel`) it should stop."""

    run_id: str
    cancel: bool


class RunStore(Protocol):
    """The rows of runs. Ownership is a lease; `attempt` fences off owners that lost it.

    A run may have children. Whatever concerns a run and its children is done to the run first.
    """

    async def begin(
        self,
        scope: Scope,
        run: Run,
        first: Batch,
        *,
        title: str,
        instead_of: str | None = None,
        follows: str | None = None,
    ) -> None:
        """Store a new run without a parent, with its first events.

        Links the run's files to the conversation and moves the conversation to the top; `title` is used if the
        conversation has none. `instead_of` is a waiting run of the conversation, which ends as `superseded` in the
        same transaction. Raises `RunInProgress` while another run of the conversation has not finished, also if that
        is `instead_of` and it does not wait, and if the conversation's last message that belongs to a run is of
        another than `follows`.
        """
        ...

    async def begin_child(self, scope: Scope, run: Run, first: Batch, *, parent_attempt: int) -> Run:
        """Store a new run with a parent, with its first events, and return it as stored.

        If the parent has a child with this `task_id` already, nothing is stored and that child is returned. Raises
        `Fenced` unless `parent_attempt` may write to the parent.
        """
        ...

    async def children(self, scope: Scope, run_id: str) -> tuple[Run, ...]:
        """Return the runs whose parent is `run_id`, in the order in which they began."""
        ...

    async def get(self, scope: Scope, run_id: str) -> Run:
        """Return the run, or raise `NotFound`."""
        ...

    async def of_workflow(
        self, scope: Scope, workflow_id: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[Run]:
        """Return the owner's runs of a workflow, newest first, those that are part of other runs included."""
        ...

    async def live(self, scope: Scope, conversation_id: str) -> Run | None:
        """Return the conversation's unfinished run without a parent, or None."""
        ...

    async def request_cancel(self, scope: Scope, run_id: str, *, at: datetime) -> Run:
        """Record that the run and all below it should stop (the first request counts), and return the run."""
        ...

    async def claim(
        self, scope: Scope, run_id: str, *, attempt: int, instance_id: str, at: datetime, lease_until: datetime
    ) -> Run | None:
        """Take over a waiting run of this `attempt` as the next attempt. Returns None if someone else was faster."""
        ...

    async def rest(
        self, scope: Scope, run_id: str, *, attempt: int, at: datetime, wake_at: datetime | None = None
    ) -> bool:
        """Let the run wait without an owner, at most until `wake_at`.

        Returns False if its inbox has something that no attempt has taken.
        """
        ...

    async def release(self, scope: Scope, run_id: str, *, attempt: int, at: datetime) -> None:
        """Give up the run, to be seized by any instance and continued as its next attempt."""
        ...


class RunLog(Protocol):
    """What runs wrote, events, transcripts and requests, and what was sent to them.

    The events of a run and of all runs below it are one stream, numbered without gaps: that is what a reader of a run
    without a parent gets. A reader of a child gets the child's own events, by their own numbers.
    """

    async def append(self, scope: Scope, batch: Batch) -> int:
        """Write `batch` in one transaction and return the run's last `seq`.

        Raises `Fenced` if it may not be written.
        """
        ...

    async def events(
        self,
        scope: Scope,
        run_id: str,
        *,
        after: int = 0,
        limit: int = 1000,
        types: Sequence[str] = (),
        own: bool = False,
    ) -> tuple[Event, ...]:
        """Return the events with `seq > after` in order, restricted to `types` if given.

        With `own`, those of runs below the run are left out. Raises `NotFound` for an unknown run.
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
        """Return all requests of the run and of the runs below it, answered or not, oldest first."""
        ...

    async def answer(
        self,
        scope: Scope,
        run_id: str,
        request_id: str,
        answer: RequestAnswer,
        *,
        at: datetime,
        message: ConversationMessage | None = None,
    ) -> OpenRequest:
        """Store the first answer together with `request.answered`; repeating the same answer has no effect.

        The files of the `message` are linked to its conversation; `NotFound` if one is not the caller's.

        The request may be that of a run below `run_id`. The answer is put into the inbox of the run that asked.
        `message` is what the person said, for the history of the run's conversation.
        Raises `AlreadyAnswered` for a different answer, `Conflict` if that run has finished, or `NotFound`.
        """
        ...

    async def post(self, scope: Scope, run_id: str, item: InboxItem, *, at: datetime) -> None:
        """Put `item` into the run's inbox; an edit of its plan is also the next event of its log.

        Raises `Conflict` if the run has finished, or `NotFound`.
        """
        ...

    async def take(self, scope: Scope, run_id: str, *, attempt: int) -> tuple[InboxEntry, ...]:
        """Return what no attempt has taken from the run's inbox yet, oldest first, and mark it as taken."""
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
        """Return the waiting runs whose inboxes have something from before `before` that no attempt has taken."""
        ...

    async def due(self, scope: SystemScope, *, now: datetime, limit: int = 100) -> tuple[OwnedRun, ...]:
        """Return up to `limit` waiting runs that were to be woken at `now` or before, the longest due first."""
        ...

    async def cancels(self, scope: SystemScope) -> frozenset[str]:
        """Return the ids of the runs of the scope's instance that should stop."""
        ...

    async def finished(self, scope: SystemScope, *, agent: str, since: datetime) -> tuple[OwnedRun, ...]:
        """Return the runs of an agent that have finished at `since` or later."""
        ...

    async def orphans(self, scope: SystemScope, *, now: datetime, dead: Sequence[str]) -> tuple[OwnedRun, ...]:
        """Return the runs that were released, whose lease has expired, or whose owner is one of the `dead` instances.

        A run comes before the runs below it.
        """
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
