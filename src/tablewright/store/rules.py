"""What every store decides in the same way."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from tablewright.domain.run import OpenRequest, RequestAnswer, RunState
from tablewright.errors import AlreadyAnswered, Conflict

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def answered(
    request: OpenRequest, answer: RequestAnswer, state: RunState, *, at: datetime, by: str
) -> OpenRequest | None:
    """Return the request with its first answer, or None when the same one is stored; else it is a conflict."""
    if request.answer is not None:
        if request.answer == answer:
            return None
        raise AlreadyAnswered(request_id=request.id)
    if state == "finished":
        raise Conflict("the run has finished")
    return replace(request, answer=answer, answered_at=at, answered_by=by)


def micros(at: datetime) -> int:
    """Return a time as microseconds since 1970, which compare and sort in any database."""
    return (at - EPOCH) // MICROSECOND


def time_of(value: int) -> datetime:
    """Return the time that `micros` turned into a number."""
    return EPOCH + value * MICROSECOND
