"""Conversations in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any

from sqlalchemy import Select, or_, select, tuple_
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from tablewright.domain.conversation import Conversation, ConversationMessage, ConversationState
from tablewright.domain.page import Page
from tablewright.domain.scope import Scope
from tablewright.errors import Conflict, NotFound
from tablewright.store.cursors import bounded, page_of, read_cursor
from tablewright.store.rules import micros
from tablewright.store.sql import tables
from tablewright.store.sql.database import Database
from tablewright.store.sql.files import LOG_OF, require_conversation
from tablewright.store.sql.rows import conversation_of, conversation_values, message_of, state_of, state_values
from tablewright.store.sql.scoping import scoped

CONVERSATIONS = tables.conversations.c
KEYS = tables.conversation_keys.c
MESSAGES = tables.messages.c
REFS = tables.blob_refs.c
RUNS = tables.runs.c
STATE = (CONVERSATIONS.workflow_state, CONVERSATIONS.current_workflow_uuid, CONVERSATIONS.current_runtime_uuid)


class SqlConversations:
    """Implements `ConversationStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, scope: Scope, conversation: Conversation) -> None:
        mine = scoped(tables.conversations, scope)
        row = mine.row(**conversation_values(conversation))
        await self._database.write_at_once(lambda connection: connection.execute(mine.insert(), row))

    async def get(self, scope: Scope, conversation_id: str) -> Conversation:
        statement = scoped(tables.conversations, scope).select().where(CONVERSATIONS.id == conversation_id)
        return _found(next(iter(await self._database.rows(statement)), None), conversation_id)

    async def find(
        self, scope: Scope, *, query: str = "", limit: int = 50, cursor: str | None = None
    ) -> Page[Conversation]:
        statement = scoped(tables.conversations, scope).select()
        if query:
            said = select(MESSAGES.conversation_id).where(
                scoped(tables.messages, scope).mine, MESSAGES.text.icontains(query, autoescape=True)
            )
            titled = CONVERSATIONS.title.icontains(query, autoescape=True)
            statement = statement.where(or_(titled, CONVERSATIONS.id.in_(said)))
        place = tuple_(CONVERSATIONS.updated_at, CONVERSATIONS.id)
        if cursor is not None:
            statement = statement.where(place < tuple_(*read_cursor(cursor, int, str)))
        statement = statement.order_by(CONVERSATIONS.updated_at.desc(), CONVERSATIONS.id.desc())
        rows = await self._database.rows(statement.limit(bounded(limit) + 1))
        return page_of([conversation_of(row) for row in rows], bounded(limit), _activity)

    async def state(self, scope: Scope, conversation_id: str) -> ConversationState:
        statement = scoped(tables.conversations, scope).select(*STATE).where(CONVERSATIONS.id == conversation_id)
        row = next(iter(await self._database.rows(statement)), None)
        if row is None:
            raise NotFound(kind="conversation", id=conversation_id)
        return state_of(row)

    async def set_state(
        self, scope: Scope, conversation_id: str, state: ConversationState, *, instead_of: ConversationState
    ) -> bool:
        mine = scoped(tables.conversations, scope).update().where(CONVERSATIONS.id == conversation_id)
        for name, value in state_values(instead_of).items():
            mine = mine.where(CONVERSATIONS[name].is_not_distinct_from(value))
        async with self._database.write() as connection:
            changed = (await connection.execute(mine.values(**state_values(state)))).rowcount
        if not changed:
            await self.get(scope, conversation_id)
        return bool(changed)

    async def rename(self, scope: Scope, conversation_id: str, title: str, *, at: datetime) -> Conversation:
        statement = (
            scoped(tables.conversations, scope)
            .update()
            .where(CONVERSATIONS.id == conversation_id)
            .values(title=title, updated_at=micros(at))
            .returning(tables.conversations)
        )
        async with self._database.write() as connection:
            return _found((await connection.execute(statement)).one_or_none(), conversation_id)

    async def remove(self, scope: Scope, conversation_id: str) -> tuple[str, ...]:
        statement = scoped(tables.conversations, scope).delete().where(CONVERSATIONS.id == conversation_id)
        runs = scoped(tables.runs, scope).select(RUNS.id).where(RUNS.conversation_id == conversation_id)
        logs = (REFS.owner_kind == LOG_OF) & REFS.owner_id.in_(runs)
        async with self._database.write() as connection:  # dependent rows are deleted through their foreign keys
            dropped = scoped(tables.blob_refs, scope).delete().where(logs).returning(REFS.sha256)
            hashes = tuple((await connection.execute(dropped)).scalars().all())
            if not (await connection.execute(statement)).rowcount:
                raise NotFound(kind="conversation", id=conversation_id)
            return hashes

    async def keyed(self, scope: Scope, face: str, key: str) -> Conversation | None:
        statement = (
            scoped(tables.conversations, scope)
            .select()
            .join(tables.conversation_keys, KEYS.conversation_id == CONVERSATIONS.id)
            .where(scoped(tables.conversation_keys, scope).mine, KEYS.face == face, KEYS.key == key)
        )
        row = next(iter(await self._database.rows(statement)), None)
        return None if row is None else conversation_of(row)

    async def add_keyed(self, scope: Scope, face: str, key: str, conversation: Conversation) -> Conversation:
        mine, keys = scoped(tables.conversations, scope), scoped(tables.conversation_keys, scope)
        for _ in range(2):
            if (known := await self.keyed(scope, face, key)) is not None:
                return known
            with suppress(IntegrityError):  # the client's other request was faster; its conversation is found now
                async with self._database.write() as connection:
                    await connection.execute(mine.insert(), mine.row(**conversation_values(conversation)))
                    named = keys.row(face=face, key=key, conversation_id=conversation.id)
                    await connection.execute(keys.insert(), named)
                return conversation
        raise Conflict("conversation_key_contended")

    async def messages(
        self, scope: Scope, conversation_id: str, *, limit: int = 100, cursor: str | None = None
    ) -> Page[ConversationMessage]:
        statement = scoped(tables.messages, scope).select().where(MESSAGES.conversation_id == conversation_id)
        if cursor is not None:
            (after,) = read_cursor(cursor, int)
            statement = statement.where(MESSAGES.ordinal > after)
        statement = statement.order_by(MESSAGES.ordinal).limit(bounded(limit) + 1)
        rows = await self._rows_of(scope, conversation_id, statement)
        return page_of([message_of(row) for row in rows], bounded(limit), lambda message: (message.ordinal,))

    async def latest_messages(self, scope: Scope, conversation_id: str, limit: int) -> tuple[ConversationMessage, ...]:
        statement = (
            scoped(tables.messages, scope)
            .select()
            .where(MESSAGES.conversation_id == conversation_id)
            .order_by(MESSAGES.ordinal.desc())
            .limit(limit)
        )
        rows = await self._rows_of(scope, conversation_id, statement)
        return tuple(message_of(row) for row in reversed(rows))

    async def questions(self, scope: Scope, conversation_id: str) -> tuple[ConversationMessage, ...]:
        statement = (
            scoped(tables.messages, scope)
            .select()
            .where(MESSAGES.conversation_id == conversation_id, MESSAGES.author == "user")
            .order_by(MESSAGES.ordinal)
        )
        rows = await self._rows_of(scope, conversation_id, statement)
        return tuple(message_of(row) for row in rows)

    async def _rows_of(self, scope: Scope, conversation_id: str, statement: Select[Any]) -> Sequence[Any]:
        """Return the rows of one statement about a conversation. Raises `NotFound`."""

        async def found(connection: AsyncConnection) -> Sequence[Any]:
            await require_conversation(connection, scope, conversation_id)
            rows: Sequence[Any] = (await connection.execute(statement)).all()
            return rows

        return await self._database.read_at_once(found)


def _activity(conversation: Conversation) -> tuple[int, str]:
    return micros(conversation.updated_at), conversation.id


def _found(row: Any, conversation_id: str) -> Conversation:
    if row is None:
        raise NotFound(kind="conversation", id=conversation_id)
    return conversation_of(row)
