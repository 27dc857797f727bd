"""Streams of events over HTTP: how they end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from sse_starlette import ServerSentEvent
from starlette.types import Message

from tablewright.api.sse import last_seen, send
from tablewright.errors import InvalidInput
from tablewright.texts.errors import describe

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


@pytest.mark.parametrize("header", ["soon", "-1", "1.5", "9" * 19])
def test_a_place_that_is_no_seq_is_refused_in_the_readers_language(header: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        last_seen(header, None)
    assert refused.value.field == "Last-Event-ID"
    assert "应为事件的序号" in describe(refused.value, "zh")
    assert "must be the seq of an event" in describe(refused.value, "en")
