"""Server-sent events over HTTP: `id` is the seq, `event` the type, and `data` the event as stored."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable

import anyio
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.responses import Response

from tablewright.domain.codec import to_json
from tablewright.domain.events import Event
from tablewright.errors import InvalidInput

PING_S = 15
SEND_TIMEOUT_S = 60
ENDING_GRACE_S = 1


def last_seen(header: str | None, after: int | None) -> int:
    """Return the seq to continue after: `Last-Event-ID`, sent by a reconnecting browser, takes precedence over
    `?after=`. Raises `InvalidInput` if it is not a seq."""
    if not header:
        return after or 0
    if not header.isdecimal() or len(header) > 18:
        raise InvalidInput("last_event_id_wrong", field="Last-Event-ID")
    return int(header)


def stream(events: AsyncIterator[Event]) -> Response:
    """Send `events` as they arrive, with a comment every 15 s.

    Ends with them, or between two events when the service stops.
    """
    return send(_encoded(events))


def send(
    messages: AsyncIterator[ServerSentEvent],
    *,
    ping_s: int = PING_S,
    ping: Callable[[], ServerSentEvent] | None = None,
    parting: Callable[[], Iterable[ServerSentEvent]] = tuple,
) -> Response:
    """Send `messages` in the same way as `stream`: every `ping_s` seconds `ping` instead of a comment, where there is
    one, and where the service stops `parting`."""
    ending = anyio.Event()
    return EventSourceResponse(
        _until(messages, ending, parting),
        ping=ping_s,
        ping_message_factory=ping,
        send_timeout=SEND_TIMEOUT_S,
        shutdown_event=ending,
        shutdown_grace_period=ENDING_GRACE_S,
    )


async def _encoded(events: AsyncIterator[Event]) -> AsyncIterator[ServerSentEvent]:
    try:
        async for event in events:
            yield ServerSentEvent(
                data=to_json(Event, event).decode(), id=str(event.seq), event=event.body.type, sep="\n"
            )
    finally:
        if isinstance(events, AsyncGenerator):
            await events.aclose()


async def _until(
    messages: AsyncIterator[ServerSentEvent], ending: anyio.Event, parting: Callable[[], Iterable[ServerSentEvent]]
) -> AsyncIterator[ServerSentEvent]:
    end = asyncio.ensure_future(ending.wait())
    try:
        while True:
            coming = asyncio.ensure_future(anext(messages, None))
            try:
                await asyncio.wait((coming, end), return_when=asyncio.FIRST_COMPLETED)
            finally:
                await _dropped(coming)
            message = None if coming.cancelled() else coming.result()
            if message is None:
                for last in parting() if ending.is_set() else ():
                    yield last
                return
            yield message
    finally:
        end.cancel()
        if isinstance(messages, AsyncGenerator):
            with anyio.CancelScope(shield=True):
                await messages.aclose()


async def _dropped(coming: asyncio.Future[ServerSentEvent | None]) -> None:
    """Stop waiting for a message, and return when its source has stopped too.

    The scope of a response cancels again at every await: without the shield the source would be closed while it runs.
    """
    if not coming.done():
        coming.cancel()
        with anyio.CancelScope(shield=True):
            await asyncio.wait((coming,))
