"""The guard in front of every route."""

from __future__ import annotations

from starlette.types import Receive, Send
from starlette.types import Scope as Connection

from tablewright.api.access import Access
from tablewright.api.guard import Guard
from tablewright.domain.scope import Scope, acting_scope

KNOWN = {"tw_anna": Scope(owner="anna")}


async def acting(path: str, **headers: str) -> list[Scope | None]:
    """Return on whose behalf a request is handled."""
    found: list[Scope | None] = []

    async def app(connection: Connection, receive: Receive, send: Send) -> None:
        found.append(acting_scope())

    async def nothing(*_: object) -> dict[str, object]:
        return {"type": "http.disconnect"}

    raw = [(name.encode(), value.encode()) for name, value in {"host": "localhost", **headers}.items()]
    connection = {"type": "http", "method": "GET", "scheme": "http", "path": path, "headers": raw}
    guard = Guard(app, Access(keyless=False, read_key=KNOWN.get))
    await guard(connection, nothing, nothing)  # type: ignore[arg-type]  # a plain message
    return found


async def test_a_request_is_handled_on_behalf_of_the_owner_of_its_key() -> None:
    assert await acting("/api/v1/files", authorization="Bearer tw_anna") == [Scope(owner="anna")]
    assert acting_scope() is None


async def test_a_request_that_needs_no_key_is_handled_on_behalf_of_nobody() -> None:
    assert await acting("/") == [None]


async def test_a_request_without_a_known_key_is_not_handled() -> None:
    assert await acting("/api/v1/files", authorization="Bearer tw_other") == []
