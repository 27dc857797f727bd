"""Conversations in memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from tablewright.domain.conversation import Conversation, ConversationMessage, ConversationState
from tablewright.domain.page import Page
from tablewright.domain.scope import Scope
from tablewright.store.cursors import bounded, page_of, read_cursor
from tablewright.store.memory.rows import ConversationRow, MemoryRows, same_owner
from tablewright.store.rules import micros


class MemoryConversations:
    """Implements `ConversationStore`."""

    def __init__(self, rows: MemoryRows) -> None:
        self._rows = rows

    async def add(self, scope: Scope, conversation: Conversation) -> None:
        self._rows.conversations[conversation.id] = ConversationRow(scope=scope, value=conversation)

    async def get(self, scope: Scope, conversation_id: str) -> Conversation:
        return self._rows.conversation(scope, conversation_id).value

    async def find(
        self, scope: Scope, *, query: str = "", limit: int = 50, cursor: str | None = None
    ) -> Page[Conversation]:
        found = [row.value for row in self._rows.conversations.values() if _matches(row, scope, query.lower())]
        found.sort(key=_activity, reverse=True)
        if cursor is not None:
            last = read_cursor(cursor, int, str)
            found = [conversation for conversation in found if _activity(conversation) < last]
        return page_of(found, bounded(limit), _activity)

    async def rename(self, scope: Scope, conversation_id: str, title: str, *, at: datetime) -> Conversation:
        row = self._rows.conversation(scope, conversation_id)
        row.value = replace(row.value, title=title, updated_at=at)
        return row.value

    async def remove(self, scope: Scope, conversation_id: str) -> tuple[str, ...]:
        self._rows.conversation(scope, conversation_id)
        del self._rows.conversations[conversation_id]
        for key in [key for key, value in self._rows.keys.items() if value == conversation_id]:
            del self._rows.keys[key]
        runs = [key for key, row in self._rows.runs.items() if row.value.conversation_id == conversation_id]
        return tuple({sha256 for run_id in runs for sha256 in self._rows.runs.pop(run_id).hashes})

    async def keyed(self, scope: Scope, face: str, key: str) -> Conversation | None:
        conversation_id = self._rows.keys.get((scope.tenant, scope.owner, face, key))
        return None if conversation_id is None else await self.get(scope, conversation_id)

    async def add_keyed(self, scope: Scope, face: str, key: str, conversation: Conversation) -> Conversation:
        if (known := await self.keyed(scope, face, key)) is not None:
            return known
        await self.add(scope, conversation)
        self._rows.keys[scope.tenant, scope.owner, face, key] = conversation.id
        return conversation

    async def state(self, scope: Scope, conversation_id: str) -> ConversationState:
        return self._rows.conversation(scope, conversation_id).state

    async def set_state(
        self, scope: Scope, conversation_id: str, state: ConversationState, *, instead_of: ConversationState
    ) -> bool:
        row = self._rows.conversation(scope, conversation_id)
        if row.state != instead_of:
            return False
        row.state = state
        return True

    async def messages(
        self, scope: Scope, conversation_id: str, *, limit: int = 100, cursor: str | None = None
    ) -> Page[ConversationMessage]:
        found = self._rows.conversation(scope, conversation_id).messages
        if cursor is not None:
            (after,) = read_cursor(cursor, int)
            found = found[int(after) :]
        return page_of(found, bounded(limit), lambda message: (message.ordinal,))

    async def latest_messages(self, scope: Scope, conversation_id: str, limit: int) -> tuple[ConversationMessage, ...]:
        messages = self._rows.conversation(scope, conversation_id).messages
        return tuple(messages[max(0, len(messages) - limit) :])

    async def questions(self, scope: Scope, conversation_id: str) -> tuple[ConversationMessage, ...]:
        messages = self._rows.conversation(scope, conversation_id).messages
        return tuple(message for message in messages if message.author == "user")


def _activity(conversation: Conversation) -> tuple[int, str]:
    return micros(conversation.updated_at), conversation.id


def _matches(row: ConversationRow, scope: Scope, query: str) -> bool:
    if not same_owner(row.scope, scope):
        return False
    return query in row.value.title.lower() or any(query in message.text.lower() for message in row.messages)
