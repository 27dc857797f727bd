"""The ports to the versions and rounds of workbooks, and to the messages of faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from tablewright.domain.artifact import BlobRef
from tablewright.domain.dataset import StoredFile
from tablewright.domain.rounds.round import Round
from tablewright.domain.scope import Scope, SystemScope
from tablewright.domain.workbook import Version, Workbook


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceMessage:
    """The outcome of one request to a face: the events sent, and the response or the exception.

    `message_id`, `uid` and `channel_id` are the client's own.
    """

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
    """The workbooks of one owner: files with a head, versions and rounds. Removing a file removes all of them."""

    async def add(self, scope: Scope, first: Version, *, refs: Sequence[BlobRef]) -> Workbook:
        """Turn the file `first.workbook_id` into a workbook whose first version is the file's current state.

        The version refers to the blobs `refs`. A file that is a workbook already stays as it is.
        """
        ...

    async def get(self, scope: Scope, workbook_id: str) -> Workbook:
        """Return the workbook, or raise `NotFound`."""
        ...

    async def version(self, scope: Scope, workbook_id: str, number: int) -> Version:
        """Return the version, or raise `NotFound`."""
        ...

    async def versions(self, scope: Scope, workbook_id: str) -> tuple[Version, ...]:
        """Return all versions, oldest first."""
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
        """Add a version on top of `version.parent` as the new head, with the round that made it, all or nothing.

        The version and `round_` get the next number, and `file` replaces the stored file with the head's state. `refs`
        are the blobs that the version refers to; the file has references of its own. If a run made the file and its
        name is taken by another file of the owner, it gets a free name. Raises `WorkbookChanged` if the head is not
        `parent`.
        """
        ...

    async def move_head(self, scope: Scope, workbook_id: str, *, expected: int, number: int, file: StoredFile) -> None:
        """Make another version the head (undo, redo). Raises `WorkbookChanged` if the head is not `expected`."""
        ...

    async def add_round(self, scope: Scope, round_: Round) -> None:
        """Store a round that wrote nothing, unless there is one of the same plan and number already."""
        ...

    async def rounds(
        self, scope: Scope, workbook_id: str, *, run_ids: Sequence[str] | None = None
    ) -> tuple[Round, ...]:
        """Return the rounds of a workbook, restricted to `run_ids` if given, oldest first."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnedMessage:
    """A face's message and its owner."""

    scope: Scope
    message: FaceMessage


class FaceStore(Protocol):
    """Requests to faces and their answers, by client message."""

    async def put(self, scope: Scope, message: FaceMessage) -> None:
        """Store a message, replacing one with the same face and id."""
        ...

    async def get(self, scope: Scope, face: str, message_id: str) -> FaceMessage:
        """Return the newest entry for that client message, or raise `NotFound`."""
        ...

    async def latest(self, scope: Scope, face: str, channel_id: str, *, limit: int = 1) -> tuple[FaceMessage, ...]:
        """Return the newest messages of a channel, newest first."""
        ...

    async def remove(self, scope: Scope, face: str, own_id: str) -> None:
        """Remove a message by its own id; has no effect if it is gone."""
        ...

    async def before(
        self, scope: SystemScope, face: str, at: datetime, *, limit: int = 100
    ) -> tuple[OwnedMessage, ...]:
        """Return all owners' messages of a face from before `at`, oldest first."""
        ...
