"""The terms of files: what a client said that a file is for, and until when it may be kept."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from tablewright.domain.dataset import StoredFile
from tablewright.domain.ids import Clock
from tablewright.domain.scope import Scope, SystemScope
from tablewright.errors import NotFound
from tablewright.service.files.files import Files
from tablewright.store.base import Store
from tablewright.store.workbook_store import FaceMessage

FACE = "file_terms"
EVER = datetime(9999, 1, 1, tzinfo=UTC)
"""When a file ends whose client said nothing."""
PURPOSE = "purpose"
PORTION = 100

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTerms:
    """What a file is for, in its client's words, and when it is removed, if ever."""

    purpose: str | None = None
    expires_at: datetime | None = None


class TermsOfFiles:
    """Keeps the terms of files, and removes files whose time has passed.

    A note's time is when its file ends, so that the oldest notes are those that are due.
    """

    def __init__(self, store: Store, files: Files, clock: Clock) -> None:
        self._store = store
        self._files = files
        self._clock = clock

    async def keep(self, scope: Scope, file_id: str, *, purpose: str, lasts: timedelta | None) -> FileTerms:
        """Note the terms of a file that has just been stored."""
        until = None if lasts is None else self._clock.now() + lasts
        note = FaceMessage(
            id=file_id,
            face=FACE,
            message_id=file_id,
            channel_id=file_id,
            uid="",
            created_at=until or EVER,
            details={PURPOSE: purpose},
        )
        await self._store.faces.put(scope, note)
        return FileTerms(purpose=purpose, expires_at=until)

    async def of(self, scope: Scope, file_id: str) -> FileTerms:
        """Return the terms of a file. Raises `NotFound` if its time has passed, though it may still be stored."""
        try:
            note = await self._store.faces.get(scope, FACE, file_id)
        except NotFound:
            return FileTerms()
        until = None if note.created_at == EVER else note.created_at
        if until is not None and until <= self._clock.now():
            raise NotFound(kind="file", id=file_id)
        return FileTerms(purpose=note.details.get(PURPOSE), expires_at=until)

    @property
    def files(self) -> Files:
        """The files."""
        return self._files

    async def get(self, scope: Scope, file_id: str) -> tuple[StoredFile, FileTerms]:
        """Return a file with its terms, or raise `NotFound`."""
        file = await self._files.get(scope, file_id)
        return file, await self.of(scope, file_id)

    async def delete(self, scope: Scope, file_id: str) -> None:
        """Remove a file with its terms, or raise `NotFound`."""
        await self.get(scope, file_id)
        await self._files.delete(scope, file_id)
        await self._store.faces.remove(scope, FACE, file_id)

    async def remove_due(self, system: SystemScope) -> int:
        """Remove the files of all owners whose time has passed; return how many."""
        removed = 0
        while due := await self._store.faces.before(system, FACE, self._clock.now(), limit=PORTION):
            for owned in due:
                with suppress(NotFound):
                    await self._files.delete(owned.scope, owned.message.id)
                    removed += 1
                await self._store.faces.remove(owned.scope, FACE, owned.message.id)
        if removed:
            log.info("%d files whose time had passed were removed", removed)
        return removed
