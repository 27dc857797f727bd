"""Conversion between rows and values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import case, func

from tablewright.domain.answer import Answer
from tablewright.domain.codec import from_json
from tablewright.domain.conversation import Conversation, ConversationMessage, ConversationState
from tablewright.domain.dataset import DatasetFacts, StoredFile
from tablewright.domain.events import Event, EventBody
from tablewright.domain.inbox import InboxEntry, InboxItem
from tablewright.domain.language import Language
from tablewright.domain.run import Approvals, Mode, OpenRequest, Run, RunFailure, RunLimits
from tablewright.store.codec import StoredItem, encode
from tablewright.store.rules import micros, time_of
from tablewright.store.run_store import Instance, RunEnd
from tablewright.store.sql import tables


@dataclass(frozen=True, slots=True, kw_only=True)
class RunInputs:
    """The immutable inputs of a run."""

    question: str
    language: Language
    mode: Mode
    approvals: Approvals
    model: str
    file_ids: tuple[str, ...]
    limits: RunLimits
    deliver: str | None = None
    takeover: bool = False
    guard: bool = True
    workflow_id: str | None = None


def conversation_of(row: Any) -> Conversation:
    """Build a conversation from a row."""
    return Conversation(
        id=row.id,
        title=row.title,
        language=row.language,
        created_at=time_of(row.created_at),
        updated_at=time_of(row.updated_at),
    )


def conversation_values(value: Conversation) -> dict[str, Any]:
    """Return the row values of a conversation."""
    return {
        "id": value.id,
        "title": value.title,
        "language": value.language,
        "created_at": micros(value.created_at),
        "updated_at": micros(value.updated_at),
    }


def message_of(row: Any) -> ConversationMessage:
    """Build a message from a row."""
    return ConversationMessage(
        id=row.id,
        conversation_id=row.conversation_id,
        ordinal=row.ordinal,
        author=row.author,
        text=row.text,
        created_at=time_of(row.created_at),
        run_id=row.run_id,
        file_ids=from_json(tuple[str, ...], row.file_ids),
        answer=None if row.answer is None else from_json(Answer, row.answer),
        provider_name=row.provider_name,
        base_name=row.base_name,
    )


def state_of(row: Any) -> ConversationState:
    """Build the state of a conversation from its row."""
    return ConversationState(
        stage=row.workflow_state, workflow_id=row.current_workflow_uuid, run_id=row.current_runtime_uuid
    )


def state_values(value: ConversationState) -> dict[str, Any]:
    """Return the row values of the state of a conversation."""
    return {
        "workflow_state": value.stage,
        "current_workflow_uuid": value.workflow_id,
        "current_runtime_uuid": value.run_id,
    }


def message_values(value: ConversationMessage, ordinal: int) -> dict[str, Any]:
    """Return the row values of a message, with its ordinal."""
    return {
        "id": value.id,
        "conversation_id": value.conversation_id,
        "ordinal": ordinal,
        "author": value.author,
        "text": value.text,
        "created_at": micros(value.created_at),
        "run_id": value.run_id,
        "file_ids": encode(tuple[str, ...], value.file_ids),
        "answer": None if value.answer is None else encode(Answer, value.answer),
        "provider_name": value.provider_name,
        "base_name": value.base_name,
    }


def file_of(row: Any) -> StoredFile:
    """Build a file from a row."""
    return StoredFile(
        id=row.id,
        name=row.name,
        mime=row.mime,
        kind=row.kind,
        size_bytes=row.size_bytes,
        sha256=row.sha256,
        datasets=from_json(tuple[DatasetFacts, ...], row.datasets),
        run_id=row.run_id,
        downloaded=bool(row.downloaded),
        computed=row.computed,
    )


def file_values(value: StoredFile) -> dict[str, Any]:
    """Return the row values of a file."""
    return {
        "id": value.id,
        "name": value.name,
        "mime": value.mime,
        "kind": value.kind,
        "size_bytes": value.size_bytes,
        "sha256": value.sha256,
        "run_id": value.run_id,
        "datasets": encode(tuple[DatasetFacts, ...], value.datasets),
        "downloaded": value.downloaded,
        "computed": value.computed,
    }


def run_of(row: Any) -> Run:
    """Build a run from a row."""
    given = from_json(RunInputs, row.given)
    return Run(
        id=row.id,
        conversation_id=row.conversation_id,
        question=given.question,
        language=given.language,
        mode=given.mode,
        approvals=given.approvals,
        model=given.model,
        file_ids=given.file_ids,
        limits=given.limits,
        deliver=given.deliver,
        guard=given.guard,
        agent=row.agent,
        workflow_id=given.workflow_id,
        parent_id=row.parent_id,
        top_id=row.top_id,
        task_id=row.task_id,
        takeover=given.takeover,
        worked_s=row.worked_us / 1_000_000,
        tokens=row.tokens,
        losses=row.losses,
        wake_at=_time(row.wake_at),
        state=row.state,
        attempt=row.attempt,
        last_seq=row.last_seq,
        created_at=time_of(row.created_at),
        owner_instance=row.owner_instance,
        lease_until=_time(row.lease_until),
        cancel_requested_at=_time(row.cancel_requested_at),
        finished_at=_time(row.finished_at),
        outcome=row.outcome,
        answer=None if row.answer is None else from_json(Answer, row.answer),
        failure=None if row.failure is None else from_json(RunFailure, row.failure),
    )


def run_values(value: Run) -> dict[str, Any]:
    """Return the row values of a new run."""
    given = RunInputs(
        question=value.question,
        language=value.language,
        mode=value.mode,
        approvals=value.approvals,
        model=value.model,
        file_ids=value.file_ids,
        limits=value.limits,
        deliver=value.deliver,
        guard=value.guard,
        takeover=value.takeover,
        workflow_id=value.workflow_id,
    )
    return {
        "id": value.id,
        "conversation_id": value.conversation_id,
        "given": encode(RunInputs, given),
        "state": value.state,
        "attempt": value.attempt,
        "last_seq": value.last_seq,
        "created_at": micros(value.created_at),
        "owner_instance": value.owner_instance,
        "lease_until": None if value.lease_until is None else micros(value.lease_until),
        "agent": value.agent,
        "parent_id": value.parent_id,
        "top_id": value.top_id,
        "task_id": value.task_id,
        "working_since": micros(value.created_at) if value.state == "running" else None,
    }


def worked_values(at: datetime, *, on: bool = False) -> dict[str, Any]:
    """Return the row values that count the work of the present attempt up to `at`; `on` if it goes on."""
    runs, now = tables.runs.c, micros(at)
    since = func.coalesce(runs.working_since, now)
    worked = case((since < now, now - since), else_=0)
    return {"worked_us": runs.worked_us + worked, "working_since": now if on else None}


def end_values(end: RunEnd) -> dict[str, Any]:
    """Return the row values for the end of a run."""
    return worked_values(end.finished_at) | {
        "state": "finished",
        "outcome": end.outcome,
        "finished_at": micros(end.finished_at),
        "answer": None if end.answer is None else encode(Answer, end.answer),
        "failure": None if end.failure is None else encode(RunFailure, end.failure),
        "lease_until": None,
        "wake_at": None,
    }


def entry_of(row: Any) -> InboxEntry:
    """Build an entry of an inbox from a row."""
    item: InboxItem = from_json(StoredItem, row.item)
    return InboxEntry(place=row.place, at=time_of(row.at), item=item)


def event_of(row: Any, body: EventBody) -> Event:
    """Build an event from a row and its `body`, which has been read separately."""
    return Event(run_id=row.run_id, seq=row.seq, at=time_of(row.at), body=body, from_seq=row.from_seq)


def request_of(row: Any) -> OpenRequest:
    """Build a request from a row."""
    return from_json(OpenRequest, row.body)


def request_values(value: OpenRequest) -> dict[str, Any]:
    """Return the row values of a request."""
    return {
        "run_id": value.run_id,
        "id": value.id,
        "body": encode(OpenRequest, value),
        "answered_at": None if value.answered_at is None else micros(value.answered_at),
    }


def instance_of(row: Any) -> Instance:
    """Build an instance from a row."""
    return Instance(id=row.id, host=row.host, pid=row.pid, boot_id=row.boot_id, heartbeat_at=time_of(row.heartbeat_at))


def instance_values(value: Instance) -> dict[str, Any]:
    """Return the row values of an instance."""
    return {
        "id": value.id,
        "host": value.host,
        "pid": value.pid,
        "boot_id": value.boot_id,
        "heartbeat_at": micros(value.heartbeat_at),
    }


def _time(value: int | None) -> datetime | None:
    return None if value is None else time_of(value)
