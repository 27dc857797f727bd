"""Events over HTTP: `id` is the seq, `event` the type, `data` the event as stored."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import cast

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.responses import Response

from tablewright.domain.codec import to_json
from tablewright.domain.events import Event
from tablewright.errors import InvalidInput

PING_S = 15
SEND_TIMEOUT_S = 60


def last_seen(header: str | None, after: int | None) -> int:
    """Return the seq after which to go on: `Last-Event-ID`, which a reconnecting browser sends, before `?after=`."""
    if not header:
        return after or 0
    if not header.isdecimal() or len(header) > 18:
        raise InvalidInput("Last-Event-ID must be the seq of an event", field="Last-Event-ID")
    return int(header)


def stream(events: AsyncIterator[Event]) -> Response:
    """Send `events` as they come, with a comment every 15 s; ends with them."""
    return EventSourceResponse(_encoded(events), ping=PING_S, send_timeout=SEND_TIMEOUT_S)


async def _encoded(events: AsyncIterator[Event]) -> AsyncIterator[ServerSentEvent]:
    generator = cast("aclosing[AsyncIterator[Event]]", aclosing(events))  # type: ignore[type-var]  # generators all
    async with generator as stream_of_events:
        async for event in stream_of_events:
            yield ServerSentEvent(
                data=to_json(Event, event).decode(), id=str(event.seq), event=event.body.type, sep="\n"
            )
