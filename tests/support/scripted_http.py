"""A real HTTP/1.1 server on loopback that sends what a test tells it, piece by piece, and sees how its client
leaves."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from tests.support.patience import PATIENCE_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """Send nothing more until `until` is set."""

    until: asyncio.Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Hang:
    """Send nothing more, ever; ends when the client leaves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Break the connection here. `clean`: end the body as if it were complete."""

    clean: bool = False


Step = bytes | Hold | Hang | Cut


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What to answer. Bytes are sent as chunks of one body, each at once."""

    steps: tuple[Step, ...]
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "text/event-stream"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A request as it came. `left` is set when the client closes the connection before the answer's end."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    left: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def json_response(body: object, *, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """An answer that is one JSON document."""
    return Response(
        steps=(json.dumps(body).encode(),),
        status=status,
        headers={"content-type": "application/json", **(headers or {})},
    )


class ScriptedServer:
    """Answers each request with the next response of its queue, or with the fixed one of the request's path."""

    def __init__(self, *, routes: dict[str, Response] | None = None) -> None:
        self.requests: list[Received] = []
        self.routes = routes or {}
        self.otherwise: Callable[[Received], Response] = lambda _: _nothing()
        """What a request gets once the queue is empty."""
        self._queue: list[Response] = []
        self._arrived = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await asyncio.wait_for(self._server.wait_closed(), PATIENCE_S)

    @property
    def url(self) -> str:
        assert self._server is not None
        host, port = self._server.sockets[0].getsockname()
        return f"http://{host}:{port}"

    def respond(self, *responses: Response) -> None:
        """Queue what the next requests get."""
        self._queue.extend(responses)

    @property
    def waiting(self) -> int:
        """The number of responses that nobody has asked for yet."""
        return len(self._queue)

    async def arrived(self, number: int = 1) -> Received:
        """Wait for the request of this number."""
        async with asyncio.timeout(PATIENCE_S):
            while len(self.requests) < number:
                self._arrived.clear()
                await self._arrived.wait()
        return self.requests[number - 1]

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = asyncio.create_task(self._serve(reader, writer))
        self._connections.add(connection)
        connection.add_done_callback(self._connections.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            request = await _read(reader)
            self.requests.append(request)
            self._arrived.set()
            response = self.routes.get(request.path) or (self._queue.pop(0) if self._queue else self.otherwise(request))
            await self._answer(response, request, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def _answer(
        self, response: Response, request: Received, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        leaving = asyncio.create_task(_leaves(reader, request))
        sending = asyncio.create_task(_send(response, writer))
        await asyncio.wait({leaving, sending}, return_when=asyncio.FIRST_COMPLETED)
        for task in (leaving, sending):
            task.cancel()
        for outcome in await asyncio.gather(leaving, sending, return_exceptions=True):
            if isinstance(outcome, Exception) and not isinstance(outcome, ConnectionError):
                raise outcome


def _nothing() -> Response:
    return json_response({"error": {"message": "nothing is scripted for this request"}}, status=501)


async def _read(reader: asyncio.StreamReader) -> Received:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, path, _ = head[0].split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Received(method=method, path=path, headers=headers, body=body)


async def _leaves(reader: asyncio.StreamReader, request: Received) -> None:
    with contextlib.suppress(ConnectionError):
        while await reader.read(1024):
            pass
    request.left.set()


async def _send(response: Response, writer: asyncio.StreamWriter) -> None:
    headers = {**response.headers, "transfer-encoding": "chunked", "connection": "close"}
    lines = [f"HTTP/1.1 {response.status} Scripted", *(f"{name}: {value}" for name, value in headers.items())]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    await writer.drain()
    if await _send_steps(response.steps, writer):
        writer.write(b"0\r\n\r\n")
        await writer.drain()


async def _send_steps(steps: Sequence[Step], writer: asyncio.StreamWriter) -> bool:
    """Send `steps`; False where the connection was broken on purpose."""
    for step in steps:
        if isinstance(step, bytes):
            writer.write(f"{len(step):x}\r\n".encode() + step + b"\r\n")
            await writer.drain()
        elif isinstance(step, Hold):
            await step.until.wait()
        elif isinstance(step, Hang):
            await asyncio.Event().wait()
        elif step.clean:
            return True
        else:
            writer.transport.abort()
            return False
    return True
