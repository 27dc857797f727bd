from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio

from tablewright.errors import SandboxUnavailable
from tablewright.sandbox.docker.attachment import Attachment
from tablewright.sandbox.worker import channels

ANSWER = b"HTTP/1.1 101 UPGRADED\r\nContent-Type: application/vnd.docker.raw-stream\r\n\r\n"


class Line(asyncio.Transport):
    """A connection that keeps what is done to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.paused = False
        self.closed = False

    def write(self, data: Any) -> None:
        self.written += bytes(data)

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False


def _said(stream: int, payload: bytes) -> bytes:
    return struct.pack(">BxxxI", stream, len(payload)) + payload


def _message(**fields: object) -> bytes:
    return channels.chunk(channels.AGENT, json.dumps(fields).encode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    attachment: Attachment
    line: Line
    messages: list[dict[str, Any]]


@pytest_asyncio.fixture
async def attached() -> AsyncIterator[Attached]:
    messages: list[dict[str, Any]] = []
    line = Line()
    attachment = Attachment("abc", messages.append)
    attachment.connection_made(line)
    yield Attached(attachment=attachment, line=line, messages=messages)
    attachment.writer.close()


@pytest.mark.parametrize("cut", [1, 2, 7, 64, 4096])
async def test_frames_messages_and_log_are_told_apart_wherever_the_bytes_are_cut(attached: Attached, cut: int) -> None:
    attachment, messages = attached.attachment, attached.messages
    chunks = channels.chunk(channels.WORKER, b"one") + _message(kind="load") + channels.chunk(channels.WORKER, b"two")
    data = ANSWER + _said(1, chunks[:5]) + _said(2, b"a warning") + _said(1, chunks[5:])
    for start in range(0, len(data), cut):
        attachment.data_received(data[start : start + cut])
    await attachment.attached
    attachment.connection_lost(None)
    assert await attachment.reader.read() == b"onetwo"
    assert messages == [{"kind": "load"}]
    assert attachment.log() == "a warning"
    assert attached.line.written.startswith(b"POST /containers/abc/attach?")


async def test_a_daemon_that_refuses_is_quoted(attached: Attached) -> None:
    attached.attachment.data_received(b'HTTP/1.1 404 Not Found\r\n\r\n{"message":"No such container"}')
    with pytest.raises(SandboxUnavailable, match=r"404 Not Found.*No such container"):
        await attached.attachment.attached


@pytest.mark.parametrize(
    "chunk",
    [
        channels.HEAD.pack(channels.WORKER, channels.MAX_CHUNK_BYTES + 1),
        channels.chunk(channels.AGENT, b"no json"),
        channels.chunk(channels.AGENT, b"[" * 50_000),
    ],
    ids=["too long", "no JSON", "too deep"],
)
async def test_what_no_agent_says_ends_the_connection(attached: Attached, chunk: bytes) -> None:
    attached.attachment.data_received(ANSWER + _said(1, chunk))
    assert attached.line.closed
    assert not attached.messages


async def test_the_connection_waits_for_a_slow_reader_until_the_end_is_wanted(attached: Attached) -> None:
    attachment = attached.attachment
    attachment.data_received(ANSWER)
    chunk = _said(1, channels.chunk(channels.WORKER, bytes(channels.MAX_CHUNK_BYTES)))
    for _ in range(600):
        attachment.data_received(chunk)
    paused = [attached.line.paused]
    attachment.ignore_readers()
    paused.append(attached.line.paused)
    attachment.data_received(chunk)
    paused.append(attached.line.paused)
    assert paused == [True, False, False]
