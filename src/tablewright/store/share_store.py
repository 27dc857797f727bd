"""The port to links by which conversations are read."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from tablewright.domain.scope import Scope, SystemScope
from tablewright.domain.share import OwnedShare, Share


class ShareStore(Protocol):
    """The links to one owner's conversations; they are removed with their conversation."""

    async def add(self, scope: Scope, share: Share) -> None:
        """Store a link to a conversation of the caller; another's is `NotFound`."""
        ...

    async def all(self, scope: Scope, conversation_id: str | None = None) -> tuple[Share, ...]:
        """Return the links to a conversation of the caller, or to all of them, newest first.

        Raises `NotFound` for a conversation of another.
        """
        ...

    async def revoke(self, scope: Scope, share_id: str, *, at: datetime) -> Share:
        """Close a link to a conversation of the caller for good, or raise `NotFound`; the first time counts."""
        ...

    async def find(self, scope: SystemScope, sha256: str) -> OwnedShare | None:
        """Return the link whose secret has this hash, whether it is open or not, or None."""
        ...

    async def forget(self, scope: SystemScope, *, before: datetime) -> int:
        """Remove links that expired or were revoked before a time; return how many."""
        ...
