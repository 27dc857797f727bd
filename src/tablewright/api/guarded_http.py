"""HTTP over connections that are counted and watched. uvicorn has neither limits per client nor times for requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from typing import Any, cast

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from tablewright.api.connections import Connections, Wait
from tablewright.api.schemas.native import ErrorBody, Fault
from tablewright.errors import Busy
from tablewright.texts.errors import error_text

TOO_MANY = {
    "client": (HTTPStatus.TOO_MANY_REQUESTS, "too_many_connections"),
    "all": (HTTPStatus.SERVICE_UNAVAILABLE, Busy.code),
}
IPV6_SITE = 64
"""One client may use any address of such a network."""


class GuardedHttp(H11Protocol):
    """A connection that `Connections` has admitted, or refuses with an answer."""

    def __init__(
        self,
        watched: Connections,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._watched = watched
        self._received = 0
        self._requests = 0
        self._began = False
        self.heard_at = watched.now()

    @property
    def address(self) -> str:
        return client_address(self.client[0] if self.client else "")

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast(asyncio.Transport, transport))
        refused = self._watched.admit(self)
        if refused is not None:
            self._answer(*TOO_MANY[refused])

    def connection_lost(self, exc: Exception | None) -> None:
        self._watched.forget(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        self.heard_at = self._watched.now()
        self._received += len(data)
        self._began = True
        super().data_received(data)

    def on_response_complete(self) -> None:
        self._requests += 1
        self._began = False
        super().on_response_complete()

    def waits_for(self) -> Wait | None:
        if self.flow.write_paused:
            return "reader"
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or cycle.response_complete:
            return "headers"
        if cycle.more_body and not cycle.waiting_for_100_continue and not self.flow.read_paused:
            return "body"
        return None

    def measure(self, wait: Wait) -> int:
        match wait:
            case "headers":
                return self._requests
            case "body":
                return self._received
            case "reader":
                return self.transport.get_write_buffer_size()

    def end(self, wait: Wait) -> None:
        answered = wait == "headers" or not self.cycle.response_started
        if wait != "reader" and self._began and answered:
            self._answer(HTTPStatus.REQUEST_TIMEOUT, "request_slow")
        self.transport.abort() if wait == "reader" else self.transport.close()

    def _answer(self, status: HTTPStatus, code: str) -> None:
        """Answer in place of the application, and close. No language is known yet."""
        fault = ErrorBody(error=Fault(code=code, message=error_text(code, "en", {"what": "connections"})))
        body = fault.model_dump_json(exclude_none=True).encode()
        head = (
            f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nretry-after: 2\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()


def guarded_http(watched: Connections) -> type[asyncio.Protocol]:
    """Return what the server makes connections with."""

    def make(**given: Any) -> GuardedHttp:
        return GuardedHttp(watched, **given)

    return cast(type[asyncio.Protocol], cast(Callable[..., Any], make))


def client_address(address: str) -> str:
    """Return what identifies a client: its address, of IPv6 only the part that is not its own to choose."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    mapped = getattr(found, "ipv4_mapped", None)
    if mapped is not None:
        return str(mapped)
    return str(found) if found.version == 4 else str(ip_network((found, IPV6_SITE), strict=False))
