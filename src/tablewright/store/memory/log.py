"""The logs of runs in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice

from tablewright.domain.codec import from_json
from tablewright.domain.events import Event, RequestAnswered
from tablewright.domain.message import Message
from tablewright.domain.run import OpenRequest, RequestAnswer
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import NotFound
from tablewright.store.base import Batch, Stamped
from tablewright.store.codec import DELTA_TYPES, decode_body, encode, encode_body
from tablewright.store.memory.rows import EventRow, MemoryRows, RunRow
from tablewright.store.rules import answered, joined_deltas, micros, time_of


class MemoryLog:
    """Implements `RunLog`."""

    def __init__(self, rows: MemoryRows) -> None:
        self._rows = rows

    async def append(self, scope: Scope, batch: Batch) -> int:
        row = self._rows.writable(scope, batch.run_id, batch.attempt)
        write(self._rows, row, batch)
        return row.value.last_seq

    async def events(
        self, scope: Scope, run_id: str, *, after: int = 0, limit: int = 1000, types: Sequence[str] = ()
    ) -> tuple[Event, ...]:
        kept = self._rows.run(scope, run_id).events
        found = (row for row in kept if row.seq > after and (not types or row.type in types))
        return tuple(_event(run_id, row) for row in islice(found, limit))

    async def compact(self, scope: SystemScope, *, before: datetime, limit: int = 100) -> int:
        ended = [row for row in self._rows.runs.values() if row.value.finished_at and row.value.finished_at < before]
        chosen = [row for row in ended if not row.compact][:limit]
        for row in chosen:
            deltas = [_event(row.value.id, kept) for kept in row.events if kept.type in DELTA_TYPES]
            rows = {kept.seq: kept for kept in row.events}
            for event in joined_deltas(deltas):
                first = event.from_seq or event.seq
                for seq in range(first, event.seq):
                    del rows[seq]
                rows[event.seq] = replace(rows[event.seq], body=encode_body(event.body), from_seq=first)
            row.events[:] = rows.values()
            row.compact = True
        return len(chosen)

    async def transcript(self, scope: Scope, run_id: str, transcript_scope: str = "main") -> tuple[Message, ...]:
        kept = self._rows.run(scope, run_id).transcript
        return tuple(from_json(Message, text) for of, text in kept if of == transcript_scope)

    async def requests(self, scope: Scope, run_id: str) -> tuple[OpenRequest, ...]:
        return tuple(self._rows.run(scope, run_id).requests.values())

    async def answer(
        self, scope: Scope, run_id: str, request_id: str, answer: RequestAnswer, *, at: datetime
    ) -> OpenRequest:
        row = self._rows.run(scope, run_id)
        request = row.requests.get(request_id)
        if request is None:
            raise NotFound(kind="request", id=request_id)
        stored = answered(request, answer, row.value.state, at=at, by=scope.owner)
        if stored is None:
            return request
        row.requests[request_id] = stored
        event = Stamped(at=at, body=RequestAnswered(request_id=request_id, answer=answer))
        write(self._rows, row, Batch(run_id=run_id, attempt=row.value.attempt, events=(event,)))
        return stored

    async def take_answers(self, scope: Scope, run_id: str, *, attempt: int) -> tuple[OpenRequest, ...]:
        row = self._rows.writable(scope, run_id, attempt)
        untaken = row.untaken
        row.taken.update(untaken)
        return tuple(untaken.values())


def _event(run_id: str, row: EventRow) -> Event:
    body = decode_body(row.body)
    return Event(run_id=run_id, seq=row.seq, at=time_of(row.at), body=body, from_seq=row.from_seq)


def write(rows: MemoryRows, row: RunRow, batch: Batch) -> None:
    """Append `batch` to a run that the caller has checked to be writable."""
    last = row.value.last_seq + len(batch.events)
    encoded = [
        EventRow(seq=seq, at=micros(item.at), type=item.body.type, body=encode_body(item.body))
        for seq, item in enumerate(batch.events, start=row.value.last_seq + 1)
    ]
    transcript = [(entry.scope, encode(Message, entry.message)) for entry in batch.transcript]
    if batch.file_ids:
        rows.name_files(row, batch.file_ids)
    if batch.messages:
        rows.add_messages(rows.conversations[row.value.conversation_id], batch)
    row.events.extend(encoded)
    row.transcript.extend(transcript)
    row.requests.update({request.id: request for request in batch.requests if request.id not in row.requests})
    row.value = replace(row.value, last_seq=last)
    if batch.end is not None:
        row.value = replace(
            row.value,
            state="finished",
            outcome=batch.end.outcome,
            finished_at=batch.end.finished_at,
            answer=batch.end.answer,
            failure=batch.end.failure,
            lease_until=None,
        )
