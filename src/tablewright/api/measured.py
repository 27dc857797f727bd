"""Counts and times the requests, by the template of their route."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from starlette.types import ASGIApp, Message, Receive, Scope, Send

if TYPE_CHECKING:
    from tablewright.metrics import Metrics

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
NO_ROUTE = "none"
PREFIX = "/api/v1"


class Measured:
    """Middleware that reports each request to the application's metrics, if it has any."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        parts = getattr(scope["app"].state, "app", None) if scope["type"] == "http" else None
        if parts is None or parts.metrics is None:
            await self._app(scope, receive, send)
            return
        metrics: Metrics = parts.metrics
        method = scope["method"] if scope["method"] in METHODS else "other"
        began = time.perf_counter()

        async def seen(message: Message) -> None:
            if message["type"] == "http.response.start":
                route = _route(scope)
                metrics.requests.labels(method, route, str(message["status"])).inc()
                metrics.request_time.labels(method, route).observe(time.perf_counter() - began)
            await send(message)

        await self._app(scope, receive, seen)


def _route(scope: Scope) -> str:
    """Return the template of the route, such as `/api/v1/runs/{run_id}`: never what a client has written."""
    template = getattr(scope.get("route"), "path", None)
    if template is None:
        return NO_ROUTE
    # the route of an included router may or may not have the router's prefix
    included = scope["path"].startswith(PREFIX) and not template.startswith(PREFIX)
    return PREFIX + template if included else str(template)
