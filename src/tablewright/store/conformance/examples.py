"""Example values to store, and what the tests of all stores share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from tablewright.domain.conversation import Conversation, ConversationMessage
from tablewright.domain.dataset import ColumnFacts, DatasetFacts, ReadOptions, StoredFile
from tablewright.domain.events import EventBody, ProgressReported, RunFinished, RunStarted
from tablewright.domain.run import Run, RunLimits
from tablewright.domain.scope import Scope, SystemScope
from tablewright.domain.table import Table
from tablewright.store.base import Store
from tablewright.store.run_store import Batch, RunEnd, Stamped

T0 = datetime(2026, 3, 1, 12, 30, 15, 123456, tzinfo=UTC)
LEASE = timedelta(seconds=15)
ANN = Scope(tenant="acme", owner="ann")
BOB = Scope(tenant="acme", owner="bob")
OTHER_TENANT = Scope(tenant="globex", owner="ann")
SYSTEM = SystemScope(instance_id="i-1")


@contextmanager
def refused(kind: type[Exception]) -> Iterator[None]:
    """Expect an error of `kind`."""
    try:
        yield
    except kind:
        return
    raise AssertionError(f"{kind.__name__} was expected")


def after(seconds: float) -> datetime:
    """Return the time so many seconds after `T0`."""
    return T0 + timedelta(seconds=seconds)


def conversation(conversation_id: str = "c-1", title: str = "", at: datetime = T0) -> Conversation:
    """Make a conversation."""
    return Conversation(id=conversation_id, title=title, language="zh", created_at=at, updated_at=at)


def message(message_id: str, text: str, *, at: datetime = T0, run_id: str | None = None) -> ConversationMessage:
    """Make a message of a person."""
    return ConversationMessage(
        id=message_id, conversation_id="c-1", ordinal=0, author="user", text=text, created_at=at, run_id=run_id
    )


def file(file_id: str, name: str = "sales.csv", *, run_id: str | None = None) -> StoredFile:
    """Make a file with one table."""
    facts = DatasetFacts(
        id=f"{file_id}-0",
        name="sales",
        file_name=name,
        path=f"/data/shared/{name}",
        read=ReadOptions(kind="csv", encoding="gb18030"),
        rows=3,
        columns=(ColumnFacts(name="销量", kind="integer", samples=(1, 2)),),
        sample=Table(columns=("销量",), rows=((1,), (2,)), total_rows=3),
        profile_ref="ab" * 32,
    )
    return StoredFile(
        id=file_id,
        name=name,
        mime="text/csv",
        kind="csv",
        size_bytes=42,
        sha256="cd" * 32,
        datasets=(facts,),
        run_id=run_id,
        downloaded=run_id is None,
        computed="ef" * 32 if run_id is None else None,
    )


def run(run_id: str = "r-1", *, conversation_id: str = "c-1", owner_instance: str = "i-1") -> Run:
    """Make a run that `owner_instance` executes."""
    return Run(
        id=run_id,
        conversation_id=conversation_id,
        question="每个地区的销量?",
        language="zh",
        mode="auto",
        approvals="ask",
        model="builtin",
        file_ids=(),
        limits=RunLimits(steps=3),
        state="running",
        attempt=1,
        last_seq=0,
        created_at=T0,
        owner_instance=owner_instance,
        lease_until=T0 + LEASE,
    )


def batch(
    *bodies: EventBody, run_id: str = "r-1", attempt: int = 1, at: datetime = T0, file_ids: tuple[str, ...] = ()
) -> Batch:
    """Make a batch of events."""
    events = tuple(Stamped(at=at, body=body) for body in bodies)
    return Batch(run_id=run_id, attempt=attempt, events=events, file_ids=file_ids)


def progress(count: int, start: int = 1) -> tuple[ProgressReported, ...]:
    """Make events that can be told apart."""
    return tuple(ProgressReported(message=f"step {number}") for number in range(start, start + count))


def first_of(value: Run) -> Batch:
    """Make the first batch of a run, with the question as a message."""
    started = RunStarted(
        conversation_id=value.conversation_id, question=value.question, model=value.model, mode=value.mode
    )
    asked = message(f"m-{value.id}", value.question, at=value.created_at, run_id=value.id)
    return Batch(
        run_id=value.id,
        attempt=value.attempt,
        events=(Stamped(at=value.created_at, body=started),),
        messages=(replace(asked, conversation_id=value.conversation_id),),
    )


def end_of(run_id: str = "r-1", *, attempt: int = 1, at: datetime = T0) -> Batch:
    """Make the last batch of a run that was cancelled."""
    last = Stamped(at=at, body=RunFinished(outcome="cancelled"))
    return Batch(run_id=run_id, attempt=attempt, events=(last,), end=RunEnd(outcome="cancelled", finished_at=at))


async def begun(store: Store, value: Run | None = None, scope: Scope = ANN) -> Run:
    """Put a conversation and its run into the store."""
    value = value or run()
    await store.conversations.add(scope, conversation(value.conversation_id))
    await store.runs.begin(scope, value, first_of(value), title=value.question)
    return value
