"""A container's stdio over the daemon's socket: the worker's frames, the agent's messages, and stray output.

The daemon frames the output (`u8 stream | 3 zero bytes | u32 length`); its stream 1 carries the agent's chunks.
"""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tablewright.errors import SandboxUnavailable
from tablewright.sandbox import frames
from tablewright.sandbox.worker import channels

_DAEMON = struct.Struct(">BxxxI")
_STDOUT = 1
_HEAD_END = b"\r\n\r\n"
_HEAD_BYTES = 16 * 1024
_LOG_BYTES = 8 * 1024
_ATTACH_S = 20.0

OnMessage = Callable[[dict[str, Any]], None]


class _Flow:
    """Flow control for the reader: pauses the connection when nobody reads, unless its end is awaited."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._free = False

    def free(self) -> None:
        """Read on from now, whether or not anybody takes the data."""
        self._free = True
        self.resume_reading()

    def pause_reading(self) -> None:
        if not self._free and not self._transport.is_closing():
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        if not self._transport.is_closing():
            self._transport.resume_reading()


class Attachment(asyncio.Protocol):
    """A connection to a container.

    `reader` provides the worker's bytes and ends when the worker or the connection does; `closed` is set when the
    connection ends.
    """

    def __init__(self, container: str, on_message: OnMessage) -> None:
        self._container = container
        self._on_message = on_message
        self._buffer = bytearray()
        self._chunks = bytearray()
        self._log = bytearray()
        self._flow: _Flow | None = None
        self._upgraded = False
        self.attached: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed = asyncio.Event()
        self.reader = asyncio.StreamReader(limit=frames.MAX_FRAME_BYTES)
        self.writer: asyncio.StreamWriter

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._flow = _Flow(transport)
        self.reader.set_transport(self._flow)  # type: ignore[arg-type]  # all that it needs of a transport
        self.writer = asyncio.StreamWriter(transport, self, None, asyncio.get_running_loop())
        query = "stream=1&stdin=1&stdout=1&stderr=1"
        request = f"POST /containers/{self._container}/attach?{query} HTTP/1.1\r\nHost: docker\r\n"
        transport.write(f"{request}Connection: Upgrade\r\nUpgrade: tcp\r\nContent-Length: 0\r\n\r\n".encode())

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self._settle(f"the connection ended {self.log()}".strip())
        self.reader.feed_eof()
        self.closed.set()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._upgraded and not self._answered():
            return
        while len(self._buffer) >= _DAEMON.size:
            stream, length = _DAEMON.unpack_from(self._buffer)
            end = _DAEMON.size + length
            if len(self._buffer) < end:
                return
            payload = bytes(self._buffer[_DAEMON.size : end])
            del self._buffer[:end]
            if stream == _STDOUT:
                self._chunks += payload
            else:
                self._log = (self._log + payload)[-_LOG_BYTES:]
        self._take_chunks()

    def _answered(self) -> bool:
        """Parse the daemon's answer to the request; return True once the stream has begun."""
        head, found, rest = bytes(self._buffer).partition(_HEAD_END)
        if not found:
            if len(head) > _HEAD_BYTES:
                self._settle("an answer without an end")
            return False
        if b" 101 " not in head.split(b"\r\n", 1)[0] and b" 200 " not in head.split(b"\r\n", 1)[0]:
            self._settle((head.split(b"\r\n", 1)[0] + b" " + rest).decode(errors="replace")[:300])
            return False
        self._buffer = bytearray(rest)
        self._upgraded = True
        if not self.attached.done():
            self.attached.set_result(None)
        return True

    def _settle(self, reason: str) -> None:
        if not self.attached.done():
            self.attached.set_exception(SandboxUnavailable("docker_refused", words=reason))
            self.attached.exception()

    def _take_chunks(self) -> None:
        while len(self._chunks) >= channels.HEAD.size:
            channel, length = channels.HEAD.unpack_from(self._chunks)
            if length > channels.MAX_CHUNK_BYTES:
                self.writer.close()
                return
            end = channels.HEAD.size + length
            if len(self._chunks) < end:
                return
            payload = bytes(self._chunks[channels.HEAD.size : end])
            del self._chunks[:end]
            if channel == channels.WORKER and not self.reader.at_eof():
                self.reader.feed_data(payload)
            elif channel == channels.AGENT and not self._told(payload):
                self.writer.close()
                return

    def _told(self, payload: bytes) -> bool:
        """Pass on a message. Returns False for what no agent sends: it shares its container with untrusted code."""
        try:
            message = json.loads(payload)
            self._on_message(message)
        except (ValueError, KeyError, TypeError, RecursionError):
            return False
        return True

    def ignore_readers(self) -> None:
        """Read to the end, whether or not anybody takes the data."""
        if self._flow is not None:
            self._flow.free()

    def log(self) -> str:
        """Return the end of what the agent wrote to its error stream."""
        return self._log.decode(errors="replace").strip()


async def attach(socket: Path, container: str, on_message: OnMessage) -> Attachment:
    """Attach to a container that has been created. Raises SandboxUnavailable."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(_ATTACH_S):
            _, attachment = await loop.create_unix_connection(lambda: Attachment(container, on_message), str(socket))
            try:
                await asyncio.shield(attachment.attached)
            except BaseException:
                attachment.writer.close()
                raise
    except (OSError, TimeoutError) as error:
        raise SandboxUnavailable("docker_silent", path=str(socket), words=str(error)) from error
    return attachment
