"""Access control: which addresses, pages and keys are accepted."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from tablewright.domain.scope import Scope
from tablewright.errors import Forbidden, InvalidInput, Unauthorized

COOKIE = "tw_session"
OURS = "tw_"
"""What our keys begin with."""
LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "[::1]"})
CHANGES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
KeyReader = Callable[[str], Scope | None]


def is_loopback(host: str) -> bool:
    """Return whether a server listening on `host` is reachable from this machine only."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


class Sessions:
    """Sessions of signed-in pages: random tokens for keys, kept in memory.

    They end with the process or with the key.
    """

    def __init__(self) -> None:
        self._keys: dict[str, str] = {}

    def open(self, key: str) -> str:
        """Return a new token for `key`."""
        token = secrets.token_urlsafe(32)
        self._keys[token] = key
        return token

    def key(self, token: str) -> str | None:
        """Return the key that `token` stands for, or None."""
        return self._keys.get(token)

    def close(self, token: str) -> None:
        """Forget `token`."""
        self._keys.pop(token, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """The access rules of one listening address.

    On loopback (`keyless`) no key is needed and only this machine's names are accepted as Host. Elsewhere a key or the
    page's cookie is required, and any Host is accepted unless `hosts` restricts it. Pages of other `origins` may use
    the wire of Genie, and nothing else.
    """

    keyless: bool
    read_key: KeyReader
    hosts: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    sessions: Sessions = field(default_factory=Sessions)

    def check_address(
        self, connection: HTTPConnection, *, foreign_pages: bool = False, no_origin: bool = False
    ) -> None:
        """Raise `Forbidden` for a foreign Host or Origin: the request may come from another site's page. With
        `foreign_pages`, those of `origins` are accepted; with `no_origin`, that of a sandboxed frame, which is none."""
        host = connection.headers.get("host", "")
        name = host_name(host)
        allowed: Iterable[str] = self.hosts | LOOPBACK_NAMES if self.keyless or self.hosts else ()
        if not name or (allowed and name not in allowed):
            raise Forbidden("host_not_ours", field="Host", host=host[:100])
        origin = connection.headers.get("origin")
        if origin is None or (foreign_pages and origin in self.origins) or (no_origin and origin == "null"):
            return
        if not _same(origin, connection.scope["scheme"], host):
            raise Forbidden("origin_not_ours", field="Origin", origin=origin[:100])

    def check_form(self, connection: HTTPConnection, *, uploads: bool) -> None:
        """Raise `InvalidInput` unless a change comes as JSON (or a file as a multipart form): another site's form
        cannot send JSON without permission."""
        headers = connection.headers
        if headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers:
            return
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "application/json" or (uploads and kind == "multipart/form-data"):
            return
        raise InvalidInput("body_not_json", field="Content-Type")

    def scope(self, connection: HTTPConnection, *, foreign_keys: bool = False) -> Scope:
        """Return the scope a request acts in. Raises `Unauthorized` if a key is needed and missing or unknown.

        With `foreign_keys`, where no key is needed one that cannot be ours is as none: there are clients that cannot
        but send one.
        """
        key = _bearer(connection.headers.get("authorization", ""))
        if foreign_keys and self.keyless and key is not None and not key.startswith(OURS):
            key = None
        if key is None and (token := session_token(connection)) is not None:
            key = self.sessions.key(token)
        if key is not None:
            found = self.read_key(key)
            if found is None:
                raise Unauthorized
            return found
        if self.keyless:
            return Scope(operator=True)
        raise Unauthorized


def host_name(host: str) -> str:
    """Return the name in a Host header, without the port, in lower case."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower()


def session_token(connection: HTTPConnection) -> str | None:
    """Return the page's session token if the request carries one, otherwise None."""
    try:
        morsel = SimpleCookie(connection.headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    return None if morsel is None else morsel.value


def _same(origin: str, scheme: str, host: str) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    # behind a TLS-terminating proxy the page's origin is https while the request here is http
    return parts.netloc.lower() == host.lower() and parts.scheme in {scheme, "https"}


def _bearer(header: str) -> str | None:
    kind, _, key = header.partition(" ")
    return key.strip() if kind.lower() == "bearer" and key.strip() else None
