"""Streams of events over HTTP: how they end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from sse_starlette import ServerSentEvent
from starlette.types import Message

from tablewright.api.sse import send

TURNS = 5
"""Turns of the loop that the end of a source takes, as closing a subscription does."""


async def test_a_watcher_who_leaves_ends_the_stream_and_its_source_without_an_error() -> None:
    sent, ended = asyncio.Event(), asyncio.Event()

    async def messages() -> AsyncIterator[ServerSentEvent]:
        try:
            yield ServerSentEvent(data="first")
            await asyncio.Event().wait()
        finally:
            for _ in range(TURNS):
                await asyncio.sleep(0)
            ended.set()

    async def receive() -> Message:
        await sent.wait()
        return {"type": "http.disconnect"}

    async def take(message: Message) -> None:
        if b"first" in message.get("body", b""):
            sent.set()

    await send(messages())({"type": "http", "method": "GET", "headers": []}, receive, take)
    assert ended.is_set()
