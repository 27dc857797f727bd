"""Workbooks and the messages of faces in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from tablewright.domain.artifact import BlobRef
from tablewright.domain.codec import from_json
from tablewright.domain.dataset import StoredFile
from tablewright.domain.naming import free_name
from tablewright.domain.rounds.round import Round
from tablewright.domain.scope import Scope, SystemScope
from tablewright.domain.workbook import Version, Workbook
from tablewright.errors import NotFound, WorkbookChanged
from tablewright.store.codec import encode
from tablewright.store.memory.rows import MemoryRows, WorkbookRow
from tablewright.store.workbook_store import FaceMessage, OwnedMessage


class MemoryWorkbooks:
    """Implements `WorkbookStore`."""

    def __init__(self, rows: MemoryRows) -> None:
        self._rows = rows

    async def add(self, scope: Scope, first: Version, *, refs: Sequence[BlobRef]) -> Workbook:
        file = self._rows.file(scope, first.workbook_id)
        if file.workbook is None:
            kept = {ref.sha256 for ref in refs}
            file.workbook = WorkbookRow(head=1, versions=[replace(first, number=1, parent=None)], hashes=kept)
        return await self.get(scope, first.workbook_id)

    async def get(self, scope: Scope, workbook_id: str) -> Workbook:
        row = self._rows.workbook(scope, workbook_id)
        return Workbook(id=workbook_id, head=row.head, latest=len(row.versions))

    async def version(self, scope: Scope, workbook_id: str, number: int) -> Version:
        versions = self._rows.workbook(scope, workbook_id).versions
        if not 1 <= number <= len(versions):
            raise NotFound(kind="version", id=str(number))
        return versions[number - 1]

    async def versions(self, scope: Scope, workbook_id: str) -> tuple[Version, ...]:
        return tuple(self._rows.workbook(scope, workbook_id).versions)

    async def commit(
        self,
        scope: Scope,
        version: Version,
        *,
        file: StoredFile,
        refs: Sequence[BlobRef],
        round_: Round | None = None,
    ) -> Version:
        row = self._rows.workbook(scope, version.workbook_id)
        if row.head != version.parent:
            raise WorkbookChanged(version=row.head, base=version.parent)
        numbered = replace(version, number=len(row.versions) + 1)
        if round_ is not None:
            row.rounds.append(_through_json(replace(round_, version=numbered.number)))
        row.versions.append(numbered)
        row.hashes.update(ref.sha256 for ref in refs)
        row.head = numbered.number
        self._write(scope, file)
        return numbered

    async def move_head(self, scope: Scope, workbook_id: str, *, expected: int, number: int, file: StoredFile) -> None:
        row = self._rows.workbook(scope, workbook_id)
        if row.head != expected:
            raise WorkbookChanged(version=row.head, base=expected)
        await self.version(scope, workbook_id, number)
        row.head = number
        self._write(scope, file)

    async def add_round(self, scope: Scope, round_: Round) -> None:
        rounds = self._rows.workbook(scope, round_.workbook_id).rounds
        if all((kept.plan_id, kept.number) != (round_.plan_id, round_.number) for kept in rounds):
            rounds.append(_through_json(round_))

    async def rounds(
        self, scope: Scope, workbook_id: str, *, run_ids: Sequence[str] | None = None
    ) -> tuple[Round, ...]:
        rounds = self._rows.workbook(scope, workbook_id).rounds
        return tuple(round_ for round_ in rounds if run_ids is None or round_.run_id in run_ids)

    def _write(self, scope: Scope, file: StoredFile) -> None:
        row = self._rows.file(scope, file.id)
        if file.run_id is not None:
            file = replace(file, name=free_name(file.name, self._rows.file_names(scope, besides=file.id)))
        row.value, row.hashes = file, frozenset({file.sha256})


class MemoryFaces:
    """Implements `FaceStore`."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, str, str], FaceMessage] = {}

    async def put(self, scope: Scope, message: FaceMessage) -> None:
        self._kept[scope.tenant, scope.owner, message.face, message.id] = from_json(
            FaceMessage, encode(FaceMessage, message)
        )

    async def get(self, scope: Scope, face: str, message_id: str) -> FaceMessage:
        found = [message for message in self._of(scope, face) if message.message_id == message_id]
        if not found:
            raise NotFound(kind="message", id=message_id)
        return found[0]

    async def latest(self, scope: Scope, face: str, channel_id: str, *, limit: int = 1) -> tuple[FaceMessage, ...]:
        return tuple([message for message in self._of(scope, face) if message.channel_id == channel_id][:limit])

    async def remove(self, scope: Scope, face: str, own_id: str) -> None:
        self._kept.pop((scope.tenant, scope.owner, face, own_id), None)

    async def before(
        self, scope: SystemScope, face: str, at: datetime, *, limit: int = 100
    ) -> tuple[OwnedMessage, ...]:
        found = [
            OwnedMessage(scope=Scope(tenant=key[0], owner=key[1]), message=message)
            for key, message in self._kept.items()
            if key[2] == face and message.created_at < at
        ]
        found.sort(key=lambda owned: (owned.message.created_at, owned.message.id))
        return tuple(found[:limit])

    def _of(self, scope: Scope, face: str) -> list[FaceMessage]:
        mine = [message for key, message in self._kept.items() if key[:3] == (scope.tenant, scope.owner, face)]
        return sorted(mine, key=lambda message: (message.created_at, message.id), reverse=True)


def _through_json(round_: Round) -> Round:
    return from_json(Round, encode(Round, round_))
