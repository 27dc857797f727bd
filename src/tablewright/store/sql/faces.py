"""Messages of faces in SQL."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement

from tablewright.domain.codec import from_json
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import NotFound
from tablewright.store.codec import encode
from tablewright.store.rules import micros
from tablewright.store.sql import tables
from tablewright.store.sql.database import Database
from tablewright.store.sql.scoping import scoped
from tablewright.store.workbook_store import FaceMessage, OwnedMessage

MESSAGES = tables.face_messages.c


class SqlFaces:
    """Implements `FaceStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, scope: Scope, message: FaceMessage) -> None:
        mine = scoped(tables.face_messages, scope)
        same = (MESSAGES.face == message.face) & (MESSAGES.id == message.id)
        async with self._database.write() as connection:
            await connection.execute(mine.delete().where(same))
            await connection.execute(mine.insert(), mine.row(**_values(message)))

    async def get(self, scope: Scope, face: str, message_id: str) -> FaceMessage:
        found = await self._newest(scope, face, MESSAGES.message_id == message_id, limit=1)
        if not found:
            raise NotFound(kind="message", id=message_id)
        return found[0]

    async def latest(self, scope: Scope, face: str, channel_id: str, *, limit: int = 1) -> tuple[FaceMessage, ...]:
        return await self._newest(scope, face, MESSAGES.channel_id == channel_id, limit=limit)

    async def remove(self, scope: Scope, face: str, own_id: str) -> None:
        statement = scoped(tables.face_messages, scope).delete().where(MESSAGES.face == face, MESSAGES.id == own_id)
        async with self._database.write() as connection:
            await connection.execute(statement)

    async def before(
        self, scope: SystemScope, face: str, at: datetime, *, limit: int = 100
    ) -> tuple[OwnedMessage, ...]:
        statement = (
            scoped(tables.face_messages, scope)
            .select(MESSAGES.tenant, MESSAGES.owner, MESSAGES.body)
            .where(MESSAGES.face == face, MESSAGES.created_at < micros(at))
            .order_by(MESSAGES.created_at, MESSAGES.id)
            .limit(limit)
        )
        async with self._database.read() as connection:
            rows = (await connection.execute(statement)).all()
        return tuple(
            OwnedMessage(scope=Scope(tenant=row.tenant, owner=row.owner), message=from_json(FaceMessage, row.body))
            for row in rows
        )

    async def _newest(
        self, scope: Scope, face: str, wanted: ColumnElement[bool], *, limit: int
    ) -> tuple[FaceMessage, ...]:
        statement = (
            scoped(tables.face_messages, scope)
            .select(MESSAGES.body)
            .where(MESSAGES.face == face, wanted)
            .order_by(MESSAGES.created_at.desc(), MESSAGES.id.desc())
            .limit(limit)
        )
        async with self._database.read() as connection:
            kept = (await connection.execute(statement)).scalars().all()
        return tuple(from_json(FaceMessage, body) for body in kept)


def _values(message: FaceMessage) -> dict[str, Any]:
    return {
        "face": message.face,
        "id": message.id,
        "message_id": message.message_id,
        "channel_id": message.channel_id,
        "created_at": micros(message.created_at),
        "body": encode(FaceMessage, message),
    }
