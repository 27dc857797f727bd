"""Links to conversations as used by commands: of the command's own process, and of a service at another address."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote

from tablewright.domain.scope import Scope
from tablewright.domain.share import Share, ShareState

if TYPE_CHECKING:
    from tablewright.service.shares.shares import Shares


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareLine:
    """A link in a list; `address` is told of a new one alone."""

    id: str
    conversation_id: str
    state: ShareState
    expires_at: datetime
    address: str | None = None


class ShareClient(Protocol):
    """Links to conversations of the caller. Unknown ones raise `NotFound`."""

    async def make(self, conversation_id: str, days: int | None) -> ShareLine:
        """Make a link that is open for so many days."""
        ...

    async def list(self, conversation_id: str | None) -> tuple[ShareLine, ...]:
        """List the links to a conversation, or all, newest first."""
        ...

    async def revoke(self, share_id: str) -> None:
        """Close a link for good."""
        ...


class LocalShares:
    """Implements `ShareClient` by calling the use cases; `address` is that of the service on this data folder."""

    def __init__(self, shares: Shares, scope: Scope, address: str) -> None:
        self._shares = shares
        self._scope = scope
        self._address = address

    async def make(self, conversation_id: str, days: int | None) -> ShareLine:
        made = await self._shares.make(self._scope, conversation_id, days=days)
        return _line(made.share, "open", f"{self._address}/shared/{made.token}")

    async def list(self, conversation_id: str | None) -> tuple[ShareLine, ...]:
        return tuple(_line(view.share, view.state) for view in await self._shares.list(self._scope, conversation_id))

    async def revoke(self, share_id: str) -> None:
        await self._shares.revoke(self._scope, share_id)


class RemoteShares:
    """Implements `ShareClient` over the native API; `request` sends one and returns its response's JSON."""

    def __init__(self, request: Callable[..., Awaitable[Any]], address: str) -> None:
        self._request = request
        self._address = address.rstrip("/")

    async def make(self, conversation_id: str, days: int | None) -> ShareLine:
        wanted = {} if days is None else {"days": days}
        made = await self._request("POST", f"/conversations/{_part(conversation_id)}/shares", json=wanted)
        return _read(made, f"{self._address}{made['path']}")

    async def list(self, conversation_id: str | None) -> tuple[ShareLine, ...]:
        path = "/shares" if conversation_id is None else f"/conversations/{_part(conversation_id)}/shares"
        return tuple(_read(item) for item in (await self._request("GET", path))["items"])

    async def revoke(self, share_id: str) -> None:
        await self._request("DELETE", f"/shares/{_part(share_id)}")


def _line(share: Share, state: ShareState, address: str | None = None) -> ShareLine:
    return ShareLine(
        id=share.id,
        conversation_id=share.conversation_id,
        state=state,
        expires_at=share.expires_at,
        address=address,
    )


def _read(item: Mapping[str, Any], address: str | None = None) -> ShareLine:
    return ShareLine(
        id=item["id"],
        conversation_id=item["conversation_id"],
        state=item["state"],
        expires_at=datetime.fromisoformat(item["expires_at"]),
        address=address,
    )


def _part(own_id: str) -> str:
    return quote(own_id, safe="")
