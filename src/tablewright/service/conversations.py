"""Create, find, rename and delete conversations."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Protocol

from tablewright.domain.conversation import Conversation, ConversationMessage
from tablewright.domain.ids import Clock, Ids
from tablewright.domain.language import Language
from tablewright.domain.naming import storable
from tablewright.domain.page import Page
from tablewright.domain.run import Run
from tablewright.domain.scope import Scope
from tablewright.service.space import DiskSpace
from tablewright.store.base import Store

TITLE_CHARS = 200
KEY_CHARS = 500


class RunStopper(Protocol):
    """The part of `service.runs.Runs` that conversations need: stopping a run before its conversation is deleted."""

    async def cancel(self, scope: Scope, run_id: str) -> Run:
        """Stop the run and return it: finished, or in whatever state it has reached within a second."""
        ...


class SessionKeeper(Protocol):
    """The part of `service.sessions.ConversationSessions` that conversations need: ending a conversation's session."""

    async def forget(self, scope: Scope, conversation_id: str) -> None:
        """Release the conversation's session."""
        ...


class LogKeeper(Protocol):
    """The part of `service.conversation_logs` that conversations need: removing a conversation's logs."""

    async def remove(self, conversation_id: str) -> None:
        """Remove the logs of a conversation."""
        ...


class Conversations:
    """The use cases of a conversation. A conversation of another owner raises `NotFound`."""

    def __init__(
        self,
        store: Store,
        runs: RunStopper,
        clock: Clock,
        ids: Ids,
        *,
        sessions: SessionKeeper,
        space: DiskSpace | None = None,
        logs: LogKeeper | None = None,
    ) -> None:
        self._store = store
        self._logs = logs
        self._runs = runs
        self._sessions = sessions
        self._space = space
        self._clock = clock
        self._ids = ids

    async def create(
        self, scope: Scope, *, title: str = "", language: Language = "en", file_ids: Sequence[str] = ()
    ) -> Conversation:
        """Create a conversation about files that are there. Without a title, its first question becomes the title.
        Errors: `NotFound`, if one of the files is not there."""
        for file_id in file_ids:
            await self._store.files.get(scope, file_id)
        now = self._clock.now()
        conversation = Conversation(
            id=self._ids.new(), title=_title(title), language=language, created_at=now, updated_at=now
        )
        await self._store.conversations.add(scope, conversation)
        if file_ids:
            await self._store.files.link(scope, conversation.id, file_ids)
        return conversation

    async def of_client(self, scope: Scope, face: str, key: str, *, language: Language = "en") -> Conversation:
        """Return the conversation that a client of `face` knows as `key`, creating it on first use."""
        now = self._clock.now()
        fresh = Conversation(id=self._ids.new(), title="", language=language, created_at=now, updated_at=now)
        return await self._store.conversations.add_keyed(scope, face, storable(key)[:KEY_CHARS], fresh)

    async def get(self, scope: Scope, conversation_id: str) -> Conversation:
        """Return the conversation, or raise `NotFound`."""
        return await self._store.conversations.get(scope, conversation_id)

    async def list(
        self, scope: Scope, *, query: str = "", limit: int = 50, cursor: str | None = None
    ) -> Page[Conversation]:
        """List conversations by latest activity; `query` is searched for in titles and messages."""
        return await self._store.conversations.find(scope, query=storable(query), limit=limit, cursor=cursor)

    async def rename(self, scope: Scope, conversation_id: str, *, title: str) -> Conversation:
        """Rename the conversation."""
        return await self._store.conversations.rename(scope, conversation_id, _title(title), at=self._clock.now())

    async def delete(self, scope: Scope, conversation_id: str) -> None:
        """Stop the conversation's live run, then delete it with its messages, runs, logs and session.

        Its files stay. Works on a full disk too.
        """
        remove = partial(self._remove, scope, conversation_id)
        await (remove() if self._space is None else self._space.free(scope, remove))
        await self._sessions.forget(scope, conversation_id)
        if self._logs is not None:
            await self._logs.remove(conversation_id)

    async def _remove(self, scope: Scope, conversation_id: str) -> tuple[str, ...]:
        await self._store.conversations.get(scope, conversation_id)
        if (live := await self._store.runs.live(scope, conversation_id)) is not None:
            await self._runs.cancel(scope, live.id)
        return await self._store.conversations.remove(scope, conversation_id)

    async def messages(
        self, scope: Scope, conversation_id: str, *, limit: int = 100, cursor: str | None = None
    ) -> Page[ConversationMessage]:
        """List the conversation's messages, oldest first."""
        return await self._store.conversations.messages(scope, conversation_id, limit=limit, cursor=cursor)


def _title(text: str) -> str:
    return " ".join(storable(text).split())[:TITLE_CHARS]
