"""The ports to workbooks' versions and rounds, and to what faces answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from tablewright.domain.artifact import BlobRef
from tablewright.domain.dataset import StoredFile
from tablewright.domain.rounds import Round, Version, Workbook
from tablewright.domain.scope import Scope, SystemScope


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceMessage:
    """What one request to a face came to: the events it sent, its response, or the exception. `message_id`, `uid` and
    `channel_id` are the client's own."""

    id: str
    face: str
    message_id: str
    channel_id: str
    uid: str
    created_at: datetime
    events: tuple[dict[str, Any], ...] = ()
    response: dict[str, Any] | None = None
    error: str | None = None
    run_id: str | None = None
    details: dict[str, Any] = field(default_factory=dict[str, Any])


class WorkbookStore(Protocol):
    """Workbooks of one owner: files with a head, their versions and rounds. A file's removal removes them."""

    async def add(self, scope: Scope, first: Version, *, refs: Sequence[BlobRef]) -> Workbook:
        """Make the file `first.workbook_id` a workbook, whose first version, standing on the blobs `refs`, is the file
        as it is; one that is a workbook already stays as it is."""
        ...

    async def get(self, scope: Scope, workbook_id: str) -> Workbook:
        """Return it, or raise `NotFound`."""
        ...

    async def version(self, scope: Scope, workbook_id: str, number: int) -> Version:
        """Return it, or raise `NotFound`."""
        ...

    async def versions(self, scope: Scope, workbook_id: str) -> tuple[Version, ...]:
        """Return all versions, the oldest first."""
        ...

    async def commit(
        self,
        scope: Scope,
        version: Version,
        *,
        file: StoredFile,
        refs: Sequence[BlobRef],
        round_: Round | None = None,
    ) -> Version:
        """Add a version on top of `version.parent`, give it (and `round_`) the next number, make it the head and write
        `file` as what the head is, with the round that made it: all or nothing. `refs` are the blobs that the version
        stands on; the file stands on its own. A name that the owner's other files have taken, where a run made the
        file, becomes a free one. `WorkbookChanged` when the head is not `parent`."""
        ...

    async def move_head(self, scope: Scope, workbook_id: str, *, expected: int, number: int, file: StoredFile) -> None:
        """Make another version the head (undo, redo); `WorkbookChanged` when the head is not `expected`."""
        ...

    async def add_round(self, scope: Scope, round_: Round) -> None:
        """Keep a round that wrote nothing; where one of its plan and number is kept, that one stays."""
        ...

    async def rounds(
        self, scope: Scope, workbook_id: str, *, run_ids: Sequence[str] | None = None
    ) -> tuple[Round, ...]:
        """Return the rounds of a workbook, of `run_ids` where given, the oldest first."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnedMessage:
    """A face's message and whose it is."""

    scope: Scope
    message: FaceMessage


class FaceStore(Protocol):
    """What faces were asked and answered, per client message."""

    async def put(self, scope: Scope, message: FaceMessage) -> None:
        """Keep it; one of the same face and id is replaced."""
        ...

    async def get(self, scope: Scope, face: str, message_id: str) -> FaceMessage:
        """Return the newest of that client message, or raise `NotFound`."""
        ...

    async def latest(self, scope: Scope, face: str, channel_id: str, *, limit: int = 1) -> tuple[FaceMessage, ...]:
        """Return the newest of a channel, the newest first."""
        ...

    async def remove(self, scope: Scope, face: str, own_id: str) -> None:
        """Remove one by its own id; nothing where it is gone."""
        ...

    async def before(
        self, scope: SystemScope, face: str, at: datetime, *, limit: int = 100
    ) -> tuple[OwnedMessage, ...]:
        """Return everybody's messages of a face from before `at`, the oldest first."""
        ...
