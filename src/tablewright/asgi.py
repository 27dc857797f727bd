"""The faces as one application."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from starlette.types import ASGIApp

from tablewright.api.access import Access, is_loopback
from tablewright.api.app import create_api
from tablewright.bootstrap.app import App
from tablewright.bootstrap.keys import Keys
from tablewright.errors import KeyRequired


def access_for(host: str, keys: Keys, allowed_hosts: tuple[str, ...]) -> Access:
    """Return the rules for listening on `host`; off loopback without any key there are none: `KeyRequired`."""
    keyless = is_loopback(host)
    if not keyless and not keys.all():
        raise KeyRequired(host=host)
    return Access(keyless=keyless, read_key=keys.scope_of, hosts=frozenset(name.lower() for name in allowed_hosts))


def application(opening: AbstractAsyncContextManager[App], access: Access) -> ASGIApp:
    """Make the application; `opening` is entered when the server starts and left when it ends."""
    return create_api(opening, access)
