"""The logs of runs in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice
from operator import attrgetter

from tablewright.domain.codec import from_json
from tablewright.domain.conversation import ConversationMessage
from tablewright.domain.events import Event, PlanEdited, RequestAnswered
from tablewright.domain.inbox import AnswerGiven, InboxEntry, InboxItem
from tablewright.domain.message import Message
from tablewright.domain.run import OpenRequest, RequestAnswer
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import Conflict, NotFound
from tablewright.store.codec import DELTA_TYPES, decode_body, encode, encode_body
from tablewright.store.memory.rows import EventRow, MemoryRows, RunRow
from tablewright.store.memory.trees import below, ends_below, post, tell_parent
from tablewright.store.rules import answered, joined_deltas, micros, time_of, tokens_of
from tablewright.store.run_store import Batch, Fenced, RunEnd, Stamped


class MemoryLog:
    """Implements `RunLog`."""

    def __init__(self, rows: MemoryRows) -> None:
        self._rows = rows

    async def append(self, scope: Scope, batch: Batch) -> int:
        row = self._rows.writable(scope, batch.run_id, batch.attempt)
        if row.value.top_id != batch.top_id:
            raise Fenced(run_id=batch.run_id, attempt=batch.attempt)
        write(self._rows, row, batch)
        return row.value.last_seq

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
        row = self._rows.run(scope, run_id)
        stream = [_event(run_id, kept) for kept in row.events]
        if row.value.top_id is None and not own:
            runs = below(self._rows, run_id)
            stream += [_in_stream(child.value.id, kept) for child in runs for kept in child.events]
            stream.sort(key=attrgetter("seq"))
        found = (event for event in stream if event.seq > after and (not types or event.body.type in types))
        return tuple(islice(found, limit))

    async def compact(self, scope: SystemScope, *, before: datetime, limit: int = 100) -> int:
        ended = [row for row in self._rows.runs.values() if row.value.finished_at and row.value.finished_at < before]
        chosen = [row for row in ended if not row.compact][:limit]
        for row in chosen:
            read = _event if row.value.top_id is None else _in_stream  # neighbours in the stream that people read
            deltas = [read(row.value.id, kept) for kept in row.events if kept.type in DELTA_TYPES]
            rows = {kept.top_seq or kept.seq: kept for kept in row.events}
            for event in joined_deltas(deltas):
                first = event.from_seq or event.seq
                for seq in range(first, event.seq):
                    del rows[seq]
                last = rows[event.seq]
                from_seq = last.seq - (event.seq - first)
                rows[event.seq] = replace(last, body=encode_body(event.body), from_seq=from_seq)
            row.events[:] = rows.values()
            row.compact = True
        return len(chosen)

    async def transcript(self, scope: Scope, run_id: str, transcript_scope: str = "main") -> tuple[Message, ...]:
        kept = self._rows.run(scope, run_id).transcript
        return tuple(from_json(Message, text) for of, text in kept if of == transcript_scope)

    async def requests(self, scope: Scope, run_id: str) -> tuple[OpenRequest, ...]:
        rows = (self._rows.run(scope, run_id), *below(self._rows, run_id))
        found = [request for row in rows for request in row.requests.values()]
        return tuple(sorted(found, key=attrgetter("created_at")))

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
        rows = (self._rows.run(scope, run_id), *below(self._rows, run_id))
        row = next((row for row in rows if request_id in row.requests), None)
        if row is None:
            raise NotFound(kind="request", id=request_id)
        request = row.requests[request_id]
        stored = answered(request, answer, row.value.state, at=at, by=scope.owner)
        if stored is None:
            return request
        files = () if message is None else message.file_ids
        for file_id in files:
            self._rows.file(scope, file_id)
        if message is not None:
            self._rows.conversation(scope, message.conversation_id).file_ids.update(dict.fromkeys(files))
        row.requests[request_id] = stored
        answered_now = Stamped(at=at, body=RequestAnswered(request_id=request_id, answer=answer))
        write(self._rows, row, replace(_one_event(row, answered_now), messages=() if message is None else (message,)))
        post(row, AnswerGiven(request_id=request_id, answer=answer), micros(at))
        return stored

    async def post(self, scope: Scope, run_id: str, item: InboxItem, *, at: datetime) -> None:
        row = self._rows.run(scope, run_id)
        if row.value.state == "finished":
            raise Conflict("run_finished")
        post(row, item, micros(at))
        if isinstance(item, PlanEdited):
            write(self._rows, row, _one_event(row, Stamped(at=at, body=item)))

    async def take(self, scope: Scope, run_id: str, *, attempt: int) -> tuple[InboxEntry, ...]:
        row = self._rows.writable(scope, run_id, attempt)
        untaken = row.untaken
        for kept in untaken:
            kept.taken = True
        return tuple(InboxEntry(place=kept.place, at=time_of(kept.at), item=kept.item) for kept in untaken)


def _one_event(row: RunRow, event: Stamped) -> Batch:
    run = row.value
    return Batch(run_id=run.id, attempt=run.attempt, top_id=run.top_id, events=(event,))


def _event(run_id: str, row: EventRow) -> Event:
    body = decode_body(row.body)
    return Event(run_id=run_id, seq=row.seq, at=time_of(row.at), body=body, from_seq=row.from_seq)


def _in_stream(run_id: str, row: EventRow) -> Event:
    event = _event(run_id, row)
    if row.top_seq is None:
        return event
    joined = None if row.from_seq is None else row.top_seq - (row.seq - row.from_seq)
    return replace(event, seq=row.top_seq, from_seq=joined)


def write(rows: MemoryRows, row: RunRow, batch: Batch) -> None:
    """Append `batch` to a run that the caller has checked to be writable, and end what is below if it ends the run."""
    if batch.end is not None:
        for child, end in ends_below(rows, batch.run_id, batch.end.finished_at):
            _write_one(rows, child, end)
    _write_one(rows, row, batch)
    if batch.end is not None:
        tell_parent(rows, row, batch.end, micros(batch.end.finished_at))


def _write_one(rows: MemoryRows, row: RunRow, batch: Batch) -> None:
    top = None if row.value.top_id is None else rows.runs[row.value.top_id]
    shift = 0 if top is None else top.value.last_seq - row.value.last_seq
    encoded = [
        EventRow(
            seq=seq,
            at=micros(item.at),
            type=item.body.type,
            body=encode_body(item.body),
            top_seq=None if top is None else seq + shift,
        )
        for seq, item in enumerate(batch.events, start=row.value.last_seq + 1)
    ]
    transcript = [(entry.scope, encode(Message, entry.message)) for entry in batch.transcript]
    if batch.file_ids:
        rows.name_files(row, batch.file_ids)
    if batch.messages:
        rows.add_messages(rows.conversations[row.value.conversation_id], batch)
    rows.move(row, batch)
    row.events.extend(encoded)
    row.transcript.extend(transcript)
    row.hashes.update(ref.sha256 for ref in batch.refs)
    for request in batch.requests:
        _add_request(row, request)
    row.value = replace(
        row.value,
        last_seq=row.value.last_seq + len(encoded),
        tokens=row.value.tokens + tokens_of(batch.events),
        agent=batch.agent or row.value.agent,
    )
    if top is not None:
        top.value = replace(top.value, last_seq=top.value.last_seq + len(encoded))
    if batch.end is not None:
        _end(row, batch.end)


def _add_request(row: RunRow, request: OpenRequest) -> None:
    if request.id in row.requests:
        return
    row.requests[request.id] = request
    if request.answer is not None and request.answered_at is not None:
        post(row, AnswerGiven(request_id=request.id, answer=request.answer), micros(request.answered_at))


def _end(row: RunRow, end: RunEnd) -> None:
    row.count_work(end.finished_at)
    row.value = replace(
        row.value,
        state="finished",
        outcome=end.outcome,
        finished_at=end.finished_at,
        answer=end.answer,
        failure=end.failure,
        lease_until=None,
        wake_at=None,
    )
