"""Connections of clients that keep the server waiting, over real sockets."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from tablewright.api.connections import ConnectionLimits, Connections
from tablewright.api.guarded_http import guarded_http
from tablewright.cli.serve import bind

HANG_S = 60.0
LIMITS = ConnectionLimits(total=12, per_client=8, headers_s=20, idle_s=30, progress_bytes=1000)
OTHER = "127.0.0.2"


@dataclass(slots=True)
class Service:
    """A server whose time passes only when a test says so."""

    port: int = 0
    time_s: float = 0.0
    ended: threading.Event = field(default_factory=threading.Event)
    taken: int = 0
    watched: Connections = field(init=False)
    loop: asyncio.AbstractEventLoop | None = None

    def __post_init__(self) -> None:
        self.watched = Connections(LIMITS, now=lambda: self.time_s)

    def app(self) -> Starlette:
        async def quick(_request: Request) -> Response:
            return Response("well")

        async def upload(request: Request) -> Response:
            mine = 0
            with suppress(ClientDisconnect):
                async for piece in request.stream():
                    mine += len(piece)
                    self.taken += len(piece)
            return Response(str(mine))

        async def stream(_request: Request) -> Response:
            async def events() -> AsyncIterator[bytes]:
                yield b"begun"
                await asyncio.to_thread(self.ended.wait, HANG_S)
                yield b"ended"

            return StreamingResponse(events())

        async def large(_request: Request) -> Response:
            async def content() -> AsyncIterator[bytes]:
                while not self.ended.is_set():
                    yield b"x" * 2**20

            return StreamingResponse(content())

        routes = [Route("/", quick), Route("/upload", upload, methods=["POST"])]
        return Starlette(routes=[*routes, Route("/stream", stream), Route("/large", large)])

    def pass_time(self, seconds: float) -> None:
        """Let time pass, and have the connections looked at before and after."""
        self.sweep()
        self.time_s += seconds
        self.sweep()

    def sweep(self) -> None:
        assert self.loop is not None
        asyncio.run_coroutine_threadsafe(self.watched.sweep(), self.loop).result(HANG_S)

    def count(self) -> int:
        return len(self.watched)

    def connect(self, sent: bytes = b"", *, source: str = "127.0.0.1") -> socket.socket:
        opened = socket.create_connection(("127.0.0.1", self.port), timeout=HANG_S, source_address=(source, 0))
        opened.sendall(sent)
        return opened

    def ask(self, *, source: str = "127.0.0.1") -> bytes:
        with closing(self.connect(request("/"), source=source)) as opened:
            return rest(opened)


def request(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".encode()


def rest(opened: socket.socket) -> bytes:
    """Read until the server closes the connection."""
    read = b""
    try:
        while piece := opened.recv(65536):
            read += piece
    except ConnectionResetError:
        pass
    return read


def until(condition: Callable[[], bool]) -> None:
    """Wait for something that happens on the server's side."""
    waited = threading.Event()
    for _ in range(int(HANG_S / 0.01)):
        if condition():
            return
        waited.wait(0.01)
    raise AssertionError("it did not happen")


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    with running(made):
        yield made


@contextmanager
def running(made: Service) -> Iterator[None]:
    listening = bind("127.0.0.1", 0)
    made.port = listening.getsockname()[1]
    config = uvicorn.Config(made.app(), http=guarded_http(made.watched), log_config=None, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)

    async def serve() -> None:
        made.loop = asyncio.get_running_loop()
        await server.serve(sockets=[listening])

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    until(lambda: server.started)
    yield
    made.ended.set()
    server.should_exit = True
    thread.join(timeout=HANG_S)
    assert not thread.is_alive()


