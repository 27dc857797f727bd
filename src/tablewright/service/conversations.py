"""Conversations: made, found, renamed, removed."""

from __future__ import annotations

from typing import Protocol

from tablewright.domain.conversation import Conversation, ConversationMessage
from tablewright.domain.ids import Clock, Ids
from tablewright.domain.language import Language
from tablewright.domain.naming import storable
from tablewright.domain.page import Page
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.store.base import Store

TITLE_CHARS = 200
KEY_CHARS = 500


class RunStopper(Protocol):
    """What a conversation needs of the runs: to end one before it goes (`service.runs.Runs`)."""

    async def cancel(self, scope: Scope, run_id: str) -> Run:
        """Stop the run; returns it finished, or as far as it came within a second."""
        ...


class SessionKeeper(Protocol):
    """What a conversation needs of the sessions: to end its own (`service.sessions.ConversationSessions`)."""

    async def forget(self, scope: Scope, conversation_id: str) -> None:
        """Release what is kept for the conversation."""
        ...


class Conversations:
    """The use cases of a conversation; another owner's is `NotFound`."""

    def __init__(self, store: Store, runs: RunStopper, clock: Clock, ids: Ids, *, sessions: SessionKeeper) -> None:
        self._store = store
        self._runs = runs
        self._sessions = sessions
        self._clock = clock
        self._ids = ids

    async def create(self, scope: Scope, *, title: str = "", language: Language = "en") -> Conversation:
        """Begin a conversation; without a title its first question becomes it."""
        now = self._clock.now()
        conversation = Conversation(
            id=self._ids.new(), title=_title(title), language=language, created_at=now, updated_at=now
        )
        await self._store.conversations.add(scope, conversation)
        return conversation

    async def of_client(self, scope: Scope, face: str, key: str, *, language: Language = "en") -> Conversation:
        """Return the conversation that a client of `face` calls `key`; the first time, it begins."""
        now = self._clock.now()
        fresh = Conversation(id=self._ids.new(), title="", language=language, created_at=now, updated_at=now)
        return await self._store.conversations.add_keyed(scope, face, storable(key)[:KEY_CHARS], fresh)

    async def get(self, scope: Scope, conversation_id: str) -> Conversation:
        """Return it, or raise `NotFound`."""
        return await self._store.conversations.get(scope, conversation_id)

    async def list(
        self, scope: Scope, *, query: str = "", limit: int = 50, cursor: str | None = None
    ) -> Page[Conversation]:
        """List by latest activity; `query` is looked for in titles and messages."""
        return await self._store.conversations.find(scope, query=storable(query), limit=limit, cursor=cursor)

    async def rename(self, scope: Scope, conversation_id: str, *, title: str) -> Conversation:
        """Give it another title."""
        return await self._store.conversations.rename(scope, conversation_id, _title(title), at=self._clock.now())

    async def delete(self, scope: Scope, conversation_id: str) -> None:
        """Stop its live run, then remove it with its messages, runs, logs and session; files stay."""
        await self._store.conversations.get(scope, conversation_id)
        if (live := await self._store.runs.live(scope, conversation_id)) is not None:
            await self._runs.cancel(scope, live.id)
        await self._store.conversations.remove(scope, conversation_id)
        await self._sessions.forget(scope, conversation_id)

    async def messages(
        self, scope: Scope, conversation_id: str, *, limit: int = 100, cursor: str | None = None
    ) -> Page[ConversationMessage]:
        """List its messages, the oldest first."""
        return await self._store.conversations.messages(scope, conversation_id, limit=limit, cursor=cursor)


def _title(text: str) -> str:
    return " ".join(storable(text).split())[:TITLE_CHARS]
