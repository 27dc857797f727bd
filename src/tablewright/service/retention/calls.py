"""Retention of what calls over MCP leave behind: conversations and files stay for some days, to be fetched.

A note records the files of each call. A conversation that a person has continued becomes theirs and stays complete.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from tablewright.domain.conversation import ConversationMessage
from tablewright.domain.ids import Clock
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import NotFound
from tablewright.service.conversations import Conversations
from tablewright.store.base import Store
from tablewright.store.workbook_store import FaceMessage, OwnedMessage

FACE = "mcp"
FILES = "files"
PORTION = 100

log = logging.getLogger(__name__)


class CallRetention:
    """Notes calls, and removes what is left of old ones.

    `outputs` holds one folder per run, with files for callers on this machine. With `keep` None, nothing is removed.
    """

    def __init__(
        self, store: Store, conversations: Conversations, clock: Clock, *, outputs: Path, keep: timedelta | None
    ) -> None:
        self._store = store
        self._conversations = conversations
        self._clock = clock
        self._keep = keep
        self.outputs = outputs

    async def note(self, scope: Scope, conversation_id: str, file_ids: Iterable[str] = ()) -> None:
        """Note a call by its conversation, with files that belong to it alone; files noted earlier stay noted."""
        try:
            known = await self._store.faces.get(scope, FACE, conversation_id)
        except NotFound:
            known = FaceMessage(
                id=conversation_id,
                face=FACE,
                message_id=conversation_id,
                channel_id=conversation_id,
                uid="",
                created_at=self._clock.now(),
            )
        await self._write(scope, known, (*known.details.get(FILES, ()), *file_ids))

    async def remove_old(self, system: SystemScope) -> int:
        """Remove what is left of calls older than `keep`; return how many calls that were."""
        if self._keep is None:
            return 0
        before, removed = self._clock.now() - self._keep, 0
        while old := await self._store.faces.before(system, FACE, before, limit=PORTION):
            for owned in old:
                await self._remove(owned)
            removed += len(old)
        if removed:
            log.info("what was left of %d calls was removed", removed)
        return removed

    async def _remove(self, owned: OwnedMessage) -> None:
        scope, note = owned.scope, owned.message
        questions = await self._questions(scope, note.channel_id)
        if questions is not None and len(questions) > 1:
            await self._store.faces.remove(scope, FACE, note.id)
            return
        runs = {question.run_id for question in questions or () if question.run_id is not None}
        file_ids: list[str] = list(note.details.get(FILES, ()))
        if questions is not None:
            linked = await self._store.files.linked(scope, note.channel_id)
            file_ids += [file.id for file in linked if file.run_id in runs]
            with suppress(NotFound):
                await self._conversations.delete(scope, note.channel_id)
        for run_id in runs:
            await asyncio.to_thread(shutil.rmtree, self.outputs / run_id, ignore_errors=True)
        used = [file_id for file_id in dict.fromkeys(file_ids) if not await self._gone(scope, file_id)]
        if used:
            await self._write(scope, replace(note, created_at=self._clock.now()), used)
        else:
            await self._store.faces.remove(scope, FACE, note.id)

    async def _questions(self, scope: Scope, conversation_id: str) -> tuple[ConversationMessage, ...] | None:
        """Return the questions asked in a conversation, or None if it has been deleted."""
        try:
            return await self._store.conversations.questions(scope, conversation_id)
        except NotFound:
            return None

    async def _gone(self, scope: Scope, file_id: str) -> bool:
        """Remove a file unless another conversation uses it; return whether it is gone."""
        if await self._store.files.in_use(scope, file_id):
            return False
        with suppress(NotFound):
            await self._store.files.remove(scope, file_id)
        return True

    async def _write(self, scope: Scope, note: FaceMessage, file_ids: Iterable[str]) -> None:
        details = {FILES: list(dict.fromkeys(file_ids))}
        await self._store.faces.put(scope, replace(note, details=details))
