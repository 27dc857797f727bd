"""Combines the API, the page and the MCP tools into one ASGI application."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from starlette.requests import HTTPConnection
from starlette.routing import Route
from starlette.types import ASGIApp

from tablewright.api.access import Access, is_loopback
from tablewright.api.app import create_api
from tablewright.api.languages import language_of_request
from tablewright.errors import KeyRequired
from tablewright.mcp_server.lazy import HttpOptions, LazyFaces
from tablewright.service.api_keys import ApiKeys
from tablewright.service.app import App


def access_for(host: str, keys: ApiKeys, allowed_hosts: tuple[str, ...], origins: tuple[str, ...] = ()) -> Access:
    """Return the access rules for listening on `host`.

    Raises `KeyRequired` for an address off loopback when there is no key.
    """
    keyless = is_loopback(host)
    if not keyless and not keys.all():
        raise KeyRequired(host=host)
    return Access(
        keyless=keyless,
        read_key=keys.scope_of,
        hosts=frozenset(name.lower() for name in allowed_hosts),
        origins=frozenset(origins),
    )


def application(
    opening: AbstractAsyncContextManager[App], access: Access, *, sse: bool = False, stateless: bool = False
) -> ASGIApp:
    """Return the application; `opening` is entered when the server starts and left when it stops.

    The tools are served at `/mcp`, and with `sse` also at `/sse` and `/messages`. Their exact paths are matched before
    the page's, behind the same guard as all other routes.
    """
    hosts = tuple(access.hosts) if access.keyless or access.hosts else None
    options = HttpOptions(sse=sse, stateless=stateless, hosts=hosts)
    faces = LazyFaces(options, lambda scope: language_of_request(HTTPConnection(scope)))
    api = create_api(faces.opened(opening), access)
    api.router.routes[:0] = [Route(path, endpoint=app) for path, app in faces.routes.items()]
    return api
