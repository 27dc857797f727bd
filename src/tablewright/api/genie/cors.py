"""Lets pages of other origins use Genie's wire: those that are configured, and no other."""

from __future__ import annotations

from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablewright.api.genie.paths import ALL

ALLOWED = {
    "access-control-allow-methods": "GET, POST, OPTIONS",
    "access-control-allow-headers": "content-type, cache-control, last-event-id",
    "access-control-max-age": "600",
}


class GenieCors:
    """Middleware before the guard. The origin is said as it came: with credentials, browsers take no `*`."""

    def __init__(self, app: ASGIApp, origins: Collection[str]) -> None:
        self._app = app
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        origin = Headers(scope=scope).get("origin") if scope["type"] == "http" else None
        if origin is None or origin not in self._origins or not scope["path"].startswith(ALL):
            await self._app(scope, receive, send)
            return

        async def allowed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["access-control-allow-origin"] = origin
                headers["access-control-allow-credentials"] = "true"
                headers["cross-origin-resource-policy"] = "cross-origin"
                headers.add_vary_header("origin")
            await send(message)

        if scope["method"] == "OPTIONS":
            await Response(status_code=204, headers=ALLOWED)(scope, receive, allowed)
        else:
            await self._app(scope, receive, allowed)
