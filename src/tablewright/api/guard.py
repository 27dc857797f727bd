"""The guard in front of every route: checks address, form, key and body size, and sets headers on every response."""

from __future__ import annotations

from contextlib import nullcontext, suppress

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablewright.api.access import CHANGES, Access
from tablewright.api.errors import BODIES, BODY_BYTES, respond
from tablewright.api.genie import paths as genie
from tablewright.api.genie_tools import paths as genie_tools
from tablewright.api.languages import language_of_request
from tablewright.api.shares import paths as shares
from tablewright.domain.scope import acting_for
from tablewright.errors import TablewrightError, Unauthorized

OPENAI = "/v1/"
API = ("/api/", "/workflow/cancel/", OPENAI, *genie.WITH_KEY)
"""What paths begin with that need a key; the second is the same as one of the API."""
WITH_KEY = frozenset({"/agui", "/mcp", "/sse", "/messages/", "/metrics"})
"""Paths outside the API that need a key where the API does."""
SIGN_IN = "/api/v1/session"
UPLOADS = frozenset({"/api/v1/files", "/v1/files", genie_tools.UPLOAD_DATA})
FRAMES = "/frames/"
"""Where the parts of the frames are that draw charts: without an origin, and nothing in them is anybody's."""
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    """Middleware that admits what `Access` allows and answers anything else with an error."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        send = _with_headers(send)
        connection = HTTPConnection(scope)
        uploads = scope["path"] in UPLOADS
        try:
            self._admit(connection, scope, uploads=uploads)
        except TablewrightError as error:
            await respond(error, language_of_request(connection))(scope, receive, send)
            return
        most = BODIES.get(scope["path"], BODY_BYTES)
        caller = scope.get("tablewright.scope")
        with nullcontext() if caller is None else acting_for(caller):
            await self._app(scope, receive if uploads else _bounded(receive, most), send)

    def _admit(self, connection: HTTPConnection, scope: Scope, *, uploads: bool) -> None:
        if scope["path"].startswith(genie_tools.OPEN):
            self._admit_to_files(connection, scope)
            return
        frames = scope["method"] in {"GET", "HEAD"} and scope["path"].startswith(FRAMES)
        self._access.check_address(connection, foreign_pages=scope["path"].startswith(genie.ALL), no_origin=frames)
        if scope["method"] in CHANGES:
            self._access.check_form(connection, uploads=uploads)
        if _needs_key(scope):
            scope["tablewright.scope"] = self._access.scope(connection, foreign_keys=scope["path"].startswith(OPENAI))

    def _admit_to_files(self, connection: HTTPConnection, scope: Scope) -> None:
        """Admit to files whose address is the permission: any page may ask, but none as the caller."""
        self._access.check_host(connection)
        if "origin" not in connection.headers:
            with suppress(Unauthorized):
                scope["tablewright.scope"] = self._access.scope(connection, foreign_keys=True)


def _needs_key(scope: Scope) -> bool:
    """Return whether somebody has to say who they are. To read what is shared, knowing its link is enough."""
    path = scope["path"]
    if path == SIGN_IN or (scope["method"] == "GET" and path.startswith(shares.READ)):
        return False
    return bool(path.startswith(API) or path in WITH_KEY)


def _bounded(receive: Receive, most: int) -> Receive:
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise HTTPException(413)
        return message

    return counted


def _with_headers(send: Send) -> Send:
    async def completed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return completed
