"""Links to conversations in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from tablewright.domain.scope import Scope, SystemScope
from tablewright.domain.share import OwnedShare, Share
from tablewright.errors import NotFound
from tablewright.store.memory.rows import ConversationRow, MemoryRows, same_owner


class MemoryShares:
    """Implements `ShareStore`."""

    def __init__(self, rows: MemoryRows) -> None:
        self._rows = rows

    async def add(self, scope: Scope, share: Share) -> None:
        self._rows.conversation(scope, share.conversation_id).shares[share.id] = share

    async def all(self, scope: Scope, conversation_id: str | None = None) -> tuple[Share, ...]:
        if conversation_id is None:
            found = [share for row in self._own(scope) for share in row.shares.values()]
        else:
            found = list(self._rows.conversation(scope, conversation_id).shares.values())
        return tuple(sorted(found, key=lambda share: (share.created_at, share.id), reverse=True))

    async def revoke(self, scope: Scope, share_id: str, *, at: datetime) -> Share:
        for row in self._own(scope):
            if (known := row.shares.get(share_id)) is not None:
                row.shares[share_id] = known if known.revoked_at is not None else replace(known, revoked_at=at)
                return row.shares[share_id]
        raise NotFound(kind="share", id=share_id)

    async def find(self, scope: SystemScope, sha256: str) -> OwnedShare | None:
        for row in self._rows.conversations.values():
            for share in row.shares.values():
                if share.sha256 == sha256:
                    return OwnedShare(scope=Scope(tenant=row.scope.tenant, owner=row.scope.owner), share=share)
        return None

    async def forget(self, scope: SystemScope, *, before: datetime) -> int:
        count = 0
        for row in self._rows.conversations.values():
            gone = [share.id for share in row.shares.values() if _closed_at(share) < before]
            count += len(gone)
            for share_id in gone:
                del row.shares[share_id]
        return count

    def _own(self, scope: Scope) -> Iterator[ConversationRow]:
        return (row for row in self._rows.conversations.values() if same_owner(row.scope, scope))


def _closed_at(share: Share) -> datetime:
    return share.expires_at if share.revoked_at is None else min(share.revoked_at, share.expires_at)
