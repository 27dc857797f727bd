"""Links to conversations in SQL."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import func, or_

from tablewright.domain.scope import Scope, SystemScope
from tablewright.domain.share import OwnedShare, Share
from tablewright.errors import NotFound
from tablewright.store.rules import micros, time_of
from tablewright.store.sql import tables
from tablewright.store.sql.database import Database
from tablewright.store.sql.scoping import scoped
from tablewright.store.sql.share_tables import shares

SHARES = shares.c
CONVERSATIONS = tables.conversations.c


class SqlShares:
    """Implements `ShareStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, scope: Scope, share: Share) -> None:
        mine = scoped(shares, scope)
        async with self._database.write() as connection:
            await _require(connection, scope, share.conversation_id)
            await connection.execute(mine.insert(), mine.row(**_values(share)))

    async def all(self, scope: Scope, conversation_id: str | None = None) -> tuple[Share, ...]:
        statement = scoped(shares, scope).select().order_by(SHARES.created_at.desc(), SHARES.id.desc())
        async with self._database.read() as connection:
            if conversation_id is not None:
                await _require(connection, scope, conversation_id)
                statement = statement.where(SHARES.conversation_id == conversation_id)
            return tuple(_share(row) for row in (await connection.execute(statement)).all())

    async def revoke(self, scope: Scope, share_id: str, *, at: datetime) -> Share:
        statement = (
            scoped(shares, scope)
            .update()
            .where(SHARES.id == share_id)
            .values(revoked_at=func.coalesce(SHARES.revoked_at, micros(at)))
            .returning(shares)
        )
        async with self._database.write() as connection:
            row = (await connection.execute(statement)).one_or_none()
        if row is None:
            raise NotFound(kind="share", id=share_id)
        return _share(row)

    async def find(self, scope: SystemScope, sha256: str) -> OwnedShare | None:
        statement = scoped(shares, scope).select().where(SHARES.sha256 == sha256)
        async with self._database.read() as connection:
            row = (await connection.execute(statement)).one_or_none()
        return None if row is None else OwnedShare(scope=Scope(tenant=row.tenant, owner=row.owner), share=_share(row))

    async def forget(self, scope: SystemScope, *, before: datetime) -> int:
        old = or_(SHARES.expires_at < micros(before), SHARES.revoked_at < micros(before))
        async with self._database.write() as connection:
            return int((await connection.execute(scoped(shares, scope).delete().where(old))).rowcount)


async def _require(connection: Any, scope: Scope, conversation_id: str) -> None:
    """Raise `NotFound` unless the conversation is the caller's."""
    own = scoped(tables.conversations, scope).select(CONVERSATIONS.id).where(CONVERSATIONS.id == conversation_id)
    if (await connection.execute(own)).first() is None:
        raise NotFound(kind="conversation", id=conversation_id)


def _share(row: Any) -> Share:
    return Share(
        id=row.id,
        conversation_id=row.conversation_id,
        sha256=row.sha256,
        through=row.through,
        created_at=time_of(row.created_at),
        expires_at=time_of(row.expires_at),
        revoked_at=None if row.revoked_at is None else time_of(row.revoked_at),
    )


def _values(share: Share) -> dict[str, Any]:
    return {
        "id": share.id,
        "conversation_id": share.conversation_id,
        "sha256": share.sha256,
        "through": share.through,
        "created_at": micros(share.created_at),
        "expires_at": micros(share.expires_at),
        "revoked_at": None if share.revoked_at is None else micros(share.revoked_at),
    }
