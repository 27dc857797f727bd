"""Rules shared by all stores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from tablewright.domain.answer import Outcome
from tablewright.domain.events import DELTAS, Event, RunFinished, UsageReported
from tablewright.domain.run import OpenRequest, RequestAnswer, Run, RunFailure, RunState
from tablewright.errors import AlreadyAnswered, Conflict
from tablewright.store.run_store import Batch, RunEnd, Stamped

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
EXPIRY = "expiry"
"""`answered_by` of requests that were closed because their time had passed."""
JOINED_CHARS = 20_000
"""The maximum length of the text of a merged event."""


def by_age(run: Run) -> tuple[int, str]:
    """Return the sort key of runs by their beginning."""
    return micros(run.created_at), run.id


def answered(
    request: OpenRequest, answer: RequestAnswer, state: RunState, *, at: datetime, by: str
) -> OpenRequest | None:
    """Return the request with its first answer, or None if the same answer is already stored.

    Raises `AlreadyAnswered` for a different answer, and `Conflict` if the run has finished or the request has expired.
    """
    expiry = answer.decision == "expired"
    if request.answer is not None:
        if request.answer == answer:
            return None
        if request.answer.decision == "expired":
            raise Conflict("request_expired")
        raise AlreadyAnswered(request_id=request.id)
    if state == "finished":
        raise Conflict("run_finished")
    if request.expires_at is not None and at >= request.expires_at and not expiry:
        raise Conflict("request_expired")
    return replace(request, answer=answer, answered_at=at, answered_by=EXPIRY if expiry else by)


def asks_somebody(batch: Batch) -> bool:
    """Return whether a run asks a person in this batch, and is not answered by policy at once."""
    return any(request.answer is None for request in batch.requests)


def tokens_of(events: Iterable[Stamped]) -> int:
    """Return the tokens that `events` report as used."""
    used = (event.body for event in events if isinstance(event.body, UsageReported))
    return sum(usage.input_tokens + usage.output_tokens for usage in used)


def ending(run: Run, outcome: Outcome, at: datetime, failure: RunFailure | None = None) -> Batch:
    """Return the batch that ends a run without an answer; all that it contains is the end."""
    last = Stamped(at=at, body=RunFinished(outcome=outcome, failure=failure))
    end = RunEnd(outcome=outcome, finished_at=at, failure=failure)
    return Batch(run_id=run.id, attempt=run.attempt, top_id=run.top_id, events=(last,), end=end)


def joined_deltas(events: Iterable[Event]) -> list[Event]:
    """Merge adjacent deltas of the same kind and place; `events` are deltas in order.

    Returns only the merged events. Each has the `seq` of its last delta, and as `from_seq` that of its first.
    """
    groups: list[list[Event]] = []
    chars = 0
    for event in events:
        size = len(event.body.text) if isinstance(event.body, DELTAS) else 0
        if groups and chars + size <= JOINED_CHARS and _follows(groups[-1][-1], event):
            groups[-1].append(event)
            chars += size
        else:
            groups.append([event])
            chars = size
    return [_joined(group) for group in groups if len(group) > 1]


def _follows(before: Event, event: Event) -> bool:
    one, other = before.body, event.body
    if before.seq + 1 != event.seq or not isinstance(one, DELTAS) or not isinstance(other, DELTAS):
        return False
    return type(one) is type(other) and replace(one, text="") == replace(other, text="")


def _joined(group: Sequence[Event]) -> Event:
    last = group[-1]
    assert isinstance(last.body, DELTAS)
    text = "".join(event.body.text for event in group if isinstance(event.body, DELTAS))
    return replace(last, from_seq=group[0].seq, body=replace(last.body, text=text))


def micros(at: datetime) -> int:
    """Return a time as microseconds since 1970, which can be compared and sorted in any database."""
    return (at - EPOCH) // MICROSECOND


def time_of(value: int) -> datetime:
    """Return the time for a number returned by `micros`."""
    return EPOCH + value * MICROSECOND
