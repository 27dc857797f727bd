"""Structured queries: an analysis in rounds, in the words of their own wire."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any, cast

from fastapi import APIRouter, Response
from sse_starlette import ServerSentEvent

from tablewright.api.dependencies import Caller, Parts, Speech
from tablewright.api.documents import faults
from tablewright.api.errors import error_response
from tablewright.api.schemas.native import Fault
from tablewright.api.schemas.structured import AgentQuery, QueryFault, QueryResponse
from tablewright.api.sse import send
from tablewright.api.structured.failures import failure_of, failure_status
from tablewright.api.structured.fold import QueryFold, stepped, whole
from tablewright.domain.events import Event
from tablewright.domain.language import Language
from tablewright.service.structured_queries import StructuredQuery
from tablewright.texts.errors import error_text

router = APIRouter(prefix="/agent", tags=["agent"])
STATUSES = (404, 409, 413, 415, 422, 502, 503, 504, 507)
FRAMES: dict[str, Any] = {
    "description": "The last round. With `stream`, a `data:` frame with the same JSON for each round.",
    "content": {"text/event-stream": {"schema": {"$ref": "#/components/schemas/QueryResponse"}}},
}


@router.post(
    "/query",
    response_model=QueryResponse,
    responses={200: FRAMES, **{status: {**told, "model": QueryFault} for status, told in faults(*STATUSES).items()}},
)
async def query(parts: Parts, caller: Caller, speech: Speech, asked: AgentQuery) -> Response:
    """Analyse in rounds: ask, or let a run that waits after a round go on.

    Without `stream` and `step` the response is that of the last round."""
    wanted = StructuredQuery(
        query=asked.query or "",
        conversation_id=asked.conversation_id,
        files=tuple(asked.files),
        step=asked.step,
        language=speech,
    )
    accepted = await parts.queries.take(caller, wanted)
    fold = QueryFold(run_id=accepted.run.id, conversation_id=accepted.run.conversation_id)
    events = parts.queries.follow(caller, accepted)
    if asked.stream:
        return send(_frames(events, fold, speech))
    async with aclosing(cast(AsyncGenerator[Event], events)):
        async for event in events:
            fold.take(event)
    response = stepped(fold) if asked.step else whole(fold)
    if response is None or (fold.outcome is not None and not _answered(fold)):
        failure = failure_of(fold.outcome, fold.failure)
        return error_response(failure_status(failure), failure.code, speech, failure.params)
    return Response(response.model_dump_json(), media_type="application/json")


async def _frames(events: AsyncIterator[Event], fold: QueryFold, language: Language) -> AsyncIterator[ServerSentEvent]:
    async with aclosing(cast(AsyncGenerator[Event], events)):
        async for event in events:
            if (response := fold.take(event)) is not None:
                yield ServerSentEvent(data=response.model_dump_json(), sep="\n")
    if fold.outcome is not None and not _answered(fold):
        failure = failure_of(fold.outcome, fold.failure)
        fault = Fault(code=failure.code, message=error_text(failure.code, language, failure.params))
        yield ServerSentEvent(data=QueryFault(error=fault).model_dump_json(exclude_none=True), sep="\n")


def _answered(fold: QueryFold) -> bool:
    return bool(fold.rounds) and fold.rounds[-1].data.metadata.status == "complete"