@pytest.mark.requirement("slow-clients-keep-nobody-out")
@pytest.mark.parametrize(
    "half", [b"", b"GET / HTTP/1.1\r\nhost:", b"POST /upload HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n"]
)
def test_half_open_requests_make_room_for_others_from_the_same_address_and_from_another(
    service: Service, half: bytes
) -> None:
    held = [service.connect(half) for _ in range(40)]
    until(lambda: service.count() == LIMITS.per_client)
    assert service.ask().endswith(b"well")
    assert service.ask(source=OTHER).endswith(b"well")
    assert service.count() <= LIMITS.per_client + 1
    for opened in held:
        opened.close()
    until(lambda: service.count() == 0)


def streams(service: Service, count: int, source: str) -> list[socket.socket]:
    held = [service.connect(request("/stream"), source=source) for _ in range(count)]
    for opened in held:
        read = b""
        while b"begun" not in read:
            read += opened.recv(1000)
    return held


def test_a_client_all_of_whose_connections_are_in_use_is_told_and_others_are_served(service: Service) -> None:
    held = streams(service, LIMITS.per_client, "127.0.0.1")
    refused = service.ask()
    assert refused.startswith(b"HTTP/1.1 429 ")
    assert json.loads(refused.partition(b"\r\n\r\n")[2])["error"]["code"] == "too_many_connections"
    assert service.ask(source=OTHER).endswith(b"well")
    held += streams(service, LIMITS.total - LIMITS.per_client, OTHER)
    refused = service.ask(source="127.0.0.3")
    assert refused.startswith(b"HTTP/1.1 503 ")
    assert json.loads(refused.partition(b"\r\n\r\n")[2])["error"]["code"] == "busy"
    held.pop().close()
    until(lambda: service.count() < LIMITS.total)
    assert service.ask(source="127.0.0.3").endswith(b"well")
    for opened in held:
        opened.close()


def test_headers_that_do_not_come_to_an_end_are_given_up(service: Service) -> None:
    with closing(service.connect(b"GET / HTTP/1.1\r\n")) as slow, closing(service.connect()) as silent:
        until(lambda: service.count() == 2)
        service.pass_time(LIMITS.headers_s)
        assert service.count() == 2
        slow.sendall(b"x-more: 1\r\n")
        service.pass_time(1)
        assert rest(slow).startswith(b"HTTP/1.1 408 ")
        assert rest(silent) == b""
        assert service.count() == 0


def test_a_body_that_stands_still_is_given_up_and_one_that_comes_slowly_is_taken(service: Service) -> None:
    head = b"POST /upload HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 9000\r\n\r\n"
    with closing(service.connect(head)) as steady, closing(service.connect(head)) as still:
        until(lambda: service.count() == 2)
        service.sweep()
        for number in range(8):
            steady.sendall(b"y" * 1000)
            if service.count() == 2:
                still.sendall(b"z")
            until(lambda number=number: service.taken >= 1000 * (number + 1))  # type: ignore[misc]
            service.pass_time(LIMITS.idle_s / 2 + 1)
        assert rest(still).startswith(b"HTTP/1.1 408 ")
        steady.sendall(b"y" * 1000)
        assert rest(steady).endswith(b"9000")


def test_a_stream_may_be_silent_for_hours(service: Service) -> None:
    (stream,) = streams(service, 1, "127.0.0.1")
    for _ in range(5):
        service.pass_time(3600)
    service.ended.set()
    assert b"ended" in rest(stream)
    stream.close()


def test_an_answer_that_nobody_takes_is_given_up(service: Service) -> None:
    with closing(service.connect(request("/large"))):
        until(lambda: service.count() == 1)
        for _ in range(1000):
            service.pass_time(LIMITS.idle_s + 1)
            if service.count() == 0:
                return
        raise AssertionError("it is still open")


def test_a_connection_that_asks_again_and_again_is_kept(service: Service) -> None:
    again = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"
    with closing(service.connect()) as opened:
        for _ in range(4):
            opened.sendall(again)
            read = b""
            while not read.endswith(b"well"):
                read += opened.recv(1000)
            service.pass_time(LIMITS.headers_s / 2 + 1)
        assert service.count() == 1
